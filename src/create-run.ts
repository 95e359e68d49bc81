/** The composition root: settings, a provider and inputs become a run. */

import { createDiskCache } from './cache/disk-cache.ts';
import { openAbilities } from './cache/kept-abilities.ts';
import type { ChosenModels } from './choose-provider.ts';
import { chooseRetriever, createTextIndex, type TextIndex } from './choose-retriever.ts';
import { cacheFolder, runsFolder, stateFolder } from './config/folders.ts';
import { type Configuration, type Environment, shippedOrigin } from './config/layers.ts';
import type { Settings } from './config/settings.ts';
import type { Inputs } from './context/gather-inputs.ts';
import { windowsOf } from './context/windows.ts';
import { type Cassette, createCassetteRecorder, createReplayArchive } from './journal/cassette.ts';
import { type Recorder, recordNewRun, recordResumedRun, type TakenRun } from './journal/recorder.ts';
import type { RunRecord } from './journal/records.ts';
import { changedRun, changesSince, createRunRecord, nameWithheld, type RunFacts } from './journal/run-record.ts';
import { measureRun } from './measure-run.ts';
import { loadTemplates, type Templates } from './prompts/template.ts';
import type { Role } from './roles/role.ts';
import { createEmitter } from './run/emitter.ts';
import type { EventListener } from './run/events.ts';
import { extendRoster } from './run/roster.ts';
import type { Run } from './run/run.ts';
import { newRunId } from './run/run-id.ts';
import { startRun } from './run/start.ts';
import { archiveWithoutSecrets, providerWithoutSecrets } from './run/without-secrets.ts';
import type { TaskState } from './state.ts';
import type { FileAccess } from './tools/files/file-access.ts';

/** How a run is recorded: not at all, as a new one, or as one that goes on. */
type RunJournal =
  | { readonly kind: 'none' }
  | { readonly kind: 'new' }
  | {
      readonly kind: 'resumed';
      readonly taken: TakenRun;
      readonly recorded: RunRecord;
      /** Whether it goes on although something has changed. */
      readonly force: boolean;
    };

/** Where a run's calls are kept, and come from. */
export interface Keeping {
  readonly journal: RunJournal;
  /** File that a recording of the run is written to; null: none. */
  readonly record: string | null;
  /** A recording that replies in place of a model; null: none. */
  readonly replay: { readonly cassette: Cassette; readonly path: string } | null;
  readonly env: Environment;
}

/** What to run. */
export interface RunRequest {
  readonly task: string;
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
  readonly signal: AbortSignal;
  readonly listeners: readonly EventListener[];
  readonly keeping: Keeping;
}

/** A run that is ready to go. */
export interface CreatedRun {
  readonly run: Run;
  readonly state: TaskState;
  readonly provider: string;
  readonly model: string;
  /** Time that earlier sessions of the run have used, in ms. */
  readonly usedMs: number;
  /** Null when the run is not recorded. */
  readonly recorder: Recorder | null;
  /** Writes the recording that was asked for. Throws RlmError `output-unwritable`. */
  writeRecording(): Promise<void>;
  close(): void;
}

/** The most that the setting allows. */
const callsThatCostNothing = 10_000;

/** Names of tools that the user allows; they are looked up only where some were named. */
async function checkTools({ tools: { allow } }: Settings, role: Role | null): Promise<void> {
  if (allow === null && !role?.tools) return;
  const { checkToolNames } = await import('./tools/index.ts');
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
    const { createFileAccess } = await import('./tools/files/file-access.ts');
    return createFileAccess(roots, { cwd, unguarded: tools.readIgnored });
  }
  return () => {
    opened ??= open();
    return opened;
  };
}

/** The settings of a run: calls that all cost nothing have no limit but one that somebody has set. */
export function settingsFor({ settings, origins }: Configuration, { models }: ChosenModels): Settings {
  const isFree = models.every(({ info }) => info.spends === 'nothing');
  if (!isFree || origins.get('budget.maxCalls') !== shippedOrigin) return settings;
  return { ...settings, budget: { ...settings.budget, maxCalls: callsThatCostNothing } };
}

/** Without a language model there is nobody to play a role. */
const unheardRole = (role: Role | null, { models }: ChosenModels): string[] =>
  role !== null && models.every(({ info }) => info.spends === 'nothing')
    ? [`the role ${role.name} is for language models; ${models[0].provider.name} takes no notice of it`]
    : [];

/** A run of which something is withheld keeps its calls, but cannot go on. */
function openNewRecorder(request: RunRequest, facts: RunFacts, warn: (message: string) => void): Recorder {
  const { keeping, configuration, inputs } = request;
  let isWhole = true;
  const describe = async () => {
    const record = await createRunRecord(facts);
    const { withheld = [] } = record;
    isWhole = withheld.length === 0;
    if (!isWhole) warn(`this run cannot be resumed: ${nameWithheld(withheld)}`);
    const given = Array.from({ length: inputs.given }, (_, document) => windowsOf(inputs.store, document));
    return { record, texts: isWhole ? given : [] };
  };
  const runs = runsFolder(stateFolder(configuration.settings, keeping.env));
  const recorder = recordNewRun(runs, facts.runId, describe, warn);
  return { ...recorder, isSound: async () => (await recorder.isSound()) && isWhole };
}

