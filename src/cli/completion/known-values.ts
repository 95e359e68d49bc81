/** Values that are found out when a command line is completed: names of what is there. */
import { candidatesFor, settle, withModel } from '../../assemble/models/choose-provider.ts';
import { providers } from '../../assemble/models/providers.ts';
import { indexesFolder, stateFolder } from '../../config/folders.ts';
import { loadConfiguration } from '../../config/layers.ts';
import { settingsByKey } from '../../config/settings.ts';
import { listRoles, listRuns } from '../../index.ts';
import { indexNames } from '../../indexes/kept-indexes.ts';
import { tools } from '../../tools/index.ts';
import type { ValueKind } from '../command.ts';

/** A word with what it means; empty: nothing is said of it. */
export type Candidate = readonly [word: string, about: string];

/** Longer nobody waits for a TAB, in ms. */
const serverMs = 1_500;

async function modelCandidates(): Promise<Candidate[]> {
  const wanted = settle(loadConfiguration());
  const choice = withModel(loadConfiguration(), wanted.model);
  const [name] = candidatesFor(wanted);
  const provider = await providers[name!]!(choice);
  const survey = await provider.survey?.(AbortSignal.timeout(serverMs));
  return (survey?.models ?? []).map((model) => [model.name, '']);
}

const finders: Readonly<Record<ValueKind, () => Promise<Candidate[]> | Candidate[]>> = {
  models: modelCandidates,
  runs: async () => (await listRuns()).map(({ runId, task }) => [runId, task ?? '']),
  indexes: () => {
    const { settings } = loadConfiguration();
    return indexNames(indexesFolder(stateFolder(settings, process.env))).map((name) => [name, '']);
  },
  roles: async () => (await listRoles()).map(({ name, about }) => [name, about]),
  settings: () => [...settingsByKey].map(([key, { about }]) => [key, about]),
  tools: () => tools.map(({ name, about }) => [name, about]),
};

/** The values of a kind; none where they cannot be found: a TAB is no place for an error. */
export async function knownValues(kind: ValueKind): Promise<readonly Candidate[]> {
  try {
    return await finders[kind]();
  } catch {
    return [];
  }
}
