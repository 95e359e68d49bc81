import { readdirSync } from 'node:fs';
import { chooseEmbedder, inspectEmbedder } from '../../assemble/choose-vectors.ts';
import {
  candidatesFor,
  createProvider,
  hasSeveral,
  isPassedOver,
  settleProvider,
} from '../../assemble/models/choose-provider.ts';
import { withDeadline } from '../../base/abort.ts';
import { errnoOf, makeFolder } from '../../base/files/system.ts';
import { counted } from '../../base/text.ts';
import { readKnownModel } from '../../cache/known-models.ts';
import { cacheFolder, modelsFolder, stateFolder } from '../../config/folders.ts';
import { type Configuration, type ConfigurationSources, loadConfiguration } from '../../config/layers.ts';
import { shownSetting, withoutLogin } from '../../config/login.ts';
import type { ModelReference } from '../../config/model-reference.ts';
import { autoProviders, preferredProvider, providerNames, providerTraitsOf } from '../../config/provider-traits.ts';
import { serverOf } from '../../config/servers.ts';
import { type ErrorInfo, kindOf, lateError, RlmError, toRlmError } from '../../errors.ts';
import { loadTemplates } from '../../prompts/template.ts';
import type { ModelSummary } from '../../providers/provider.ts';
import { findPrice } from '../../run/door/prices.ts';
import { strategiesFor } from '../../run/model-capabilities.ts';
import { modelName } from '../../run/roster.ts';

const canChat = ({ capabilities }: ModelSummary): boolean =>
  capabilities.length === 0 || capabilities.includes('completion');

const reports = ({ capabilities }: ModelSummary, ability: string): boolean | null =>
  capabilities.length === 0 ? null : capabilities.includes(ability);

function reportModels({ name: provider, survey, info }: ProviderLook, { settings, env }: Configuration) {
  const folder = cacheFolder(settings, env);
  return Promise.all(
    (survey?.models ?? []).map(async (model) => {
      const known = await readKnownModel(folder, { name: `${provider}/${model.name}`, digest: null });
      const spends = info?.spends ?? 'tokens';
      const tools = known.lacks.includes('tools') ? false : reports(model, 'tools');
      const structuredOutput = (info?.structuredOutput ?? true) && !known.lacks.includes('structuredOutput');
      const can = { tools: tools ?? info?.tools ?? true, structuredOutput };
      const tested = { ...model, ...can, model: model.name, maxWindowTokens: model.windowTokens };
      return {
        ...model,
        provider,
        /** Null if not reported. */
        tools,
        thinking: reports(model, 'thinking'),
        structuredOutput,
        /** In USD per million tokens; null if unknown. */
        price: (await findPrice(provider, { model: model.name, spends }, settings.prices))?.price ?? null,
        jobs: canChat(model) ? [...strategiesFor(tested)] : [],
        /** Tokens per second in earlier runs on this machine. Null when not measured. */
        speed: known.speed,
        /** Whether this model would answer a question now. */
        isChosen: info?.model === model.name,
      };
    }),
  );
}

export type ReportedModel = Readonly<Awaited<ReturnType<typeof reportModels>>[number]>;

interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** The fix, usually a command; empty if none is needed or known. */
  readonly fix: string;
}

const checkMs = 5_000;

const sound = (name: string, message: string): DoctorCheck => ({ name, state: 'ok', message, fix: '' });

const notesOf = (name: string, notices: readonly string[]): DoctorCheck[] =>
  notices.map((message) => ({ name, state: 'note', message, fix: '' }));

const problem = (name: string, { message, hint }: Pick<ErrorInfo, 'message' | 'hint'>): DoctorCheck => ({
  ...{ name, state: 'problem', message, fix: hint },
});

async function attemptCheck<T>(work: () => Promise<T>): Promise<{ value: T | null; error: ErrorInfo | null }> {
  try {
    return { value: await work(), error: null };
  } catch (thrown) {
    return { value: null, error: toRlmError(thrown).toInfo() };
  }
}

