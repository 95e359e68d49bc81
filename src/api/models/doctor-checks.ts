/** The parts of `rlm doctor` that look at one thing each. */

import { chooseEmbedder, inspectEmbedder } from '../../assemble/choose-vectors.ts';
import { type Chosen, hasSeveral } from '../../assemble/models/choose-provider.ts';
import { withDeadline } from '../../base/abort.ts';
import { errnoOf, makeFolder } from '../../base/files/system.ts';
import { counted } from '../../base/text.ts';
import { stateFolder } from '../../config/folders.ts';
import type { Configuration } from '../../config/layers.ts';
import { shownSetting } from '../../config/login.ts';
import { type ErrorInfo, RlmError, toRlmError } from '../../errors.ts';
import { loadTemplates } from '../../prompts/template.ts';

/** One thing that was looked at. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to type to mend it; empty when nothing is to be done. */
  readonly fix: string;
}

const checkMs = 5_000;

/** What was found in order. */
export const sound = (name: string, message: string): DoctorCheck => ({ name, state: 'ok', message, fix: '' });

/** Notices about a thing that works. */
export const notesOf = (name: string, notices: readonly string[]): DoctorCheck[] =>
  notices.map((message) => ({ name, state: 'note', message, fix: '' }));

export const problem = (name: string, { message, hint }: Pick<ErrorInfo, 'message' | 'hint'>): DoctorCheck => {
  return { name, state: 'problem', message, fix: hint };
};

export async function attemptCheck<T>(work: () => Promise<T>): Promise<{ value: T | null; error: ErrorInfo | null }> {
  try {
    return { value: await work(), error: null };
  } catch (thrown) {
    return { value: null, error: toRlmError(thrown).toInfo() };
  }
}

/**
 * Waits for work at a server for 5 s.
 * @param setting the one with the server's address; null: it has none.
 */
export function within<T>(name: string, setting: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = () =>
    new RlmError('provider-unreachable', `${name} did not answer within ${checkMs / 1000} s`, {
      hint: setting === null ? '' : `Check that the server runs, and its address: rlm config get ${setting}`,
    });
  return withDeadline(checkMs, late, new AbortController().signal, work);
}

export function nodeCheck(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isRecent = major > 20 || (major === 20 && minor >= 20);
  const message = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (isRecent) return sound('node', message);
  return { name: 'node', state: 'problem', message, fix: 'Install Node 20.20 or later.' };
}

export function configurationChecks({ files, warnings, values, origins }: Configuration): DoctorCheck[] {
  const found = files.filter((file) => file.found && file.role !== 'shipped defaults').map(({ path }) => path);
  const own = [...origins].filter(([, origin]) => origin !== 'shipped defaults');
  const shown = (key: string) => JSON.stringify(shownSetting(key, values.get(key)));
  const set = own.map(([key, origin]) => `${key}=${shown(key)} (${origin})`);
  const message = `${found.join(', ') || 'shipped defaults only'}${set.length > 0 ? `; set: ${set.join(', ')}` : ''}`;
  return [sound('configuration', message), ...notesOf('configuration', warnings)];
}

/** Nothing where all is well: runs tell of their folder. */
export function stateChecks({ settings, env }: Configuration): DoctorCheck[] {
  const folder = stateFolder(settings, env);
  try {
    makeFolder(folder);
    return [];
  } catch (error) {
    const message = `${folder} cannot be made (${errnoOf(error)}): no run is recorded, and no index can be made`;
    return [{ name: 'state folder', state: 'note', message, fix: 'Name another one: export RLM_HOME=FOLDER.' }];
  }
}

export async function promptsCheck({ settings }: Configuration): Promise<DoctorCheck> {
  const { error } = await attemptCheck(() => loadTemplates(settings.prompts));
  return error ? problem('prompts', error) : sound('prompts', settings.prompts ?? 'the shipped ones');
}

/** Whether the search server answers and has what is to be searched, where one is configured. */
export async function searchCheck(configuration: Configuration): Promise<DoctorCheck[]> {
  const { server } = configuration.settings.retrieval;
  if (server === null) return [];
  const { findServer } = await import('../../assemble/choose-retriever.ts');
  const open = (signal: AbortSignal) => findServer(server, { configuration, signal });
  const { value, error } = await attemptCheck(() => within('the search server', 'retrieval.server', open));
  if (error !== null) return [problem(error.code === 'config-invalid' ? 'configuration' : 'search', error)];
  return [sound('search', `${value!.about}, ${counted(value!.passages, 'passage')}`)];
}

/** The embedding model, where one is set. */
export async function embeddingChecks(configuration: Configuration): Promise<DoctorCheck[]> {
  const { mode } = configuration.settings.retrieval;
  const name = 'embedding';
  const { value: embedder, error } = await attemptCheck(() => chooseEmbedder(configuration));
  if (error) return [problem(name, error)];
  if (embedder === null) return [];
  const { signal } = new AbortController();
  const inspected = await attemptCheck(() => inspectEmbedder(embedder, checkMs, signal));
  if (inspected.error) {
    // Where it only came about, words alone decide; where it was named, no question can be searched for.
    const state = ['auto', 'lexical'].includes(mode) ? 'note' : 'problem';
    return [{ ...problem(name, inspected.error), state }];
  }
  const message = `model ${embedder.model} of ${embedder.name} at ${embedder.address}; retrieval is ${mode}`;
  return [sound(name, message), ...notesOf(name, inspected.value?.notices ?? [])];
}

/** The models besides the run's own, where some are set. */
export async function routingChecks(
  configuration: Configuration,
): Promise<{ checks: DoctorCheck[]; main: string | null }> {
  if (!hasSeveral(configuration.settings)) return { checks: [], main: null };
  const { chooseModels } = await import('../../assemble/models/choose-models.ts');
  const { signal } = new AbortController();
  const { value, error } = await attemptCheck(() =>
    chooseModels(configuration, { main: undefined, named: {} }, signal),
  );
  if (error !== null) return { checks: [problem('models', error)], main: null };
  const nameOf = ({ provider, info }: Chosen) => `${provider.name}/${info.model}`;
  const [answer, below] = [0, 1].map((depth) => value!.modelsFor('answer', depth).map(nameOf));
  const standIns = answer!.length > 1 ? `; ${answer!.slice(1).join(', ')} would take over` : '';
  const message = `${answer![0]} answers at the root, ${below![0]} below it${standIns}`;
  return { checks: [sound('models', message)], main: value!.models[0].provider.name };
}
