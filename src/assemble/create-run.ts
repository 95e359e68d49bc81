import { untilAborted } from '../base/abort.ts';
import type { Scope } from '../base/scope.ts';
import { openKnownModels } from '../cache/known-models.ts';
import { cacheFolder } from '../config/folders.ts';
import { type Configuration, shippedOrigin } from '../config/layers.ts';
import type { Setting } from '../config/settings/setting.ts';
import { type Settings, settingsByKey } from '../config/settings.ts';
import type { RlmError, Warn, WarningCode } from '../errors.ts';
import type { RunFacts } from '../journal/run-record.ts';
import { answeringPrompts } from '../prompts/index.ts';
import { loadTemplates, type Templates } from '../prompts/template.ts';
import type { Role } from '../roles/role.ts';
import { mostSpent } from '../run/door/asked.ts';
import type { DoorParts, KnownModels } from '../run/door/layer.ts';
import { textBytesOf } from '../run/door/window.ts';
import type { EventBody, EventListener } from '../run/events.ts';
import { isSmall } from '../run/model-capabilities.ts';
import { extendRoster, modelName, type Roster } from '../run/roster.ts';
import { createEmitter } from '../run/run-events.ts';
import { type RunCalls, runLimitsOf, startCalls, startRun } from '../run/start.ts';
import { providerWithoutSecrets } from '../run/without-secrets.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import { chooseRetriever, createTextRetriever } from './choose-retriever.ts';
import type { Gathered } from './gather.ts';
import { measureRun } from './measure-run.ts';
import type { ChosenModels } from './models/choose-provider.ts';
import { openArchives } from './open-archives.ts';
import { type RunPlan, resumedOf, usedByNow } from './run-plan.ts';
import { withinTime } from './within-time.ts';

/** The default call limit if calls cost nothing. It is the largest value that `budget.maxCalls` may have. */
const mostFreeCalls = 10_000;

/** The highest temperature for small models, which are right more often at low temperatures. */
const smallTemperature = 0.2;

function temperaturesFor({ settings, origins }: Configuration, { models }: ChosenModels): Settings['temperatures'] {
  const { temperatures } = settings;
  if (!models.every(({ info }) => info.spends !== 'nothing' && isSmall(info))) return temperatures;
  const unset = answeringPrompts.filter((prompt) => origins.get(`temperatures.${prompt}`) === shippedOrigin);
  const low = unset.map((prompt) => [prompt, Math.min(temperatures[prompt], smallTemperature)]);
  return { ...temperatures, ...Object.fromEntries(low) };
}

/**
 * Returns the settings of a run. Lowers temperatures for small models, and raises the call limit if calls cost nothing,
 * but changes no value that the user configured.
 */
export function settingsFor(configuration: Configuration, chosen: ChosenModels): Settings {
  const { origins } = configuration;
  const settings = { ...configuration.settings, temperatures: temperaturesFor(configuration, chosen) };
  const isFree = chosen.models.every(({ info }) => info.spends === 'nothing');
  if (!isFree || origins.get('budget.maxCalls') !== shippedOrigin) return settings;
  return { ...settings, budget: { ...settings.budget, maxCalls: mostFreeCalls } };
}

async function checkTools({ tools: { allow } }: Settings, role: Role | null): Promise<void> {
  if (allow === null && !role?.tools) return;
  const { checkToolNames } = await import('../tools/index.ts');
  checkToolNames(allow ?? [], 'setting tools.allow');
  checkToolNames(role?.tools ?? [], role?.path ?? '');
}

const withTools = (settings: Settings, role: Role | null): Settings => ({
  ...settings,
  tools: { ...settings.tools, allow: settings.tools.allow ?? (role?.tools ? [...role.tools] : null) },
});

const isAddress = (path: string) => /^https?:\/\//i.test(path);

function createFileOpener(
  cwd: string,
  paths: readonly string[],
  { tools }: Settings,
): () => Promise<FileAccess | null> {
  const named = paths.filter((path) => path !== '-' && !isAddress(path));
  const roots = [...new Set([...named, ...tools.roots])];
  let opened: Promise<FileAccess | null> | null = null;
  async function open() {
    if (roots.length === 0) return null;
    const { createFileAccess } = await import('../tools/files/walls/file-access.ts');
    return createFileAccess(roots, { cwd, unguarded: tools.readIgnored });
  }
  return () => {
    opened ??= open();
    return opened;
  };
}