function within<T>(name: string, setting: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const check = setting === null ? '' : `Check that the server runs, and check its address: rlm config get ${setting}`;
  return withDeadline(checkMs, () => lateError(name, checkMs, check), new AbortController().signal, work);
}

function nodeCheck(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const message = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (major > 20 || (major === 20 && minor >= 20)) return sound('node', message);
  return problem('node', { message, hint: 'Install Node 20.20 or later.' });
}

function configurationChecks({ files, warnings, values, origins }: Configuration): DoctorCheck[] {
  const found = files.filter((file) => file.found && file.role !== 'shipped defaults').map(({ path }) => path);
  const own = [...origins].filter(([, origin]) => origin !== 'shipped defaults');
  const shown = (key: string) => JSON.stringify(shownSetting(key, values.get(key)));
  const set = own.map(([key, origin]) => `${key}=${shown(key)} (${origin})`);
  const message = `${found.join(', ') || 'shipped defaults only'}${set.length > 0 ? `; set: ${set.join(', ')}` : ''}`;
  return [sound('configuration', message), ...notesOf('configuration', warnings)];
}

function stateChecks({ settings, env }: Configuration): DoctorCheck[] {
  const folder = stateFolder(settings, env);
  try {
    makeFolder(folder);
    return [];
  } catch (error) {
    const message = `${folder} cannot be created (${errnoOf(error)}): no run is recorded, and no index can be created`;
    return [{ name: 'state folder', state: 'note', message, fix: 'Name another folder: export RLM_HOME=FOLDER.' }];
  }
}

async function promptsCheck({ settings }: Configuration): Promise<DoctorCheck> {
  const { error } = await attemptCheck(() => loadTemplates(settings.prompts));
  return error ? problem('prompts', error) : sound('prompts', settings.prompts ?? 'the shipped prompts');
}

async function searchCheck(configuration: Configuration): Promise<DoctorCheck[]> {
  const { server } = configuration.settings.retrieval;
  if (server === null) return [];
  const { findServer } = await import('../../assemble/choose-retriever.ts');
  const open = (signal: AbortSignal) => findServer(server, { configuration, signal });
  const { value, error } = await attemptCheck(() => within('the search server', 'retrieval.server', open));
  if (error !== null) return [problem(error.code === 'config-invalid' ? 'configuration' : 'search', error)];
  return [sound('search', `${value!.about}, ${counted(value!.passages, 'passage')}`)];
}

async function embeddingChecks(configuration: Configuration): Promise<DoctorCheck[]> {
  const { mode } = configuration.settings.retrieval;
  const name = 'embedding';
  const { value: embedder, error } = await attemptCheck(() => chooseEmbedder(configuration));
  if (error) return [problem(name, error)];
  if (embedder === null) return [];
  const { signal } = new AbortController();
  const inspected = await attemptCheck(() => inspectEmbedder(embedder, checkMs, signal));
  if (inspected.error) {
    // In the modes `auto` and `lexical`, search works without vectors. In the other modes, it does not work at all.
    const state = ['auto', 'lexical'].includes(mode) ? 'note' : 'problem';
    return [{ ...problem(name, inspected.error), state }];
  }
  const message = `model ${embedder.model} of ${embedder.name} at ${embedder.address}; retrieval is ${mode}`;
  return [sound(name, message), ...notesOf(name, inspected.value?.notices ?? [])];
}

