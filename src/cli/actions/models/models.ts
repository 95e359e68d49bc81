import { withDeadline } from '../../../base/abort.ts';
import { type ExitCode, RlmError, toRlmError } from '../../../errors.ts';
import { configuredProvider, isFileAddress, type ModelDetails, type Survey } from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { configured } from '../../configured.ts';
import { watchSignals } from '../../follow-run.ts';
import { isNamed, renderModel, renderModels, type ShownModel, usesOf } from '../../render/model-list.ts';
import { settingFlags } from '../../setting-flags.ts';
import { type Output, toJson } from '../../terminal.ts';
import { type Request, say } from './request.ts';

/** An action of `rlm models`. */
interface Action {
  /** Whether it takes no model name, an optional one, or a required one. */
  readonly model: 'none' | 'may' | 'must';
  readonly example: string;
  run(request: Request): Promise<void>;
}

/** The time limit of a request about models, in ms. */
const lookMs = 30_000;

/** Sends a request to the server within the time limit. Returns null when the provider has no such request. */
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

/** Returns the model that would answer. A provider may have a default of its own, which `inspect` returns. */
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
  if (survey !== null && !isThere) say(request, `the configured model ${model} is not available${howToGet(request)}`);
}

const howToGet = ({ provider, settings }: Request) =>
  provider.pull ? `; to get it: rlm models pull ${settings.model}` : '';

/** Returns the details of a model from the server's list. Details that are not in the list are null. */
async function fromSurvey(request: Request, model: string): Promise<ModelDetails> {
  const survey = await surveyOf(request).catch(() => null);
  const found = survey?.models.find(({ name }) => isNamed(name, model));
  const summary = found ?? { name: model, sizeBytes: null, capabilities: [], windowTokens: null };
  return { ...summary, family: null, parameterSize: null, quantization: null, parameters: {}, templateDigest: null };
}

async function show(request: Request): Promise<void> {
  const { name, provider, settings, stdout, asJson } = request;
  const shownDetails = await look(request, provider.show?.bind(provider));
  const inspect = (signal: AbortSignal) => provider.inspect(signal);
  const served = await look(request, inspect).catch((thrown: unknown) => {
    if (shownDetails === null) throw thrown;
    return toRlmError(thrown);
  });
  const model = served instanceof RlmError ? settings.model : served!.model;
  const details = shownDetails ?? (await fromSurvey(request, model));
  const shown: ShownModel = { details, served: served! };
  if (!asJson) return void stdout.write(renderModel(shown, settings));
  stdout.write(toJson({ provider: name, ...details, uses: usesOf(shown, settings) }, 2));
}

const actions: Readonly<Record<string, Action>> = {
  list: { model: 'none', example: 'rlm models list', run: list },
  show: { model: 'may', example: 'rlm models show llama3.2:3b', run: show },
  pull: {
    model: 'must',
    example: 'rlm models pull llama3.2:3b',
    run: async (request) => (await import('./pull.ts')).pullFromServer(request),
  },
};

function wantedAction(name: string, model: string | undefined): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw new RlmError('usage', `rlm models has no action "${name}"`, {
      hint: `The actions are ${Object.keys(actions).join(', ')}.`,
    });
  }
  const hint = `For example: ${action.example}`;
  if (model === undefined && action.model === 'must') {
    throw new RlmError('usage', `rlm models ${name} needs the name of a model`, { hint });
  }
  if (model !== undefined && action.model === 'none') {
    throw new RlmError('usage', `rlm models ${name} does not take "${model}"`, { hint });
  }
  return action;
}

/** Runs work with a signal that Ctrl-C or a closed stdout aborts. */
async function withSignals(
  stdout: Output,
  what: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<ExitCode> {
  const controller = new AbortController();
  stdout.onClosed(() => controller.abort(new RlmError('interrupted', 'the reader of the output closed it')));
  const kept = what === 'pull' ? 'The partial download is kept; the same command continues it.' : '';
  const stopWatching = watchSignals(controller, kept);
  try {
    await work(controller.signal);
    return 0;
  } finally {
    stopWatching();
  }
}

/** Downloads a file in this process. */
async function pullFile(invocation: Invocation, from: string, flags: ReadonlyMap<string, unknown>): Promise<ExitCode> {
  const { stdout, stderr, options } = invocation;
  const configuration = configured({ stderr }, { flags });
  return withSignals(stdout, 'pull', async (signal) => {
    const { pullModel } = await import('./pull.ts');
    await pullModel({ from, configuration, signal, stdout, stderr, options });
  });
}

function checkSum({ sha256 }: Invocation['options'], what: string): void {
  if (sha256 === undefined) return;
  throw new RlmError('usage', `rlm models ${what} takes --sha256 only for hf:OWNER/REPO/FILE.gguf or a URL`, {
    hint: 'A server checks the models that it downloads.',
  });
}

/** Runs `rlm models`. */
export async function runModels(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  const [what, model] = args as [string, string | undefined];
  const action = wantedAction(what, model);
  const flags = settingFlags(options);
  if (what === 'pull' && isFileAddress(model!)) return pullFile(invocation, model!, flags);
  checkSum(options, what);
  if (model !== undefined) flags.set('model', model);
  const { name, settings, open } = configuredProvider(configured({ stderr }, { flags }));
  return withSignals(stdout, what, async (signal) => {
    const asJson = options['json'] === true;
    await action.run({ settings, name, provider: await open(), signal, stdout, stderr, asJson });
  });
}
