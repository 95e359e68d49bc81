/** What the provider and the embedder for GGUF files share: the file, the package, and the loaded model. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { untilAborted } from '../../base/abort.ts';
import { RlmError } from '../../errors.ts';
import { type ModelFile, noFile, readModelFile } from './file.ts';
import { createModelSlot, type LoadedModel, type RunningOptions } from './model.ts';
import { type FoundPackage, findPackage } from './package.ts';

export interface LlamaCppOptions extends RunningOptions {
  /** The name of a file in `modelsFolder`, or the path of a GGUF file, relative to `cwd`; null: none is named. */
  readonly model: string | null;
  readonly cwd: string;
  /** The folder of downloaded model files; left out: none. */
  readonly modelsFolder?: string;
  /** Where the package is; null: in the usual places. */
  readonly folder: string | null;
  /** Whether to refuse the file because nobody chose it who may have it loaded. */
  readonly refuseModel?: boolean;
}

/** A file, and what runs it. */
interface RunnableFile {
  readonly file: ModelFile;
  readonly found: FoundPackage;
}

export interface Source {
  /**
   * Looks at the file and for the package, once.
   * @throws RlmError `model-missing`, `provider-unreachable` or `config-invalid`.
   */
  look(signal: AbortSignal): Promise<RunnableFile>;
  /**
   * Works with the loaded model, one task after the other in the order of the calls, except aborted ones. A task ends
   * soon after its signal; until then no other task gets the model, and it is not freed.
   */
  inTurn<T>(work: (loaded: LoadedModel, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Ends the current task, and frees the model after it. Never rejects. */
  close(): Promise<void>;
}

/**
 * Where a model file is. A name without a folder is first that of one that was downloaded: a file of the same name
 * that came with the text is not loaded in its place.
 */
export function modelPath(model: string, { cwd, modelsFolder }: Pick<LlamaCppOptions, 'cwd' | 'modelsFolder'>): string {
  const pulled = modelsFolder !== undefined && basename(model) === model ? join(modelsFolder, model) : null;
  return pulled !== null && existsSync(pulled) ? pulled : resolve(cwd, model);
}

/** The user must choose the file: one that came with the text may be made to exploit native code. */
const unchosenFile = (model: string, names: string): RlmError =>
  new RlmError('config-invalid', `the project file names the model file ${model}, which would be loaded here`, {
    hint: `If you want that, name it yourself with ${names}, or trust the project (trustedProjects).`,
  });

/**
 * Creates the file, the package and the model.
 * @param names the flag and the variable that name the file, for messages.
 * @param check throws what is wrong with a file for this use.
 */
export function createSource(options: LlamaCppOptions, names: string, check: (file: ModelFile) => void): Source {
  const { model, cwd, folder, refuseModel = false } = options;
  let known: RunnableFile | null = null;
  let tail: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  const slot = createModelSlot(() => known!, options, closing.signal);

  return {
    async look(signal) {
      signal.throwIfAborted();
      if (known !== null) return known;
      if (model === null) throw noFile();
      if (refuseModel) throw unchosenFile(model, names);
      const file = await untilAborted(readModelFile(modelPath(model, options)), signal);
      check(file);
      known = { file, found: await findPackage(folder, cwd, signal) };
      return known;
    },
    inTurn(work, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      const mine = tail.then(async () => {
        either.throwIfAborted();
        return work(await slot.get(), either);
      });
      tail = mine.catch(() => {});
      return untilAborted(mine, either);
    },
    async close() {
      closing.abort(new RlmError('interrupted', 'the model was closed'));
      await tail;
      await slot.free();
    },
  };
}