async function routingChecks(configuration: Configuration) {
  if (!hasSeveral(configuration.settings)) return { checks: [], main: null };
  const { chooseModels } = await import('../../assemble/models/choose-models.ts');
  const { signal } = new AbortController();
  const given = { main: undefined, named: {} };
  const { value, error } = await attemptCheck(() => chooseModels(configuration, given, signal));
  if (error !== null) return { checks: [problem('models', error)], main: null };
  const [answer, below] = [0, 1].map((depth) => value!.modelsFor('answer', depth).map(modelName));
  const standIns = answer!.length > 1 ? `; ${answer!.slice(1).join(', ')} would take over if a model fails` : '';
  const message = `${answer![0]} answers at the root, ${below![0]} below it${standIns}`;
  return { checks: [sound('models', message)], main: value!.modelsFor('answer', 0)[0]! };
}

/** Returns the model to look for at a provider; null if the setting names no model of this provider. */
function modelAt(name: string, { provider, model }: ModelReference): string | null {
  const isAutomatic = ['auto', ...autoProviders].includes(provider ?? '');
  return provider === name || (name === preferredProvider && isAutomatic) ? model : null;
}

const notAsked = (name: string, keyName: string | null): ErrorInfo =>
  new RlmError('provider-unreachable', 'not set up, so it was not asked', {
    hint: keyName === null ? '' : `To use it: export ${keyName}=…, then: rlm ask "…" --model ${name}`,
  }).toInfo();

async function lookAt(name: string, wanted: ModelReference, configuration: Configuration) {
  const server = serverOf(name, configuration.settings, configuration.env);
  const { mayBeAsked, keyName, setting } = server;
  /** `address` is null for a provider without a server; `hasKey` is null for a provider that needs no key. */
  const address = server.address && withoutLogin(server.address);
  const about = { name, address, hasKey: keyName === null ? null : server.hasKey };
  if (!mayBeAsked) return { ...about, info: null, survey: null, error: notAsked(name, keyName) };
  const reference = { provider: name, model: modelAt(name, wanted) };
  const made = await attemptCheck(() => createProvider(configuration, reference));
  const provider = made.value;
  if (provider === null) return { ...about, info: null, survey: null, error: made.error };
  const [inspected, surveyed] = await Promise.all([
    attemptCheck(() => within(name, setting, (signal) => provider.inspect(signal))),
    attemptCheck(async () => (provider.survey ? within(name, setting, (signal) => provider.survey!(signal)) : null)),
  ]);
  return { ...about, info: inspected.value, survey: surveyed.value, error: inspected.error };
}

type ProviderLook = Awaited<ReturnType<typeof lookAt>>;

function providerChecks({ name, info, survey, error }: ProviderLook, isNeeded: boolean): DoctorCheck[] {
  const server = survey ? [`${survey.version ? `version ${survey.version} ` : ''}answers at ${survey.address}`] : [];
  if (info === null) {
    const message = [...server, error?.message ?? 'not available'].join('; ');
    const fix = error?.hint.replace(' To check the server: rlm doctor', '') ?? '';
    const isProblem = isNeeded || (error !== null && !isPassedOver(error));
    return [{ name, state: isProblem ? 'problem' : 'note', message, fix }];
  }
  const window = info.answersWithoutText
    ? `model ${info.model}, window up to ${counted(info.maxWindowTokens, 'token')}`
    : 'ready; needs no model';
  return [sound(name, [...server, window].join('; ')), ...notesOf(name, info.notices)];
}

function answerer(candidates: readonly string[], looks: readonly ProviderLook[]) {
  let error: ErrorInfo | null = null;
  for (const name of candidates) {
    const found = looks.find((look) => look.name === name);
    if (found?.info) return { answersWith: name, error: null };
    error = found?.error ?? null;
    if (error && !isPassedOver(error)) break;
  }
  return { answersWith: null, error };
}

/** A model with 1.5 billion weights under a permissive licence (Apache 2.0). */
const smallFile = 'hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m.gguf';

function hasModelFile({ settings, env }: Configuration): boolean {
  try {
    const names = readdirSync(modelsFolder(stateFolder(settings, env)));
    return names.some((name) => name.endsWith('.gguf') && !name.startsWith('.'));
  } catch {
    return false;
  }
}

