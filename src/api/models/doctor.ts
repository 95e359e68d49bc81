import { existsSync, readdirSync } from 'node:fs';
import {
  candidatesFor,
  createProvider,
  hasSeveral,
  isPassedOver,
  settleProvider,
} from '../../assemble/models/choose-provider.ts';
import { counted } from '../../base/text.ts';
import { modelsFolder, stateFolder } from '../../config/folders.ts';
import { type Configuration, type ConfigurationSources, loadConfiguration } from '../../config/layers.ts';
import { withoutLogin } from '../../config/login.ts';
import type { ModelReference } from '../../config/model-reference.ts';
import { autoProviders, preferredProvider, providerNames, providerTraitsOf } from '../../config/provider-traits.ts';
import { serverOf } from '../../config/servers.ts';
import { type ErrorInfo, kindOf, RlmError, toRlmError } from '../../errors.ts';
import type { ModelInfo, Survey } from '../../providers/provider.ts';
import {
  attemptCheck,
  configurationChecks,
  type DoctorCheck,
  embeddingChecks,
  nodeCheck,
  notesOf,
  problem,
  promptsCheck,
  routingChecks,
  searchCheck,
  sound,
  stateChecks,
  within,
} from './doctor-checks.ts';
import { type ReportedModel, reportModels } from './model-report.ts';

/** What a run needs, and what of it is there. */
export interface DoctorReport {
  readonly checks: readonly DoctorCheck[];
  readonly providers: readonly ReportedProvider[];
  readonly models: readonly ReportedModel[];
  /** Who would answer a question now; null when nobody would. */
  readonly answersWith: string | null;
  readonly error: ErrorInfo | null;
  /** What to type to get more out of the program. */
  readonly next: readonly string[];
}

/** A provider that questions may be put to. */
interface ReportedProvider {
  readonly name: string;
  /** Null where it has no server. */
  readonly address: string | null;
  /** Whether its key is there; null where it wants none. */
  readonly hasKey: boolean | null;
  readonly isReady: boolean;
}

/** What became of looking at a provider. */
interface ProviderLook {
  readonly info: ModelInfo | null;
  readonly survey: Survey | null;
  readonly error: ErrorInfo | null;
}

/** The model that is looked for at a provider: what is set is the name of one of them. */
function modelAt(name: string, { provider, model }: ModelReference): string | null {
  const isAutomatic = ['auto', ...autoProviders].includes(provider ?? '');
  return provider === name || (name === preferredProvider && isAutomatic) ? model : null;
}

const notAsked = (name: string, keyName: string | null): ErrorInfo =>
  new RlmError('provider-unreachable', 'not set up, so it was not asked', {
    hint: keyName === null ? '' : `To use it: export ${keyName}=…, then: rlm ask "…" --model ${name}`,
  }).toInfo();

async function lookAt(name: string, wanted: ModelReference, configuration: Configuration): Promise<ProviderLook> {
  const { mayBeAsked, keyName, setting } = serverOf(name, configuration.settings, configuration.env);
  if (!mayBeAsked) return { info: null, survey: null, error: notAsked(name, keyName) };
  const reference = { provider: name, model: modelAt(name, wanted) };
  const made = await attemptCheck(() => createProvider(configuration, reference));
  const provider = made.value;
  if (provider === null) return { info: null, survey: null, error: made.error };
  const [inspected, surveyed] = await Promise.all([
    attemptCheck(() => within(name, setting, (signal) => provider.inspect(signal))),
    attemptCheck(async () => (provider.survey ? within(name, setting, (signal) => provider.survey!(signal)) : null)),
  ]);
  return { info: inspected.value, survey: surveyed.value, error: inspected.error };
}

function providerChecks(name: string, isNeeded: boolean, { info, survey, error }: ProviderLook): DoctorCheck[] {
  const server = survey ? [`${survey.version ? `version ${survey.version} ` : ''}answers at ${survey.address}`] : [];
  if (info === null) {
    const message = [...server, error?.message ?? 'not available'].join('; ');
    const fix = error?.hint.replace(' To see what answers: rlm doctor', '') ?? '';
    const isProblem = isNeeded || (error !== null && !isPassedOver(error));
    return [{ name, state: isProblem ? 'problem' : 'note', message, fix }];
  }
  const window = info.answersWithoutText
    ? `model ${info.model}, window up to ${counted(info.maxWindowTokens, 'token')}`
    : 'ready; needs no model';
  return [sound(name, [...server, window].join('; ')), ...notesOf(name, info.notices)];
}

