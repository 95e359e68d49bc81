import type { DoctorReport } from '../../api/models/doctor.ts';
import { configuredProvider, examineSetup, inspectModel } from '../../api/models/setup.ts';
import { isFileAddress, pullModelFile } from '../../assemble/models/pull-model-file.ts';
import { withDeadline } from '../../base/abort.ts';
import type { Configuration } from '../../config/layers.ts';
import { readReference } from '../../config/model-reference.ts';
import { providerNames, providerTraitsOf } from '../../config/provider-traits.ts';
import type { Settings } from '../../config/settings.ts';
import { type ExitCode, lateError, RlmError, toRlmError } from '../../errors.ts';
import type { ModelDetails, Provider, PullProgress } from '../../providers/provider.ts';
import { type CommandAction, chooseAction, type Invocation, textOption } from '../command.ts';
import { configured } from '../configured.ts';
import {
  createPullDisplay,
  isNamed,
  modelSize,
  renderDoctor,
  renderModel,
  renderModels,
  usesOf,
} from '../render/models.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { say, toJson } from '../terminal.ts';

interface Request extends Pulling {
  readonly settings: Settings;
  readonly name: string;
  readonly provider: Provider;
}

/** The longest wait for one request, in ms. */
const lookMs = 30_000;

/** Sends a request to the provider. Resolves to null if the provider does not support it. */
async function look<K extends 'survey' | 'inspect' | 'show'>({ name, provider, signal }: Request, what: K) {
  const late = () => lateError(name, lookMs, 'Check that the server runs: rlm doctor');
  type Found = Awaited<ReturnType<NonNullable<Provider[K]>>>;
  const work = provider[what]?.bind(provider) as ((signal: AbortSignal) => Promise<Found>) | undefined;
  return work === undefined ? null : withDeadline(lookMs, late, signal, work);
}

/**
 * Returns the model that `inspect` reports, which may be the provider's default model. If `inspect` reports none,
 * returns the configured model.
 */
async function configuredModel(request: Request): Promise<string> {
  const info = await look(request, 'inspect').catch(() => null);
  request.signal.throwIfAborted();
  return info?.model ?? request.settings.model;
}

async function list(request: Request): Promise<void> {
  const { name, provider, settings, stdout, asJson } = request;
  const [survey, model] = await Promise.all([look(request, 'survey'), configuredModel(request)]);
  const models = survey?.models ?? [];
  const isThere = models.some((one) => isNamed(one.name, model));
  if (asJson) {
    const { version = null, address = null } = survey ?? {};
    return stdout.write(toJson({ provider: name, address, version, configured: { model, isThere }, models }, 2));
  }
  stdout.write(renderModels(models, model));
  if (survey === null) say(request, `${name} does not list models`);
  else if (models.length === 0) say(request, `${name} at ${survey.address} has no models yet`);
  if (survey === null || isThere) return;
  const howToGet = provider.pull ? `; to get it: rlm models pull ${settings.model}` : '';
  say(request, `the configured model ${model} is not available${howToGet}`);
}

async function fromSurvey(request: Request, model: string): Promise<ModelDetails> {
  const survey = await look(request, 'survey').catch(() => null);
  const found = survey?.models.find(({ name }) => isNamed(name, model));
  const summary = found ?? { name: model, sizeBytes: null, capabilities: [], windowTokens: null };
  return { ...summary, family: null, parameterSize: null, quantization: null, parameters: {}, templateDigest: null };
}

async function show(request: Request): Promise<void> {
  const { name, settings, stdout, asJson } = request;
  const shownDetails = await look(request, 'show');
  const served = (await look(request, 'inspect').catch((thrown: unknown) => {
    if (shownDetails === null) throw thrown;
    return toRlmError(thrown);
  }))!;
  const model = served instanceof RlmError ? settings.model : served.model;
  const shown = { details: shownDetails ?? (await fromSurvey(request, model)), served };
  if (!asJson) return stdout.write(renderModel(shown, settings));
  stdout.write(toJson({ provider: name, ...shown.details, uses: usesOf(shown, settings) }, 2));
}

interface Pulling extends Pick<Invocation, 'stdout' | 'stderr'> {
  readonly asJson: boolean;
  readonly signal: AbortSignal;
}

async function showPull<T>(
  { stdout, stderr, asJson }: Pulling,
  pull: (onProgress: (progress: PullProgress) => void) => Promise<T>,
): Promise<T> {
  if (asJson) return pull(createJsonLines(stdout));
  const display = createPullDisplay(stderr);
  try {
    return await pull(display.onProgress);
  } finally {
    display.close();
  }
}

