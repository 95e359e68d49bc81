/** A model in this process: loaded when it is first needed, with one context at a time, freed when it is closed. */
import { availableParallelism } from 'node:os';
import { RlmError } from '../../errors.ts';
import { clean } from '../wire/http-errors.ts';
import type { ModelFile } from './file.ts';
import type { Llama, LlamaModel, LlamaModule } from './interface.ts';
import { startNative } from './native.ts';
import type { FoundPackage } from './package.ts';

/** How a model is run. */
export interface RunningOptions {
  /** Null: as many as this machine has cores for, but one where there are more than two. */
  readonly threads: number | null;
  readonly gpu: 'auto' | 'off';
}

/** A model that is loaded. */
export interface LoadedModel {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly threads: number;
  /** How many tokens of a prompt are read in one step, which nothing can interrupt. */
  readonly batchSize: number;
  /** The native part's warnings since the last call, for an error. */
  complaint(): string;
}

const mostThreads = 16;

/**
 * One core is left to the rest: a thread that has to wait for its turn makes all others wait for it. Of two cores none
 * is: a second thread reads 65 tokens/s where one reads 30.
 */
function threadsFor(mathCores: number): number {
  const cores = Math.min(mathCores, availableParallelism());
  return Math.min(mostThreads, cores > 2 ? cores - 1 : Math.max(1, cores));
}

/** Makes an RlmError, with what to do about it, of an error of the native part. */
export function fromNative(thrown: unknown, doing: string, complaint = ''): RlmError {
  if (thrown instanceof RlmError) return thrown;
  const { name = '', message = String(thrown) } = thrown as Partial<Error>;
  const isMemory = name === 'InsufficientMemoryError' || /memory|allocat|VRAM/i.test(message);
  const why = complaint === '' ? message : `${message} (${complaint})`;
  return new RlmError('provider-failed', `node-llama-cpp could not ${doing}: ${clean(why)}`, {
    hint: isMemory
      ? 'Take a smaller model (--model) or a smaller window: context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS).'
      : 'See that the file is whole, and that this version of node-llama-cpp knows its architecture.',
    cause: thrown,
  });
}

/**
 * Loads a model. Throws `provider-unreachable` when the package is broken, `provider-failed` when the model cannot be
 * loaded, and the signal's reason.
 */
async function load(found: FoundPackage, file: ModelFile, options: RunningOptions, signal: AbortSignal) {
  const native = await startNative(found, options.gpu === 'off' ? false : 'auto');
  const { llama, complaint } = native;
  const threads = options.threads ?? threadsFor(llama.cpuMathCores);
  llama.maxThreads = Math.max(threads, llama.maxThreads);
  try {
    const model = await llama.loadModel({ modelPath: file.path, loadSignal: signal });
    return { ...native, model, threads, batchSize: llama.gpu === false ? 64 : 512 };
  } catch (error) {
    signal.throwIfAborted();
    throw fromNative(error, `load ${file.name}`, complaint());
  }
}

/** A model, loaded at most once. */
interface ModelSlot {
  /** Rejects as loading does; the next call tries again. */
  get(): Promise<LoadedModel>;
  /** Frees what was loaded. It never rejects. */
  free(): Promise<void>;
}

/** Makes a slot for the model that `wanted` names; a load under way ends with the signal. */
export function createModelSlot(
  wanted: () => { readonly found: FoundPackage; readonly file: ModelFile },
  options: RunningOptions,
  signal: AbortSignal,
): ModelSlot {
  let loaded: Promise<LoadedModel> | null = null;

  return {
    get() {
      const { found, file } = wanted();
      loaded ??= load(found, file, options, signal).catch((error: unknown) => {
        loaded = null;
        throw error;
      });
      return loaded;
    },
    async free() {
      const last = await loaded?.catch(() => null);
      await last?.model.dispose().catch(() => {});
    },
  };
}
