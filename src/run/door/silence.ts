import { onAbort } from '../../base/abort.ts';
import { now } from '../../base/time.ts';

/** The time at which a server last sent data. */
export interface Hearing {
  /** On the clock of `now`, in ms. */
  lastSign: number;
}

/** How long a call may go without data. */
export interface Silence {
  readonly ms: number;
  /** Limit until the first data, in ms: a long prompt takes time to read. */
  readonly firstMs: number;
  readonly late: () => Error;
  /**
   * The last sign of a server that may queue calls. While another call receives data, a queued call is not ended.
   * Null for other servers.
   */
  readonly hearing: Hearing | null;
}

/** The longest delay of a timer, in ms. Node.js replaces a longer delay by 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/** Runs `work` with a signal that aborts when no data arrives for too long. */
export async function untilSilent<T>(
  { ms, firstMs, late, hearing }: Silence,
  signal: AbortSignal,
  work: (signal: AbortSignal, onSign: () => void, end: (reason: Error) => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const stopListening = onAbort(signal, () => ending.abort(signal.reason));
  const startedAt = now();
  let ownSign: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const quietSince = () => ownSign ?? Math.max(startedAt, hearing?.lastSign ?? startedAt);
  function watch(): void {
    const left = quietSince() + (ownSign === null ? firstMs : ms) - now();
    if (left <= 0) ending.abort(late());
    else timer = setTimeout(watch, Math.min(left, longestTimerMs));
  }
  function onSign(): void {
    ownSign = now();
    if (hearing !== null) hearing.lastSign = ownSign;
  }
  watch();
  try {
    const result = await work(ending.signal, onSign, (reason) => ending.abort(reason));
    onSign();
    return result;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

/**
 * Minimum size of a repetition that is probably endless, in characters and in copies. A smaller repetition may be a
 * table or a list with equal lines.
 */
const leastCharacters = 300;
const leastTimes = 6;
/** Length of the longest repeated part that is recognised, in characters. */
const longestUnit = 200;

function repeatedFor(text: string, unit: number, most: number): number {
  let length = 0;
  while (length < most && text[text.length - 1 - length] === text[text.length - 1 - length - unit]) length++;
  return length;
}

/**
 * Returns the text with only one copy of the part that is repeated at its end. Null if there is no such repetition, or
 * if the repeated part has neither a letter nor a digit.
 */
export function beforeRepetition(text: string): string | null {
  for (let unit = 1; unit <= longestUnit; unit++) {
    const needed = Math.max(leastCharacters, unit * leastTimes);
    if (text.length < needed + unit) return null;
    if (repeatedFor(text, unit, needed) < needed) continue;
    const isOfWords = /[\p{L}\p{N}]/u.test(text.slice(-unit));
    if (isOfWords) return text.slice(0, text.length - repeatedFor(text, unit, text.length - unit));
  }
  return null;
}
