import { constants, fstatSync, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { RlmError } from '../errors.ts';
import type { Invocation } from './command.ts';

const noticeAfterMs = 2_000;

/** Whether stdin provides text. A terminal or /dev/null does not. */
function givesText(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

interface StdinOptions {
  /** Whether the question has other text. If so, an empty stdin is not an error. */
  readonly hasOther: boolean;
  /** Files that the run writes: stdin must not be one of them. */
  readonly written: readonly string[];
  readonly say: (line: string) => void;
}

/** Refuses to overwrite the input, as in `rlm ask … -o notes.md < notes.md`. */
function refuseWritten(written: readonly string[]): void {
  const stdin = fstatSync(0);
  const isStdin = (path: string) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return file?.isFile() === true && file.ino === stdin.ino && file.dev === stdin.dev;
  };
  if (!written.some(isStdin)) return;
  throw new RlmError('usage', 'this run would overwrite the file that stdin reads', {
    hint: 'Give another file with -o (or --report, --junit, --sarif, --log-file, --record).',
  });
}

async function* readToEnd(signal: AbortSignal, { say, hasOther }: StdinOptions): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const notice = setTimeout(() => say('still reading stdin; if nothing is piped in, use --no-stdin'), noticeAfterMs);
  const stop = () => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let isEmpty = true;
  try {
    for await (const part of process.stdin as AsyncIterable<Buffer>) {
      isEmpty = false;
      yield part;
    }
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    const hint = 'Pipe text in, or use --no-stdin.';
    throw new RlmError('input-unreadable', `stdin cannot be read (${code})`, { hint, cause: error });
  } finally {
    clearTimeout(notice);
    signal.removeEventListener('abort', stop);
    process.stdin.destroy();
  }
  signal.throwIfAborted();
  const hint = 'Check the command before the pipe. To ask without any text, use --no-stdin.';
  if (isEmpty && !hasOther) throw new RlmError('input-empty', 'stdin is empty', { hint });
  if (isEmpty) say('note: stdin is empty');
}

/**
 * Returns the paths without `-`, and functions that read stdin. With `--no-stdin`, they never read it. Without it, they
 * read stdin if there is no other text, or if `-` is among the paths. Otherwise, stdin stays unread, because it may be
 * the input of a loop or a script around this command.
 * @param hasSource whether there is text from an index or a search server.
 */
export function pipedText(given: readonly string[], hasSource: boolean, options: Invocation['options']) {
  const paths = given.filter((path) => path !== '-');
  const hasOther = hasSource || paths.length > 0;
  const isOff = options['stdin'] === false;
  const isRead = !isOff && (!hasOther || given.includes('-'));
  let isNoted = isRead || isOff;
  async function noteUnread(say: StdinOptions['say']): Promise<void> {
    if (isNoted || !(await holdsBytes())) return;
    isNoted = true;
    say('note: piped text is not read, because the question has other text; to read it, too, add - to the paths');
  }
  /** Returns stdin as a document, if it is read. Throws RlmError `usage` when stdin is a file that the run writes. */
  async function documents(signal: AbortSignal, { written, say }: Omit<StdinOptions, 'hasOther'>) {
    if (!isRead) await noteUnread(say);
    if (!isRead || !givesText()) return [];
    refuseWritten(written);
    return [{ name: 'stdin', text: readToEnd(signal, { hasOther, written, say }) }];
  }
  return { paths, documents, noteUnread };
}

/**
 * Opens the pipe of stdin again, with its own flags, because other programs share the flags of stdin. The descriptor
 * is also writable; otherwise, a pipe without writers would be reported as readable.
 */
function openView(): number | null {
  try {
    return fstatSync(0).isFIFO() ? openSync('/proc/self/fd/0', constants.O_RDWR | constants.O_NONBLOCK) : null;
  } catch {
    return null;
  }
}

/** Whether the pipe contains bytes: reading into an empty buffer then fails with ENOBUFS. */
async function holdsBytes(): Promise<boolean> {
  const fd = openView();
  if (fd === null) return false;
  return new Promise((resolve) => {
    const options = { fd, onread: { buffer: new Uint8Array(0), callback: () => false } };
    const view = new Socket(options);
    view.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ENOBUFS'));
    view.once('close', () => resolve(false));
    // The second immediate runs after at least one poll for events.
    setImmediate(() => setImmediate(() => view.destroy()));
  });
}
