import { fstatSync, statSync } from 'node:fs';
import { RlmError } from '../errors.ts';
import type { GivenDocument } from '../index.ts';

const noticeAfterMs = 2_000;

/** A terminal or /dev/null gives no text; a file, a pipe or a socket is read. */
function givesText(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

interface StdinOptions {
  /** Whether paths were named too: then an empty stdin is no mistake. */
  readonly hasPaths: boolean;
  /** Files that the run writes: stdin may be none of them. */
  readonly written: readonly string[];
  /** Says a line to the user. */
  readonly say: (line: string) => void;
  /** More is an error, never a cut. */
  readonly maxBytes: number;
}

/** `rlm ask … -o notes.md < notes.md` would lose the text that it is asked about. */
function refuseWritten(written: readonly string[]): void {
  const stdin = fstatSync(0);
  const isStdin = (path: string) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return file?.isFile() === true && file.ino === stdin.ino && file.dev === stdin.dev;
  };
  if (!written.some(isStdin)) return;
  throw new RlmError('usage', 'stdin is the file that this run would write over', {
    hint: 'Name another file with -o (or --record).',
  });
}

function tooLarge(maxBytes: number): RlmError {
  return new RlmError('input-too-large', `stdin holds more than ${maxBytes} bytes`, {
    hint: 'Raise inputs.maxBytes (RLM_MAX_INPUT_BYTES).',
  });
}

async function readToEnd(signal: AbortSignal, maxBytes: number): Promise<Buffer> {
  signal.throwIfAborted();
  const parts: Buffer[] = [];
  let size = 0;
  const stop = () => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const part of process.stdin as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RlmError) throw error;
    throw new RlmError('input-unreadable', `stdin cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      hint: 'Pipe text in, or use --no-stdin.',
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    process.stdin.destroy();
  }
  signal.throwIfAborted();
  return Buffer.concat(parts);
}

/**
 * Reads stdin to its end, however slow, saying so on stderr when it takes long.
 * @throws RlmError `input-empty` when it is empty and nothing else was named, `input-too-large`, `input-unreadable`,
 *   `usage` when it is a file that the run writes.
 */
export async function readStdin(signal: AbortSignal, options: StdinOptions): Promise<readonly GivenDocument[]> {
  if (!givesText()) return [];
  refuseWritten(options.written);
  const notice = setTimeout(
    () => options.say('still reading stdin; if nothing is piped in, use --no-stdin'),
    noticeAfterMs,
  );
  try {
    const text = await readToEnd(signal, options.maxBytes);
    if (text.length > 0) return [{ name: 'stdin', text }];
  } finally {
    clearTimeout(notice);
  }
  if (options.hasPaths) return [];
  throw new RlmError('input-empty', 'stdin is empty', {
    hint: 'Check the command before the pipe. To ask without any text, use --no-stdin.',
  });
}
