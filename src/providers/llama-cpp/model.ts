import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { untilAborted } from '../../base/abort.ts';
import { RlmError } from '../../errors.ts';
import { clean } from '../wire/http-errors.ts';
import { type ModelFile, noFile, readModelFile } from './file.ts';
import { type FoundPackage, findPackage, startNative } from './package.ts';

export type LoadedModel = Awaited<ReturnType<typeof load>>;

const mostThreads = 16;

/** Returns the number of threads. Of three or more cores, one stays free: a thread without a core delays all. */
function threadsFor(mathCores: number): number {
  const cores = Math.min(mathCores, availableParallelism());
  return Math.min(mostThreads, cores > 2 ? cores - 1 : Math.max(1, cores));
}

/** Converts an error of node-llama-cpp to an RlmError with a hint. */
export function fromNative(thrown: unknown, doing: string, complaint = ''): RlmError {
  if (thrown instanceof RlmError) return thrown;
  const { name = '', message = String(thrown) } = thrown as Partial<Error>;
  const isMemory = name === 'InsufficientMemoryError' || /memory|allocat|VRAM/i.test(message);
  const why = complaint === '' ? message : `${message} (${complaint})`;
  return new RlmError('provider-failed', `node-llama-cpp could not ${doing}: ${clean(why)}`, {
    hint: isMemory
      ? 'Use a smaller model (--model) or a smaller window: context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS).'
      : 'Check that the file is complete, and that this version of node-llama-cpp knows the architecture of the model.',
    cause: thrown,
  });
}

async function load({ found, file }: RunnableFile, options: LlamaCppOptions, signal: AbortSignal) {
  const native = await startNative(found, options.gpu === 'off' ? false : 'auto');
  const { llama, complaint } = native;
  const threads = options.threads ?? threadsFor(llama.cpuMathCores);
  llama.maxThreads = Math.max(threads, llama.maxThreads);
  try {
    const model = await llama.loadModel({ modelPath: file.path, loadSignal: signal });
    // `batchSize`: the number of tokens to read in one step, which cannot be interrupted.
    return { ...native, model, threads, batchSize: llama.gpu === false ? 64 : 512 };
  } catch (error) {
    signal.throwIfAborted();
    throw fromNative(error, `load ${file.name}`, complaint());
  }
}

export interface LlamaCppOptions {
  /** Number of threads. Null: one for each core, at most 16; if there are more than two cores, one core stays free. */
  readonly threads: number | null;
  readonly gpu: 'auto' | 'off';
  /** The name of a file in `modelsFolder`, or the path of a GGUF file, relative to `cwd`; null for none. */
  readonly model: string | null;
  readonly cwd: string;
  /** The folder of downloaded model files, if there is one. */
  readonly modelsFolder?: string;
  /** The folder in which to look for node-llama-cpp; null for the usual folders. */
  readonly folder: string | null;
  /** Whether to refuse the file because no trusted setting chose it. */
  readonly refuseModel?: boolean;
}

interface RunnableFile {
  readonly file: ModelFile;
  readonly found: FoundPackage;
}

/** Returns the path of a model file. A name without folders means a downloaded file, or else a file in `cwd`. */
export function modelPath(model: string, { cwd, modelsFolder }: Pick<LlamaCppOptions, 'cwd' | 'modelsFolder'>): string {
  const pulled = modelsFolder !== undefined && basename(model) === model ? join(modelsFolder, model) : null;
  return pulled !== null && existsSync(pulled) ? pulled : resolve(cwd, model);
}

/** The user must choose the file, because a file that came with the text may attack the native code that reads it. */
const unchosenFile = (model: string, names: string): RlmError =>
  new RlmError('config-invalid', `the project file names the model file ${model}, which would be loaded here`, {
    hint: `If you want that, name it yourself with ${names}, or trust the project (trustedProjects).`,
  });

/**
 * Creates the object that finds, loads and closes the model.
 * @param names the flag and the variable that choose the model, for messages.
 * @param check throws for an unfit file.
 */
export function createSource(options: LlamaCppOptions, names: string, check: (file: ModelFile) => void) {
  const { model, cwd, folder, refuseModel = false } = options;
  let known: RunnableFile | null = null;
  let tail: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  let loading: Promise<LoadedModel> | null = null;

  function loaded(): Promise<LoadedModel> {
    loading ??= load(known!, options, closing.signal).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  return {
    /** Finds the file and the package, once. Throws `model-missing`, `provider-unreachable`, `config-invalid`. */
    async look(signal: AbortSignal): Promise<RunnableFile> {
      signal.throwIfAborted();
      if (known !== null) return known;
      if (model === null) throw noFile();
      if (refuseModel) throw unchosenFile(model, names);
      const file = await untilAborted(readModelFile(modelPath(model, options)), signal);
      check(file);
      known = { file, found: await findPackage(folder, cwd, signal) };
      return known;
    },
    /**
     * Runs a task with the loaded model after all earlier tasks have ended.
     * @param doing the words after `could not` in the message of a failure, such as `answer`.
     */
    inTurn<T>(doing: string, work: (loaded: LoadedModel, signal: AbortSignal) => Promise<T>, signal: AbortSignal) {
      const anySignal = AbortSignal.any([signal, closing.signal]);
      const mine = tail.then(async () => {
        anySignal.throwIfAborted();
        const model = await loaded();
        return work(model, anySignal).catch((error: unknown) => {
          anySignal.throwIfAborted();
          throw fromNative(error, doing, model.complaint());
        });
      });
      tail = mine.catch(() => {});
      return untilAborted(mine, anySignal);
    },
    /** Aborts all tasks and frees the model. Never rejects. */
    async close(): Promise<void> {
      closing.abort(new RlmError('interrupted', 'the model was closed'));
      await tail;
      const last = await loading?.catch(() => null);
      await last?.model.dispose().catch(() => {});
    },
  };
}