function suggest(
  models: readonly ReportedModel[],
  answersWith: string | null,
  hasOllama: boolean,
  configuration: Configuration,
): string[] {
  const { settings } = configuration;
  const local = models.filter(({ provider, jobs }) => provider === preferredProvider && jobs.length > 0);
  const isAnswered = answersWith !== null && providerTraitsOf(answersWith)?.asksModel !== false;
  const largest = local.toSorted((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0))[0];
  const other = isAnswered ? local.find(({ isChosen }) => !isChosen) : undefined;
  return [
    ...(largest && !isAnswered
      ? [`rlm ask "…" --model ${largest.name}: an installed model (or: export RLM_MODEL=${largest.name})`]
      : []),
    ...(hasOllama && local.length === 0 ? ['ollama pull qwen2.5-coder:14b: a model that answers on this machine'] : []),
    ...(!hasOllama && !isAnswered && !hasModelFile(configuration)
      ? [`rlm models pull ${smallFile}: a model file (1.1 GB) for a machine without Ollama`]
      : []),
    ...(other && !hasSeveral(settings)
      ? [`rlm ask "…" --recursive-model ${preferredProvider}/${other.name}: another model for the parts of a question`]
      : []),
    ...(settings.embedding.model === null
      ? ['ollama pull nomic-embed-text; rlm ask "…" --embedding-model nomic-embed-text: add search by meaning']
      : []),
    'rlm config presets: models for cost, speed or quality, among those available here',
  ];
}

async function examineAll(configuration: Configuration) {
  const wanted = settleProvider(configuration);
  const [prompts, search, embedding, routing, ...looks] = await Promise.all([
    promptsCheck(configuration),
    searchCheck(configuration),
    embeddingChecks(configuration),
    routingChecks(configuration),
    ...providerNames.map((name) => lookAt(name, wanted, configuration)),
  ]);
  const candidates = candidatesFor(wanted);
  // A provider is needed if it is the only candidate. With several candidates, another one can replace it.
  const isNeeded = ({ name }: ProviderLook) => candidates.length === 1 && candidates.includes(name);
  const reported = (await Promise.all(looks.map((look) => reportModels(look, configuration)))).flat();
  const { main } = routing;
  const found = main === null ? answerer(candidates, looks) : { answersWith: main.provider.name, error: null };
  const models = reported.map((model) => {
    const isOwn = main === null ? model.isChosen : model.name === main.info.model;
    return { ...model, isChosen: isOwn && model.provider === found.answersWith };
  });
  const hasOllama = looks.some(({ name, survey }) => name === preferredProvider && survey !== null);
  return {
    checks: [
      nodeCheck(),
      ...configurationChecks(configuration),
      ...stateChecks(configuration),
      prompts,
      ...looks.flatMap((look) => providerChecks(look, isNeeded(look))),
      ...routing.checks,
      ...embedding,
      ...search,
    ],
    providers: looks.map(({ name, address, hasKey, info }) => ({ name, address, hasKey, isReady: info !== null })),
    models,
    /** `answersWith` is the provider that would answer a question now. If no provider would, `error` says why. */
    ...found,
    next: suggest(models, found.answersWith, hasOllama, configuration),
  };
}

/** The requirements of a run, and whether each is met. */
export type DoctorReport = Readonly<Awaited<ReturnType<typeof examineAll>>>;

/** Checks what a run needs. If the configuration is wrong, checks only Node and the configuration. */
export async function examine(sources: ConfigurationSources): Promise<DoctorReport> {
  try {
    const configuration = loadConfiguration(sources);
    return configuration.redactor.value(await examineAll(configuration));
  } catch (thrown) {
    const error = toRlmError(thrown);
    if (kindOf(error) !== 'configuration') throw thrown;
    const checks = [nodeCheck(), problem('configuration', error)];
    return { checks, providers: [], models: [], answersWith: null, error: error.toInfo(), next: [] };
  }
}
