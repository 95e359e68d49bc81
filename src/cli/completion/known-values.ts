/** Values that are looked up when a command line is completed. */
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

/** A word with its description, which may be empty. */
export type Candidate = readonly [word: string, about: string];

/** The longest wait for a server during completion, in ms. */
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

/** Returns the values of a kind. Empty when they cannot be found, because completion must not print errors. */
export async function knownValues(kind: ValueKind): Promise<readonly Candidate[]> {
  try {
    return await finders[kind]();
  } catch {
    return [];
  }
}