/** Who would answer now, or why nobody would. */
function answerer(
  wanted: ModelReference,
  byProvider: ReadonlyMap<string, ProviderLook>,
): Pick<DoctorReport, 'answersWith' | 'error'> {
  let error: ErrorInfo | null = null;
  for (const name of candidatesFor(wanted)) {
    const found = byProvider.get(name);
    if (found?.info) return { answersWith: name, error: null };
    error = found?.error ?? null;
    if (error && !isPassedOver(error)) break;
  }
  return { answersWith: null, error };
}

/** A model of 1.5 billion weights, whose licence (Apache 2.0) sets no bounds. */
const smallFile = 'hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m.gguf';

/** Whether a model file was downloaded. */
function hasModelFile({ settings, env }: Configuration): boolean {
  const folder = modelsFolder(stateFolder(settings, env));
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.gguf') && !name.startsWith('.'));
}

/** What a newcomer may type next, the most useful first. */
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
  const isLooked = models.some(({ provider }) => provider === preferredProvider);
  return [
    ...(largest && !isAnswered
      ? [`rlm ask "…" --model ${largest.name}: a model that is here (or: export RLM_MODEL=${largest.name})`]
      : []),
    ...(isLooked && local.length === 0 ? ['ollama pull qwen2.5-coder:14b: a model that answers on this machine'] : []),
    ...(!hasOllama && !isAnswered && !hasModelFile(configuration)
      ? [`rlm models pull ${smallFile}: a model file (1.1 GB) for a machine without Ollama`]
      : []),
    ...(other && !hasSeveral(settings)
      ? [`rlm ask "…" --recursive-model ${preferredProvider}/${other.name}: another model for the parts of a question`]
      : []),
    ...(settings.embedding.model === null
      ? ['ollama pull nomic-embed-text; rlm ask "…" --embedding-model nomic-embed-text: passages by meaning, too']
      : []),
    'rlm config presets: models for cost, speed or quality, from what there is here',
  ];
}

/** Looks at everything that a run needs. */
async function examineAll(configuration: Configuration): Promise<DoctorReport> {
  const { settings, env } = configuration;
  const wanted = settleProvider(configuration);
  const [prompts, search, embedding, routing, ...all] = await Promise.all([
    promptsCheck(configuration),
    searchCheck(configuration),
    embeddingChecks(configuration),
    routingChecks(configuration),
    ...providerNames.map((name) => lookAt(name, wanted, configuration)),
  ]);
  const byProvider = new Map(providerNames.map((name, index) => [name, all[index]!]));
  // With "auto" each of several may be missing; what is the only one must be there.
  const candidates = candidatesFor(wanted);
  const needed = candidates.length === 1 ? candidates : [];
  const checks = [...byProvider].flatMap(([name, found]) => providerChecks(name, needed.includes(name), found));
  const models = await Promise.all(
    [...byProvider].map(([name, { survey, info }]) => reportModels(name, survey?.models ?? [], info, configuration)),
  );
  const found = answerer(wanted, byProvider);
  return {
    checks: [
      nodeCheck(),
      ...configurationChecks(configuration),
      ...stateChecks(configuration),
      prompts,
      ...checks,
      ...routing.checks,
      ...embedding,
      ...search,
    ],
    providers: [...byProvider].map(([name, { info }]) => {
      const { address, keyName, hasKey } = serverOf(name, settings, env);
      const shown = address === null ? null : withoutLogin(address);
      return { name, address: shown, hasKey: keyName === null ? null : hasKey, isReady: info !== null };
    }),
    models: models
      .flat()
      .map((model) => ({ ...model, isChosen: model.isChosen && model.provider === found.answersWith })),
    ...(routing.main === null ? found : { answersWith: routing.main, error: null }),
    next: suggest(models.flat(), found.answersWith, byProvider.get(preferredProvider)?.survey != null, configuration),
  };
}

/** The report when there is no configuration to go by: the rest depends on it. */
function reportBroken(error: RlmError): DoctorReport {
  const nothing = { providers: [], models: [], answersWith: null, next: [] };
  return { ...nothing, checks: [nodeCheck(), problem('configuration', error)], error: error.toInfo() };
}

/**
 * Looks at everything that a run needs. A wrong configuration is told by the report; then nothing else is looked at.
 */
export async function examine(sources: ConfigurationSources): Promise<DoctorReport> {
  try {
    const configuration = loadConfiguration(sources);
    return configuration.redactor.value(await examineAll(configuration));
  } catch (thrown) {
    const error = toRlmError(thrown);
    if (kindOf(error) !== 'configuration') throw thrown;
    return reportBroken(error);
  }
}
