import { candidatesFor, providers, settle, withModel } from '../../../assemble/choose-provider.ts';
import { withDeadline } from '../../../base/abort.ts';
import type { Settings } from '../../../config/settings.ts';
import { type ExitCode, RlmError, toRlmError } from '../../../errors.ts';
import type { ModelDetails, Provider, PullProgress, Survey } from '../../../providers/provider.ts';
import type { Invocation } from '../../command.ts';
import { configured } from '../../configured.ts';
import { watchSignals } from '../../follow-run.ts';
import { isNamed, renderModel, renderModels, type ShownModel, usesOf } from '../../render/model-list.ts';
import { settingFlags } from '../../setting-flags.ts';
import { printable, toJson } from '../../terminal.ts';

/** What an action works with. */
interface Request extends Pick<Invocation, 'stdout' | 'stderr'> {
  readonly settings: Settings;
  /** The name of the provider whose models are meant. */
  readonly name: string;
  readonly provider: Provider;
  readonly signal: AbortSignal;
  readonly asJson: boolean;
}

/** One of the things that `rlm models` can do. */
interface Action {
  /** Whether it takes, or needs, the name of a model. */
  readonly model: 'none' | 'may' | 'must';
  readonly example: string;
  run(request: Request): Promise<void>;
}

/** How long a server may take to tell of its models, in ms. */
const lookMs = 30_000;

const say = ({ stderr }: Pick<Request, 'stderr'>, line: string) => stderr.write(`rlm: ${printable(line)}\n`);

/** What the server says in time; `null` where the provider does not tell such things. */
function look<T>(request: Request, work: ((signal: AbortSignal) => Promise<T>) | undefined): Promise<T | null> {
  if (work === undefined) return Promise.resolve(null);
  const late = () =>
    new RlmError('provider-unreachable', `${request.name} did not answer within ${lookMs / 1000} s`, {
      hint: 'Check that the server runs: rlm doctor',
    });
  return withDeadline(lookMs, late, request.signal, work);
}

const surveyOf = (request: Request): Promise<Survey | null> =>
  look(request, request.provider.survey?.bind(request.provider));

/** The model that would answer; a provider may have a default of its own, which it tells when it is asked. */
async function configuredModel(request: Request): Promise<string> {
  const inspect = (signal: AbortSignal) => request.provider.inspect(signal);
  const info = await look(request, inspect).catch(() => null);
  request.signal.throwIfAborted();
  return info?.model ?? request.settings.model;
}

async function list(request: Request): Promise<void> {
  const { name, stdout, asJson } = request;
  const [survey, model] = await Promise.all([surveyOf(request), configuredModel(request)]);
  const models = survey?.models ?? [];
  const isThere = models.some((one) => isNamed(one.name, model));
  if (asJson) {
    const configured = { model, isThere };
    const { version = null, address = null } = survey ?? {};
    stdout.write(toJson({ provider: name, address, version, configured, models }, 2));
    return;
  }
  stdout.write(renderModels(models, model));
  if (survey === null) say(request, `${name} does not list models`);
  else if (models.length === 0) say(request, `${name} at ${survey.address} has no models yet`);
  if (survey !== null && !isThere) say(request, `the configured model ${model} is not there${howToGet(request)}`);
}

const howToGet = ({ provider, settings }: Request) =>
  provider.pull ? `; to get it: rlm models pull ${settings.model}` : '';

/** What a survey says of a model, as far as it goes. */
async function fromSurvey(request: Request, model: string): Promise<ModelDetails> {
  const survey = await surveyOf(request).catch(() => null);
  const found = survey?.models.find(({ name }) => isNamed(name, model));
  const summary = found ?? { name: model, sizeBytes: null, capabilities: [], windowTokens: null };
  return { ...summary, family: null, parameterSize: null, quantization: null, parameters: {}, templateDigest: null };
}

