import { withDeadline } from '../base/abort.ts';
import { counted } from '../base/text.ts';
import type { Settings } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import type { ReadingProgress } from '../inputs/reading.ts';
import { outOfTime } from '../run/door/budget.ts';

function waitedFor(progress: ReadingProgress | null): string {
  const { name, files = 0, bytes = 0 } = progress ?? {};
  if (name === undefined) return 'before it could finish';
  const documents = files === 0 ? '' : `${counted(files, 'document')} and `;
  const read = files + bytes === 0 ? 'no document was complete' : `${documents}${counted(bytes, 'byte')} had arrived`;
  return `while it read '${name}' (${read} by then)`;
}

/** Returns the error of a run that was aborted before it began: `error` if it is an RlmError, else `interrupted`. */
export const orCancelled = (error: unknown): RlmError =>
  error instanceof RlmError ? error : new RlmError('interrupted', 'the run was cancelled', { cause: error });

/** The arguments of `work`. The signal also aborts with `limit-time` when the time is over. */
export interface Timed {
  readonly signal: AbortSignal;
  readonly onReading: (progress: ReadingProgress) => void;
}

/**
 * Runs work within the time limit of the run.
 * @param usedMs time that the run has already used, in ms.
 * @throws RlmError `limit-time`, which names what was being read; `interrupted` if the signal aborts; errors of `work`.
 */
export async function withinTime<T>(
  settings: Settings,
  usedMs: number,
  { signal, onReading }: { readonly signal: AbortSignal; readonly onReading?: Timed['onReading'] | undefined },
  work: (timed: Timed) => Promise<T>,
): Promise<T> {
  let last: ReadingProgress | null = null;
  const follow = (progress: ReadingProgress) => {
    last = progress;
    onReading?.(progress);
  };
  const wholeMs = settings.budget.timeout * 1000;
  const leftMs = Math.max(0, wholeMs - usedMs);
  const late = () => outOfTime(wholeMs, ` ${waitedFor(last)}`);
  try {
    return await withDeadline(leftMs, late, signal, (limited) => work({ signal: limited, onReading: follow }));
  } catch (error) {
    throw signal.aborted ? orCancelled(error) : error;
  }
}
