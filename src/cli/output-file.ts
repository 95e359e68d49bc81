import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { RlmError } from '../errors.ts';
import type { Output } from './terminal.ts';

/** Where the answer goes. */
export interface Sink {
  write(text: string): void;
  /** Makes what was written take its place. */
  close(): Promise<void> | void;
}

function unwritable(path: string, error: unknown): RlmError {
  return new RlmError('output-unwritable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
    hint: 'Name another file with -o, or make its folder writable.',
  });
}

/** A file that is opened before anything is spent, and that takes the old one's place only when it is complete. */
function createFileSink(path: string): Sink {
  const draft = `${path}.${process.pid}.tmp`;
  let descriptor: number;
  try {
    descriptor = openSync(draft, 'wx');
  } catch (error) {
    throw unwritable(path, error);
  }
  return {
    write(text) {
      try {
        writeSync(descriptor, text);
      } catch (error) {
        closeSync(descriptor);
        rmSync(draft, { force: true });
        throw unwritable(path, error);
      }
    },
    close() {
      closeSync(descriptor);
      try {
        renameSync(draft, path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw unwritable(path, error);
      }
    },
  };
}

/**
 * Opens the file of `-o`, or stdout where there is none.
 * @throws RlmError `output-unwritable`.
 */
export function openOutputFile(path: string | null, stdout: Output): Sink {
  return path === null ? { write: (text) => stdout.write(text), close: () => {} } : createFileSink(path);
}