async function show(request: Request): Promise<void> {
  const { name, provider, settings, stdout, asJson } = request;
  const told = await look(request, provider.show?.bind(provider));
  const inspect = (signal: AbortSignal) => provider.inspect(signal);
  const served = await look(request, inspect).catch((thrown: unknown) => {
    if (told === null) throw thrown;
    return toRlmError(thrown);
  });
  const model = served instanceof RlmError ? settings.model : served!.model;
  const details = told ?? (await fromSurvey(request, model));
  const shown: ShownModel = { details, served: served! };
  if (!asJson) return void stdout.write(renderModel(shown, settings));
  stdout.write(toJson({ provider: name, ...details, uses: usesOf(shown, settings) }, 2));
}

/** A line of JSON for each step, at most some a second. */
function createJsonLines({ stdout }: Request) {
  const everyMs = 200;
  let shown: PullProgress | null = null;
  let shownAt = 0;
  return {
    onProgress(progress: PullProgress): void {
      const isStep = progress.status !== shown?.status || progress.completedBytes === progress.totalBytes;
      if (!isStep && performance.now() - shownAt < everyMs) return;
      shownAt = performance.now();
      shown = progress;
      stdout.write(toJson({ type: 'progress', ...progress }));
    },
    close(): void {},
  };
}

async function pull(request: Request): Promise<void> {
  const { name, provider, settings, signal, stdout, asJson } = request;
  const { model } = settings;
  if (provider.pull === undefined) {
    throw new RlmError('usage', `only Ollama downloads models; the provider is ${name}`, {
      hint: `For Ollama: rlm models pull ${model} --provider ollama`,
    });
  }
  const { createPullDisplay } = await import('../../render/pull-progress.ts');
  const display = asJson ? createJsonLines(request) : createPullDisplay(request.stderr);
  try {
    await provider.pull({ signal, onProgress: display.onProgress });
  } finally {
    display.close();
  }
  if (asJson) stdout.write(toJson({ type: 'completed', model }));
  else say(request, `${model} is there; to ask it: rlm ask "…" --model ${model}`);
}

const actions: Readonly<Record<string, Action>> = {
  list: { model: 'none', example: 'rlm models list', run: list },
  show: { model: 'may', example: 'rlm models show llama3.2:3b', run: show },
  pull: { model: 'must', example: 'rlm models pull llama3.2:3b', run: pull },
};

function wantedAction(name: string, model: string | undefined): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw new RlmError('usage', `rlm models has no action "${name}"`, {
      hint: `Its actions: ${Object.keys(actions).join(', ')}.`,
    });
  }
  const hint = `Such as: ${action.example}`;
  if (model === undefined && action.model === 'must') {
    throw new RlmError('usage', `rlm models ${name} needs the name of a model`, { hint });
  }
  if (model !== undefined && action.model === 'none') {
    throw new RlmError('usage', `rlm models ${name} does not take "${model}"`, { hint });
  }
  return action;
}

/** Runs `rlm models`. */
export async function runModels({ args, options, stdout, stderr }: Invocation): Promise<ExitCode> {
  const [what, model] = args as [string, string | undefined];
  const action = wantedAction(what, model);
  const flags = settingFlags(options);
  if (model !== undefined) flags.set('model', model);
  const configuration = configured({ stderr }, { flags });
  const wanted = settle(configuration);
  const choice = withModel(configuration, wanted.model);
  const [name] = candidatesFor(wanted) as readonly [string, ...string[]];
  const controller = new AbortController();
  const { signal } = controller;
  stdout.onClosed(() => controller.abort(new RlmError('interrupted', 'the reader of the output went away')));
  const kept = what === 'pull' ? 'What has come is kept: the same command goes on where it stopped.' : '';
  const stopWatching = watchSignals(controller, kept);
  try {
    const provider = await providers[name]!(choice);
    const asJson = options['json'] === true;
    await action.run({ settings: choice.settings, name, provider, signal, stdout, stderr, asJson });
    return 0;
  } finally {
    stopWatching();
  }
}
