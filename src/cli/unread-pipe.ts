/** Tells of piped text that nobody reads, without taking a byte of it: it may be meant for another program. */
import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * A second view of the pipe on stdin, or null where there is no pipe or the system gives none. Its flags are its own:
 * those of stdin, which other programs share, stay as they are. It can write, too, so that a pipe whose writers are
 * gone does not count as readable.
 */
function openView(): number | null {
  try {
    if (!fstatSync(0).isFIFO()) return null;
    return openSync('/proc/self/fd/0', constants.O_RDWR | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** Whether the pipe on stdin holds bytes at this moment. Reading into no room at all fails where there are some. */
async function holdsBytes(): Promise<boolean> {
  const fd = openView();
  if (fd === null) return false;
  return new Promise((resolve) => {
    const options = { fd, onread: { buffer: new Uint8Array(0), callback: () => false } };
    const view = new Socket(options);
    view.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ENOBUFS'));
    view.once('close', () => resolve(false));
    // The second one comes after the system was asked once in any case.
    setImmediate(() => setImmediate(() => view.destroy()));
  });
}

const note = 'note: piped text is not read, as other text is named; to read it as well, put - among the paths';

/** Says a note where the pipe on stdin holds bytes, the first time that it is found to. */
export function createUnreadNote(): (say: (line: string) => void) => Promise<void> {
  let isSaid = false;
  return async (say) => {
    if (isSaid || !(await holdsBytes())) return;
    isSaid = true;
    say(note);
  };
}