/** Records the run as asked. Throws `run-changed` when a resumed run is not what it was. */
async function openRecorder(
  request: RunRequest,
  facts: RunFacts,
  warn: (message: string) => void,
): Promise<Recorder | null> {
  const { journal } = request.keeping;
  if (journal.kind === 'none') return null;
  if (journal.kind === 'new') return openNewRecorder(request, facts, warn);
  const { taken, recorded, force } = journal;
  const record = await createRunRecord(facts);
  const changes = changesSince(recorded, record);
  if (changes.length > 0 && !force) throw changedRun(facts.runId, changes);
  return recordResumedRun(taken, changes.length > 0 ? record : null, warn);
}

/** All places where the run's calls are kept and found, in the order in which they are looked at. */
async function openArchives(request: RunRequest, facts: RunFacts, warn: (message: string) => void) {
  const { record, replay, env } = request.keeping;
  const { settings } = request.configuration;
  const recorder = await openRecorder(request, facts, warn);
  const recording = record === null ? null : createCassetteRecorder(record, () => createRunRecord(facts));
  const { cache } = settings;
  // What a recording says is not what a model said: it stays out of the cache.
  const isCached = cache.enabled && replay === null;
  const archives = [
    recorder?.archive,
    replay && createReplayArchive(replay.cassette, replay.path),
    recording?.archive,
    isCached ? createDiskCache(cacheFolder(settings, env), cache.maxBytes, warn) : null,
  ];
  const writeRecording = async () => recording?.write();
  const kept = archives
    .filter((archive) => archive != null)
    .map((archive) => archiveWithoutSecrets(archive, request.configuration.redactor));
  return { recorder, writeRecording, archives: kept };
}

/**
 * Makes a run of a provider that can serve and the inputs.
 * @throws RlmError when there is no text where text is needed, when the question is too long, when a prompt file is
 *   wrong, when passages cannot be found in the way that is asked for, when a search server does not serve, or when a run
 *   that should go on has changed.
 */
export async function createRun(request: RunRequest): Promise<CreatedRun> {
  const { task, configuration, chosen, inputs, index, keeping, role } = request;
  const settings = withTools(settingsFor(configuration, chosen), role);
  await checkTools(configuration.settings, role);
  const openFiles = createFileOpener(request, settings);
  // A root that is not there is told before anything is spent.
  if (settings.tools.roots.length > 0) await openFiles();
  const { store, roster, window } = await measureRun(task, settings, chosen, inputs.store, role);
  const { fits } = window;
  const { provider, info } = chosen.models[0];
  const retrieval = await chooseRetriever({
    configuration,
    store,
    index,
    fits,
    env: keeping.env,
    signal: request.signal,
  });
  const templates = request.ownPrompts ?? (await loadTemplates(null));
  // What a recording is asked does not go by what is known of the model here.
  const abilities = await openAbilities(keeping.replay === null ? cacheFolder(settings, keeping.env) : null);

  const resumed = keeping.journal.kind === 'resumed' ? keeping.journal : null;
  const runId = resumed?.recorded.runId ?? newRunId();
  const emit = createEmitter(runId, request.listeners, configuration.redactor);
  const warn = (message: string) => emit({ type: 'warning', message });
  const { cwd, paths, written, indexName } = request;
  const about = { runId, task, cwd, paths, written, index: indexName, given: inputs.given };
  const asked = { ...about, store, configuration, templates, role };
  const facts = { ...asked, provider: provider.name, model: info, routing: chosen.routing };
  const { archives, recorder, writeRecording } = await openArchives(request, facts, warn);
  emit({
    type: 'run.started',
    task,
    provider: provider.name,
    model: info.model,
    documents: store.documents.length,
    bytes: store.totalBytes,
    fits,
    recordedCalls: resumed?.taken.calls.length ?? 0,
  });
  const notices = chosen.models.flatMap(({ warnings }) => warnings);
  for (const message of [
    ...configuration.warnings,
    ...inputs.warnings,
    ...notices,
    ...unheardRole(role, chosen),
    ...retrieval.warnings,
  ])
    warn(message);

  const usedMs = resumed?.taken.usedMs ?? 0;
  const started = startRun({
    id: runId,
    settings,
    store,
    createRetrievers: retrieval.create,
    openFiles,
    createPartRetriever: createTextIndex,
    server: retrieval.server,
    roster: extendRoster(roster, (model) => ({
      ...model,
      provider: providerWithoutSecrets(model.provider, configuration.redactor),
    })),
    templates,
    role,
    archives,
    abilities,
    usedMs,
    signal: request.signal,
    emit,
  });
  const state = { task, documents: store.documents };
  const close = () => {
    started.close();
    retrieval.close();
  };
  return { ...started, close, state, provider: provider.name, model: info.model, usedMs, recorder, writeRecording };
}
