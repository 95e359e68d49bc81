import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RlmError } from '../../errors.ts';
import type { Redactor } from '../../index.ts';
import type { Output } from '../terminal.ts';

/** Where the answer goes. */
export interface Sink {
  /** Never throws: a failure is told by `close`. */
  write(text: string): void;
  /** Makes what was written take its place. Throws `output-unwritable` when it could not be written. */
  close(): void;
  /** Drops what was written; what was there before stays. */
  discard(): void;
}

function unwritable(path: string, error: unknown): RlmError {
  const { code } = error as NodeJS.ErrnoException;
  const hint =
    code === 'EISDIR'
      ? 'It is a folder: name a file in it.'
      : 'Name another file with -o, or make it and its folder writable.';
  return new RlmError('output-unwritable', `${path} cannot be written (${code})`, { hint });
}

/** Writes into an open file; the first failure is kept for `close`. */
function createWriter(descriptor: number): Sink {
  let failure: unknown = null;
  return {
    write(text: string): void {
      try {
        if (failure === null) writeFileSync(descriptor, text);
      } catch (error) {
        failure = error;
      }
    },
    discard: () => closeSync(descriptor),
    close(): void {
      closeSync(descriptor);
      if (failure !== null) throw failure;
    },
  };
}

/** A device, a named pipe or `>(command)`: there is nothing to put in its place, so it is written directly. */
const openStream = (path: string): Sink => createWriter(openSync(path, 'w'));

/**
 * A draft beside the file, which takes its place only when it is complete. A program that dies leaves the old file. Its
 * name is hidden, so that no folder that is read brings it in.
 */
function openDraft(path: string, mode: number): Sink {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const writer = createWriter(openSync(draft, 'wx', mode));
  const remove = () => rmSync(draft, { force: true });
  process.once('exit', remove);
  return {
    write: writer.write,
    close() {
      writer.close();
      renameSync(draft, path);
      process.off('exit', remove);
    },
    discard() {
      writer.discard();
      remove();
    },
  };
}

const folder = () => Object.assign(new Error('is a folder'), { code: 'EISDIR' });

function open(path: string): Sink {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return openDraft(path, 0o666);
  if (found.isDirectory()) throw folder();
  if (!found.isFile()) return openStream(path);
  accessSync(path, constants.W_OK);
  return openDraft(realpathSync(path), found.mode & 0o777);
}

/** The same sink without secrets, and with every failure as an RlmError. */
function guarded(path: string, { write, close, discard }: Sink, redactor: Redactor): Sink {
  const guard = (work: () => void) => () => {
    try {
      work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  return { write: (text) => write(redactor.text(text)), close: guard(close), discard };
}

/**
 * Opens the file of `-o` before anything is spent, or stdout where there is none.
 * @throws RlmError `output-unwritable`.
 */
export function openOutputFile(path: string | null, stdout: Output, redactor: Redactor): Sink {
  if (path === null) return { write: (text) => stdout.write(text), close: () => {}, discard: () => {} };
  try {
    return guarded(path, open(path), redactor);
  } catch (error) {
    throw unwritable(path, error);
  }
}
