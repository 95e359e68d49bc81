/** Detects piped text that is not read. Consumes none of it, because it may be meant for another program. */
import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * Opens the pipe on stdin again. Null when stdin is not a pipe or the system does not support this. The new descriptor
 * has its own flags, so that those of stdin, which other programs share, do not change. It is also writable, so that a
 * pipe without writers does not count as readable.
 */
function openView(): number | null {
  try {
    if (!fstatSync(0).isFIFO()) return null;
    return openSync('/proc/self/fd/0', constants.O_RDWR | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** Whether the pipe on stdin contains bytes now. If it does, reading into an empty buffer fails with ENOBUFS. */
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

const note = 'note: piped text is not read, because the question has other text; to read it, too, add - to the paths';

/** Creates a function that shows a note the first time that the pipe on stdin contains bytes. */
export function createUnreadNote(): (say: (line: string) => void) => Promise<void> {
  let isShown = false;
  return async (say) => {
    if (isShown || !(await holdsBytes())) return;
    isShown = true;
    say(note);
  };
}
