import { resolve } from 'node:path';
import { untilAborted } from '../base/abort.ts';
import type { Scope } from '../base/scope.ts';
import type { Environment } from '../config/setting-layers.ts';
import type { Settings } from '../config/settings.ts';
import type { Templates } from '../prompts/template.ts';
import { type Role, withWords } from '../roles/role.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import { type Chosen, type ChosenModels, chooseProvider, hasSeveral, onlyModel } from './models/choose-provider.ts';
import { type ReadText, readText, sharedText } from './read-text.ts';
import { type RunPlan, usedByNow } from './run-plan.ts';
import { orCancelled, withinTime } from './within-time.ts';

async function readOwnPrompts(folder: string | null, cwd: string): Promise<Templates | null> {
  if (folder === null) return null;
  const { loadTemplates } = await import('../prompts/template.ts');
  return loadTemplates(resolve(cwd, folder));
}

async function readRole({ role, system }: Settings, cwd: string, env: Environment): Promise<Role | null> {
  if (role === null) return withWords(null, system);
  const { findRole } = await import('../roles/find-role.ts');
  return withWords(await findRole(role, cwd, env), system);
}

async function readAnswerSchema(schema: Settings['schema'], cwd: string): Promise<AnswerSchema | null> {
  if (schema === null) return null;
  const { readSchema } = await import('../schema/answer-schema.ts');
  return readSchema(schema, cwd);
}

/** The gathered parts of a run. */
export interface Gathered {
  readonly chosen: ChosenModels;
  readonly text: ReadText;
  /** The address of the library that renders pages of PDFs; null if no page is rendered. */
  readonly library: string | null;
  /** Null: the shipped prompts. */
  readonly ownPrompts: Templates | null;
  readonly role: Role | null;
  /** Null: the answer is prose. */
  readonly schema: AnswerSchema | null;
}

async function chooseModels(plan: RunPlan, signal: AbortSignal): Promise<ChosenModels> {
  const { configuration, record, replay, provider: main, providers: named = {} } = plan;
  // A run that completes a recording asks the models for the missing calls.
  const recorded = record === null ? replay : null;
  if (recorded === null && !hasSeveral(configuration.settings))
    return onlyModel(await chooseProvider(configuration, main, signal));
  const several = await import('./models/choose-models.ts');
  if (recorded !== null) return several.replayModels(recorded.cassette.run, configuration);
  return several.chooseModels(configuration, { main, named }, signal);
}

/** Closes all providers except the caller's. Does not wait, so that a stopped run ends at once. */
function closeModels(models: readonly Chosen[], { provider: own, providers = {} }: RunPlan): void {
  const kept = [own, ...Object.values(providers)];
  for (const { provider } of models) if (!kept.includes(provider)) void provider.close?.();
}

async function readWithVision(
  { context, ...plan }: RunPlan,
  choosing: Promise<ChosenModels>,
  scope: Scope,
  signal: AbortSignal,
): Promise<Pick<Gathered, 'text' | 'chosen' | 'library'>> {
  const { settings, given } = plan.configuration;
  const openVision = async () => {
    const { createVision } = await import('./transcribe.ts');
    return createVision(plan, choosing, signal);
  };
  // Inspects an explicitly named vision model early, before a page needs it.
  const isNamed = given.has('visionModel') && !['auto', 'off'].includes(settings.visionModel);
  let vision = isNamed ? await openVision() : null;
  await vision?.find();
  const scans = async () => {
    vision ??= await openVision();
    return vision.reading;
  };
  const text = context ? sharedText(context) : await readText({ ...plan, scans }, settings, true, signal);
  scope.add(text.close);
  const { models = () => choosing, library = async () => null } = vision ?? {};
  const [own, chosen] = [await choosing, await models()];
  const added = chosen.models.filter((one) => !own.models.includes(one));
  scope.add(() => closeModels(added, plan));
  return { text, chosen, library: await library() };
}

/**
 * Gathers everything a run needs (models, text, prompts, role, schema) concurrently, within the run's time. If one
 * part fails, the others are aborted. The scope closes the opened resources.
 * @throws RlmError as `ask` does before a run begins.
 */
export function gather(plan: RunPlan, scope: Scope): Promise<Gathered> {
  const { configuration, cwd, env } = plan;
  const { settings } = configuration;
  return withinTime(settings, usedByNow(plan), plan, async ({ signal, onReading }) => {
    const failed = new AbortController();
    const together = AbortSignal.any([signal, failed.signal]);
    const choosing = chooseModels(plan, together).then((chosen) => {
      scope.add(() => closeModels(chosen.models, plan));
      return chosen;
    });
    try {
      const gathering = Promise.all([
        choosing,
        readWithVision({ ...plan, onReading }, choosing, scope, together),
        readOwnPrompts(settings.prompts, cwd),
        readRole(settings, cwd, env),
        readAnswerSchema(settings.schema, cwd),
      ]);
      const [, read, ownPrompts, role, schema] = await untilAborted(gathering, signal);
      return { ...read, ownPrompts, role, schema };
    } catch (error) {
      failed.abort(error);
      throw signal.aborted ? orCancelled(error) : error;
    }
  });
}
