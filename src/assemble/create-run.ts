/** The composition root: settings, a provider and inputs become a run. */
import { untilAborted } from '../base/abort.ts';
import { now } from '../base/clock.ts';
import { openKnownModels } from '../cache/known-models.ts';
import { cacheFolder } from '../config/folders.ts';
import { type Configuration, shippedOrigin } from '../config/layers.ts';
import type { Settings } from '../config/settings.ts';
import type { Inputs } from '../inputs/gather-inputs.ts';
import type { RunFacts } from '../journal/run-record.ts';
import { answeringPrompts } from '../prompts/index.ts';
import { loadTemplates, type Templates } from '../prompts/template.ts';
import type { Role } from '../roles/role.ts';
import type { SharedLimiters } from '../run/door/serving/crowd.ts';
import { createEmitter } from '../run/emitter.ts';
import type { EventBody, EventListener } from '../run/events.ts';
import type { Exchange } from '../run/exchange.ts';
import { extendRoster, modelName, type Roster } from '../run/roster.ts';
import type { Run } from '../run/run.ts';
import { newRunId } from '../run/run-id.ts';
import { limitsOf, startRun } from '../run/start.ts';
import { isSmall, testedOf } from '../run/up-to.ts';
import { providerWithoutSecrets } from '../run/without-secrets.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { EarlierAnswer, TaskState } from '../state.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { ChosenModels } from './choose-provider.ts';
import { chooseRetriever, createPartRetriever, type TextIndex } from './choose-retriever.ts';
import { measureRun } from './measure-run.ts';
import { type Keeping, type OpenArchives, openArchives } from './open-archives.ts';
import { withinTime } from './within-time.ts';

/** What to run. */
export interface RunRequest {
  readonly task: string;
  /** Earlier questions with their answers; empty: none. */
  readonly earlier: readonly EarlierAnswer[];
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly written: readonly string[];
  /** The index that holds the text; null: none. */
  readonly indexName: string | null;
  readonly configuration: Configuration;
  readonly chosen: ChosenModels;
  readonly inputs: Inputs;
  /** Made of the inputs while they were read; null: not begun. */
  readonly index: TextIndex | null;
  /** Null for the shipped ones. */
  readonly ownPrompts: Templates | null;
  /** What models are told to be; null: nothing. */
  readonly role: Role | null;
  /** The form that the answer is asked for in; null: prose. */
  readonly schema: AnswerSchema | null;
  readonly signal: AbortSignal;
  /** On the program's clock, in ms: reading counts, too. */
  readonly startedAt: number;
  readonly listeners: readonly EventListener[];
  /** Told every request with its reply; null: nobody reads them. */
  readonly onExchange: ((exchange: Exchange) => void) | null;
  readonly keeping: Keeping;
  /** Limiters that the run shares with others; null: it has its own alone. */
  readonly limiters: SharedLimiters | null;
}

/** A run that is ready to go. */
export interface CreatedRun extends Pick<OpenArchives, 'recorder' | 'writeRecording'> {
  readonly run: Run;
  readonly state: TaskState;
  readonly provider: string;
  readonly model: string;
  /** Time that earlier sessions of the run have used, in ms. */
  readonly usedMs: number;
  close(): void;
}

/** The most that the setting allows. */
const callsThatCostNothing = 10_000;

/** Small models answer rightly more often when they choose their words less freely. */
const smallTemperature = 0.2;

/** The temperatures of a run: where all models are small, those of answers are low unless somebody has set them. */
function temperaturesFor({ settings, origins }: Configuration, { models }: ChosenModels): Settings['temperatures'] {
  const { temperatures } = settings;
  if (!models.every(({ info }) => info.spends !== 'nothing' && isSmall(testedOf(info)))) return temperatures;
  const unset = answeringPrompts.filter((prompt) => origins.get(`temperatures.${prompt}`) === shippedOrigin);
  const low = unset.map((prompt) => [prompt, Math.min(temperatures[prompt], smallTemperature)]);
  return { ...temperatures, ...Object.fromEntries(low) };
}

/** The settings of a run: calls that all cost nothing have no limit but one that somebody has set. */
export function settingsFor(configuration: Configuration, chosen: ChosenModels): Settings {
  const { origins } = configuration;
  const settings = { ...configuration.settings, temperatures: temperaturesFor(configuration, chosen) };
  const isFree = chosen.models.every(({ info }) => info.spends === 'nothing');
  if (!isFree || origins.get('budget.maxCalls') !== shippedOrigin) return settings;
  return { ...settings, budget: { ...settings.budget, maxCalls: callsThatCostNothing } };
}

/** Names of tools that the user allows; they are looked up only where some were named. */
async function checkTools({ tools: { allow } }: Settings, role: Role | null): Promise<void> {
  if (allow === null && !role?.tools) return;
  const { checkToolNames } = await import('../tools/index.ts');
  checkToolNames(allow ?? [], 'setting tools.allow');
  checkToolNames(role?.tools ?? [], role?.path ?? '');
}

/** A role says which tools are used where the user does not. */
const withTools = (settings: Settings, role: Role | null): Settings => ({
  ...settings,
  tools: { ...settings.tools, allow: settings.tools.allow ?? (role?.tools ? [...role.tools] : null) },
});

const isAddress = (path: string) => /^https?:\/\//i.test(path);