function unheardRole(role: Role | null, { models }: ChosenModels): string[] {
  if (role === null || models.some(({ info }) => info.spends !== 'nothing')) return [];
  const name = role.name === '' ? '--system' : `the role ${role.name}`;
  return [`${name} is for language models; ${models[0].provider.name} ignores it`];
}

function idleFlags({ configuration: { settings, origins } }: RunPlan, { chosen: { models } }: Gathered): string[] {
  const { strategy, retrieval, embedding, visionModel } = settings;
  const hasOther = !['auto', 'off'].includes(visionModel);
  const asksModel = hasOther || models.some(({ info }) => info.spends !== 'nothing');
  const mayBeAsked = (by: string) =>
    hasOther || embedding.model !== null || models.some(({ provider }) => provider.name === by);
  const whyIdle = ({ model, provider, strategies, retrieval: modes }: NonNullable<Setting<unknown>['needs']>) => {
    if (model && !asksModel) return `${models[0].provider.name} is no language model`;
    if (provider && !mayBeAsked(provider)) return `no model of ${provider} is asked`;
    if (strategies && !strategies.includes(strategy)) return `the strategy is ${strategy}`;
    return modes && !modes.includes(retrieval.mode) ? `retrieval is ${retrieval.mode}` : null;
  };
  return [...settingsByKey].flatMap(([key, { needs }]) => {
    const flag = origins.get(key);
    const why = flag?.startsWith('--') && needs !== null ? whyIdle(needs) : null;
    return why === null ? [] : [`${flag} has no effect: ${why}`];
  });
}

function factsOf(plan: RunPlan, { chosen, text, role }: Gathered, runId: string, templates: Templates): RunFacts {
  const { task, earlier, cwd, written, configuration, partOf } = plan;
  const { givenCount, store, pending } = text.inputs;
  const { provider, info: model } = chosen.models[0];
  return {
    ...{ runId, task, earlier, cwd, paths: text.paths, written, index: text.asked?.name ?? null },
    ...{ given: givenCount, store, scans: pending?.scans ?? [], configuration, templates, role },
    ...{ provider: provider.name, model, routing: chosen.routing, ...(partOf && { partOf }) },
  };
}

/** Returns the maximum that a run can spend. Null if no model costs money, or a price is unknown. */
function mostOf({ models }: Roster, settings: Settings) {
  const { usd, ...most } = mostSpent(settings.budget.maxCalls, models, settings);
  return usd === null || models.every(({ info }) => info.spends !== 'money') ? null : { ...most, usd };
}

function startEvent(
  plan: RunPlan,
  { provider, model, store, scans }: RunFacts,
  settings: Settings,
  { index, fits, atMost }: Pick<EventBody & { type: 'run.started' }, 'index' | 'fits' | 'atMost'>,
): EventBody {
  const { documents, totalBytes: bytes } = store;
  const { fetches: _, ...limits } = runLimitsOf(settings);
  return {
    ...{ type: 'run.started', task: plan.task, provider, model: model.model },
    ...{ documents: documents.length + scans.length, bytes, index, fits },
    ...{ recordedCalls: resumedOf(plan)?.taken.calls.length ?? 0, atMost, limits },
  };
}

/** Returns warnings about unknown prices, except warnings that an earlier run on this machine gave. */
const unknownCosts = ({ models }: Roster, known: KnownModels): string[] =>
  models
    .filter((model) => model.price === null && model.info.spends === 'money' && !known.lacks(model, 'price'))
    .map((model) => {
      known.recordLack(model, 'price');
      const name = modelName(model);
      return `the price of ${name} is unknown; give it in the setting prices (rlm config list)`;
    });

const warningsOf = (plan: RunPlan, gathered: Gathered): [WarningCode, readonly string[]][] => [
  ['configuration', plan.configuration.warnings],
  ['input', gathered.text.inputs.warnings],
  ['model', gathered.chosen.warnings],
  ['configuration', [...unheardRole(gathered.role, gathered.chosen), ...idleFlags(plan, gathered)]],
];