/** Writes a line for each step, and at most five per second within a step. */
function createJsonLines(stdout: Invocation['stdout']) {
  const everyMs = 200;
  let shown: PullProgress | null = null;
  let shownAt = 0;
  return (progress: PullProgress): void => {
    const isStep = progress.status !== shown?.status || progress.completedBytes === progress.totalBytes;
    if (!isStep && performance.now() - shownAt < everyMs) return;
    shownAt = performance.now();
    shown = progress;
    stdout.write(toJson({ type: 'progress', ...progress }));
  };
}

const noDownload = (provider: string, model: string): RlmError =>
  new RlmError('usage', `only Ollama downloads models by name; the provider is ${provider}`, {
    hint: `For Ollama: rlm models pull ${model} --provider ollama. For a file: rlm models pull hf:OWNER/REPO/FILE.gguf`,
  });

async function pullFromServer(request: Request): Promise<void> {
  const { name, provider, settings, signal, stdout, asJson } = request;
  const { model } = settings;
  if (provider.pull === undefined) throw noDownload(name, model);
  await showPull(request, (onProgress) => provider.pull!({ signal, onProgress }));
  if (asJson) stdout.write(toJson({ type: 'completed', model }));
  else say(request, `downloaded ${model}; to use it: rlm ask "…" --model ${model}`);
}

async function pullFile(
  from: string,
  sha256: string | null,
  configuration: Configuration,
  request: Pulling,
): Promise<void> {
  const { signal, stdout, asJson } = request;
  const file = await showPull(request, (onProgress) =>
    pullModelFile({ from, sha256, signal, onProgress }, configuration),
  );
  if (asJson) return stdout.write(toJson({ type: 'completed', model: file.name, ...file }));
  const checked = { user: 'as given', server: 'as published by the server', null: 'not published by the server' };
  say(request, `SHA-256 ${file.sha256}, ${checked[`${file.checkedBy}`]}`);
  const missing = await inspectModel(`llama-cpp/${file.name}`, configuration, signal).then(() => null, toRlmError);
  const size = modelSize(file.sizeBytes);
  say(request, `${file.path} (${size}) is downloaded; to use it: rlm ask "…" --model ${file.name}`);
  if (missing !== null) say(request, `note: ${missing.message}. ${missing.hint}`);
}

const oneModel = { what: 'the name of a model', least: 0, most: 1 };
const actions: Readonly<Record<string, CommandAction<Request>>> = {
  list: { example: 'rlm models list', run: list },
  show: { names: oneModel, example: 'rlm models show llama3.2:3b', run: show },
  pull: { names: { ...oneModel, least: 1 }, example: 'rlm models pull llama3.2:3b', run: pullFromServer },
};

function checkDownloads(model: string, { settings: { provider } }: Configuration): void {
  const isNamedAlone = readReference(model, providerNames).provider === null;
  if (isNamedAlone && providerTraitsOf(provider)?.asksModel === false) throw noDownload(provider, model);
}

export async function runModels(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  const asJson = options['json'] === true;
  const { action, names } = chooseAction('models', actions, invocation);
  const [model] = names;
  const flags = settingFlags(options);
  const isPull = args[0] === 'pull';
  const isFile = isPull && isFileAddress(model!);
  if (!isFile && options['sha256'] !== undefined)
    throw new RlmError('usage', `rlm models ${args[0]} takes --sha256 only for hf:OWNER/REPO/FILE.gguf or a URL`, {
      hint: 'A server checks the models that it downloads.',
    });
  if (!isFile && model !== undefined) flags.set('model', model);
  const configuration = configured(invocation, flags);
  const hint = isPull ? 'The partial download is kept; the same command continues it.' : '';
  await underSignals({ stdout, hint }, async (signal) => {
    const shared = { signal, stdout, stderr, asJson };
    if (isFile) return pullFile(model!, textOption(options, 'sha256'), configuration, shared);
    if (isPull) checkDownloads(model!, configuration);
    const { name, settings, open } = configuredProvider(configuration);
    return action.run({ settings, name, provider: await open(), ...shared });
  });
  return 0;
}

function statusOf({ checks, answersWith, error }: DoctorReport): ExitCode {
  const isProblem = (names: readonly string[]) =>
    checks.some(({ name, state }) => state === 'problem' && names.includes(name));
  if (isProblem(['prompts', 'configuration']) || error?.code === 'config-invalid') return 3;
  return answersWith === null || isProblem(['search', 'models']) ? 4 : 0;
}

export async function runDoctor({ options, stdout }: Invocation): Promise<ExitCode> {
  const report = await examineSetup();
  stdout.write(options['json'] === true ? toJson(report, 2) : renderDoctor(report, stdout));
  return statusOf(report);
}
