/** What a run is put together from: its models, its text, its prompts and its role, all looked for at once. */
import { resolve } from 'node:path';
import { untilAborted } from '../base/abort.ts';
import type { Configuration } from '../config/layers.ts';
import type { Environment } from '../config/setting-layers.ts';
import type { Settings } from '../config/settings.ts';
import type { Templates } from '../prompts/template.ts';
import type { Role } from '../roles/role.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { AskOptions, RunOptions } from './ask-options.ts';
import { type ChosenModels, chooseProvider, hasSeveral, onlyModel } from './choose-provider.ts';
import { sharedText } from './opened-text.ts';
import { type Read, readText } from './read-text.ts';
import { orCancelled } from './within-time.ts';

/** Prompts of the user's own are read before anything is waited for, since they may be wrong. */
async function readOwnPrompts(folder: string | null, cwd: string): Promise<Templates | null> {
  if (folder === null) return null;
  const { loadTemplates } = await import('../prompts/template.ts');
  return loadTemplates(resolve(cwd, folder));
}

/** So is the role. */
async function readRole(role: string | null, cwd: string, env: Environment): Promise<Role | null> {
  if (role === null) return null;
  const { findRole } = await import('../roles/find-role.ts');
  return findRole(role, cwd, env);
}

/** And the form of the answer. */
async function readForm(schema: Settings['schema'], cwd: string): Promise<AnswerSchema | null> {
  if (schema === null) return null;
  const { readSchema } = await import('../schema/read-schema.ts');
  return readSchema(schema, cwd);
}

/** What a run is put together from. */
export interface Prepared extends Read {
  readonly chosen: ChosenModels;
  readonly ownPrompts: Templates | null;
  readonly role: Role | null;
  /** The form that the answer is asked for in; null: prose. */
  readonly schema: AnswerSchema | null;
}

/** One model is the rule: what chooses among several is loaded only where there are. */
async function chooseModels(
  configuration: Configuration,
  { provider: main, providers: named = {} }: RunOptions,
  signal: AbortSignal,
): Promise<ChosenModels> {
  if (!hasSeveral(configuration.settings)) return onlyModel(await chooseProvider(configuration, main, signal));
  const several = await import('./choose-models.ts');
  return several.chooseModels(configuration, { main, named }, signal);
}

/**
 * Looks for the provider while the inputs are read; when one fails the other is ended, so that it keeps nobody
 * waiting.
 */
export async function prepare(
  options: AskOptions,
  configuration: Configuration,
  cwd: string,
  signal: AbortSignal,
  lineup: ChosenModels | null = null,
): Promise<Prepared> {
  const { settings } = configuration;
  const failed = new AbortController();
  const together = AbortSignal.any([signal, failed.signal]);
  const { context } = options;
  const reading =
    context === undefined
      ? readText({ ...options, cwd }, settings, true, together)
      : Promise.resolve(sharedText(context));
  try {
    const preparing = Promise.all([
      lineup ?? chooseModels(configuration, options, together),
      reading,
      readOwnPrompts(settings.prompts, cwd),
      readRole(settings.role, cwd, options.env ?? process.env),
      readForm(settings.schema, cwd),
    ]);
    const [chosen, read, ownPrompts, role, schema] = await untilAborted(preparing, signal);
    return { chosen, ...read, ownPrompts, role, schema };
  } catch (error) {
    failed.abort(error);
    reading.then(({ close }) => close()).catch(() => {}); // Its own failure is this one, or came later.
    throw signal.aborted ? orCancelled(error) : error;
  }
}