/** Opens what tools may read: the paths that are asked about, and the roots of the settings. */
function createFileOpener({ cwd, paths }: RunRequest, { tools }: Settings): () => Promise<FileAccess | null> {
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

/** Without a language model there is nobody to play a role. */
const unheardRole = (role: Role | null, { models }: ChosenModels): string[] =>
  role !== null && models.every(({ info }) => info.spends === 'nothing')
    ? [`the role ${role.name} is for language models; ${models[0].provider.name} takes no notice of it`]
    : [];

/** A run that goes on keeps its name, and what it has used. */
function beginningOf({ journal }: Keeping) {
  if (journal.kind !== 'resumed') return { runId: newRunId(), usedMs: 0, recordedCalls: 0 };
  const { taken, recorded } = journal;
  return { runId: recorded.runId, usedMs: taken.usedMs, recordedCalls: taken.calls.length };
}

/** What a record of the run says of it. */
function factsOf(request: RunRequest, runId: string, templates: Templates): RunFacts {
  const { task, earlier, cwd, paths, written, indexName, configuration, chosen, inputs, role } = request;
  const about = {
    runId,
    task,
    earlier,
    cwd,
    paths,
    written,
    index: indexName,
    given: inputs.given,
    store: inputs.store,
  };
  const { provider, info } = chosen.models[0];
  return { ...about, configuration, templates, role, provider: provider.name, model: info, routing: chosen.routing };
}

function startEvent(
  { task, chosen, inputs: { store } }: RunRequest,
  settings: Settings,
  fits: boolean,
  recordedCalls: number,
): EventBody {
  const { provider, info } = chosen.models[0];
  const { documents, totalBytes: bytes } = store;
  const asked = { task, provider: provider.name, model: info.model };
  const { calls, tokens, usd, wallTimeMs } = limitsOf(settings);
  const limits = { calls, tokens, usd, wallTimeMs };
  return { type: 'run.started', ...asked, documents: documents.length, bytes, fits, recordedCalls, limits };
}

/** Without a price no sum is told, which is not to be taken for nothing. */
const unknownCosts = ({ models }: Roster): string[] =>
  models
    .filter(({ price, info }) => price === null && info.spends === 'money')
    .map((model) => {
      const name = modelName(model);
      const price = `"prices": {"${name}": {"input": 1, "output": 5}}`;
      return `what ${name} costs is unknown, as its price is not known; set it in your own configuration, 0 for nothing: ${price} (USD per million tokens)`;
    });

const warningsOf = ({ configuration, chosen, inputs, role }: RunRequest): string[] => [
  ...configuration.warnings,
  ...inputs.warnings,
  ...chosen.models.flatMap(({ warnings }) => warnings),
  ...unheardRole(role, chosen),
];

/**
 * Makes a run of a provider that can serve and the inputs.
 * @throws RlmError when there is no text where text is needed, when the question is too long, when a prompt file is
 *   wrong, when passages cannot be found in the way that is asked for, when a search server does not serve, or when a
 *   run that should go on has changed.
 */
export async function createRun(request: RunRequest): Promise<CreatedRun> {
  const { task, configuration, chosen, inputs, index, keeping, role, signal } = request;
  const settings = withTools(settingsFor(configuration, chosen), role);
  await checkTools(configuration.settings, role);
  const openFiles = createFileOpener(request, settings);
  // A root that is not there is told before anything is spent.
  if (settings.tools.roots.length > 0) await openFiles();
  const { store, roster, window } = await measureRun(task, settings, chosen, inputs.store, role);
  const text = { store, index, fits: window.fits };
  const usedBefore = beginningOf(keeping).usedMs - request.startedAt;
  const retrieval = await withinTime(settings, usedBefore + now(), { signal }, ({ signal: timed }) =>
    untilAborted(chooseRetriever({ configuration, ...text, env: keeping.env, signal: timed }), timed),
  );
  const templates = request.ownPrompts ?? (await loadTemplates(null));
  // What a recording is asked does not go by what is known of the model here.
  const knownModels = await openKnownModels(keeping.replay === null ? cacheFolder(settings, keeping.env) : null);

  const { runId, usedMs, recordedCalls } = beginningOf(keeping);
  const emit = createEmitter(runId, request.listeners, configuration.redactor);
  const warn = (message: string) => emit({ type: 'warning', message });
  const facts = factsOf(request, runId, templates);
  const { archives, recorder, writeRecording } = await openArchives(request, facts, warn);
  emit(startEvent(request, settings, window.fits, recordedCalls));
  for (const message of [...warningsOf(request), ...unknownCosts(roster), ...retrieval.warnings]) warn(message);

  const started = startRun({
    id: runId,
    settings,
    store,
    createRetrievers: retrieval.create,
    openFiles,
    createPartRetriever,
    server: retrieval.server,
    roster: extendRoster(roster, (model) => ({
      ...model,
      provider: providerWithoutSecrets(model.provider, configuration.redactor),
    })),
    templates,
    role,
    schema: request.schema,
    archives,
    knownModels,
    limiters: request.limiters,
    usedMs: usedBefore + now(),
    signal,
    emit,
    redactor: configuration.redactor,
    onExchange: request.onExchange,
  });
  const close = () => {
    started.close();
    retrieval.close();
  };
  const state = { task, earlier: request.earlier, documents: store.documents };
  const { provider, model } = facts;
  return { ...started, close, state, provider, model: model.model, usedMs, recorder, writeRecording };
}
