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
import type { Redactor } from '../../secrets/redactor.ts';
import type { Output } from '../terminal.ts';

/** The destination of an output. */
export interface Sink {
  /** Writes text. Never throws; `close` throws a failure. */
  write(text: string): void;
  /** Puts the written text in place. Throws RlmError `output-unwritable` when it could not be written. */
  close(): void;
  /** Drops the written text. The previous content stays. */
  discard(): void;
}

function unwritable(path: string, error: unknown): RlmError {
  const { code } = error as NodeJS.ErrnoException;
  const hint =
    code === 'EISDIR'
      ? 'It is a folder. Give a file in it.'
      : 'Give another file with -o, or make the file and its folder writable.';
  return new RlmError('output-unwritable', `${path} cannot be written (${code})`, { hint });
}

/** Writes to an open file. `close` throws the first failure. */
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

/** Opens a device, a named pipe or `>(command)`, which cannot be replaced by a draft and is written directly. */
const openStream = (path: string): Sink => createWriter(openSync(path, 'w'));

/**
 * Opens a draft beside the file, which replaces the file on `close`. If the process dies, the old file stays. The name
 * of the draft begins with a dot, so that reading the folder as input skips it.
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

/** Wraps a sink: redacts secrets and converts every failure to an RlmError. */
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
 * Opens an output file, or stdout when the path is null. Commands call this before they spend anything.
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