/** Lets a model read the pages that are pictures. Returns an error if a limit left pages unread; else null. */
async function readScans({ text: { inputs }, library }: Gathered, calls: RunCalls): Promise<RlmError | null> {
  const { store, pending } = inputs;
  if (pending === undefined) return null;
  return (await import('./transcribe.ts')).transcribeScans({ store, pending }, library, calls);
}

/**
 * Creates a run from the gathered parts, and lets a model read the pages that are pictures. The scope closes the opened
 * resources.
 * @throws RlmError as `measureRun`, `chooseRetriever` and `openArchives` do; for an unknown tool, or a missing root of
 *   the tools.
 */
export async function createRun(
  plan: RunPlan,
  gathered: Gathered,
  { listeners, onExchange }: { readonly listeners: readonly EventListener[] } & Pick<DoorParts, 'onExchange'>,
  scope: Scope,
) {
  const { task, configuration, env, signal, record, replay, limiters = null } = plan;
  const { chosen, text, role, schema, ownPrompts } = gathered;
  const { redactor } = configuration;
  const settings = withTools(settingsFor(configuration, chosen), role);
  await checkTools(configuration.settings, role);
  const openFiles = createFileOpener(plan.cwd, text.paths, settings);
  // Throws for a missing root before anything is spent.
  if (settings.tools.roots.length > 0) await openFiles();
  const { pending } = text.inputs;
  const { store, roster, window } = await measureRun(task, settings, chosen, text.inputs, role);
  const openRetrieval = async () => {
    const fits = window.fits && (pending === undefined || textBytesOf(store) <= window.passageBytes);
    const searched = { configuration, store, index: text.index, fits };
    const retrieval = await withinTime(settings, usedByNow(plan), { signal }, ({ signal: timed }) =>
      untilAborted(chooseRetriever({ ...searched, signal: timed }), timed),
    );
    scope.add(retrieval.close);
    return retrieval;
  };
  // Opens retrieval before anything is spent, unless a model must first read pages of the text.
  const early = pending === undefined ? await openRetrieval() : null;
  const templates = ownPrompts ?? (await loadTemplates(null));
  const isReplayed = replay !== null && record === null;
  // A replay ignores what this machine knows about the model, because this knowledge could change the requests.
  const knownModels = await openKnownModels(isReplayed ? null : cacheFolder(settings, env));

  const id = resumedOf(plan)?.recorded.runId ?? plan.id;
  const emit = createEmitter(id, listeners, redactor);
  const warn: Warn = (code, message) => emit({ type: 'warning', code, message });
  const facts = factsOf(plan, gathered, id, templates);
  const { archives, recorder, writeRecording } = await openArchives(plan, facts, (message) =>
    warn('not-kept', message),
  );
  if (recorder !== null) scope.add(recorder.close);
  const extent = { index: gathered.text.asked, fits: window.fits, atMost: mostOf(roster, settings) };
  emit(startEvent(plan, facts, settings, extent));
  for (const [code, messages] of warningsOf(plan, gathered)) for (const message of messages) warn(code, message);
  for (const message of unknownCosts(roster, knownModels)) warn('cost', message);

  const redacted = extendRoster(roster, (model) => ({
    ...model,
    provider: providerWithoutSecrets(model.provider, redactor),
  }));
  const taken = resumedOf(plan)?.taken;
  const calls = startCalls({
    ...{ id, settings, roster: redacted, templates, role, schema, archives },
    ...{ knownModels, limiters, signal, emit, redactor, onExchange },
    ...{ usedMs: usedByNow(plan), lost: taken?.lost ?? [], replied: taken?.replied ?? new Map() },
  });
  scope.add(calls.close);
  const unread = await readScans(gathered, calls);
  const { warnings, create: createRetrievers, server } = early ?? (await openRetrieval());
  for (const message of warnings) warn('search', message);
  const { run, close } = startRun(calls, {
    ...{ store, openFiles, createRetrievers, server, hasGrown: pending !== undefined },
    createPartRetriever: (part) => createTextRetriever(part),
  });
  scope.add(close);
  return { run, recorder, writeRecording, unread };
}
