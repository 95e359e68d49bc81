/** Values that are found out when a command line is completed: names of what is there. */
import {
  configuredProvider,
  indexNames,
  listRoles,
  listRuns,
  listTools,
  loadConfiguration,
  settingsByKey,
} from '../../index.ts';
import type { ValueKind } from '../command.ts';

/** A word with what it means; empty: nothing is said of it. */
export type Candidate = readonly [word: string, about: string];

/** Longer nobody waits for a TAB, in ms. */
const serverMs = 1_500;

async function modelCandidates(): Promise<Candidate[]> {
  const provider = await configuredProvider(loadConfiguration()).open();
  const survey = await provider.survey?.(AbortSignal.timeout(serverMs));
  return (survey?.models ?? []).map((model) => [model.name, '']);
}

const finders: Readonly<Record<ValueKind, () => Promise<Candidate[]> | Candidate[]>> = {
  models: modelCandidates,
  runs: async () => (await listRuns()).map(({ runId, task }) => [runId, task ?? '']),
  indexes: async () => (await indexNames(loadConfiguration())).map((name) => [name, '']),
  roles: async () => (await listRoles()).map(({ name, about }) => [name, about]),
  settings: () => [...settingsByKey].map(([key, { about }]) => [key, about]),
  tools: async () => (await listTools()).map(({ name, about }) => [name, about]),
};

/** The values of a kind; none where they cannot be found: a TAB is no place for an error. */
export async function knownValues(kind: ValueKind): Promise<readonly Candidate[]> {
  try {
    return await finders[kind]();
  } catch {
    return [];
  }
}
