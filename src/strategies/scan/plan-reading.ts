import { RlmError } from '../../errors.ts';
import type { Window } from '../../run/door/window.ts';
import type { Run } from '../../run/run.ts';
import { roomForPieces, type ScanPiece } from '../../run/text/whole-text.ts';
import { allotmentLeft, type Question } from '../strategy.ts';

export interface ReadingPlan {
  /** Pieces of the whole text. */
  readonly pieces: readonly ScanPiece[];
  /** The pieces to read, in text order. */
  readonly chosen: readonly ScanPiece[];
  /** Number of calls if no reply needs a repair and one call composes the answer. */
  readonly fewestCalls: number;
  /**
   * Number of calls if every piece is halved down to its chunks and each reply is repaired once. It may exceed the
   * budget.
   */
  readonly mostCalls: number;
}

/** If there are fewer calls than pieces, this share of the calls reads pieces. The other calls compose. */
const readingShare = 0.9;

const bytesPerToken = 4;

/** Turns per prompt: the reply, and a second reply that repairs the first. */
const turnsPerPrompt = 2;

/** Returns the number of calls that compose `texts` texts into one if a prompt holds `fanIn` of them. */
function treeCalls(texts: number, fanIn: number): number {
  const groups = Math.ceil(texts / fanIn);
  return groups <= 1 ? 1 : groups + treeCalls(groups, fanIn);
}

/** Returns `mostCalls` for pieces. Assumes a reply of the full length for each chunk. */
function worstOf(pieces: readonly ScanPiece[], { settings, passageBytes }: ScanLimits): number {
  const chunks = pieces.reduce((total, { start, end }) => total + end - start, 0);
  const fanIn = Math.max(2, Math.floor(passageBytes / (settings.reply.maxTokens * bytesPerToken)));
  return turnsPerPrompt * (2 * chunks - pieces.length + treeCalls(chunks, fanIn));
}

interface ScanLimits extends Pick<Run, 'settings'>, Pick<Window, 'passageBytes'> {}

/** Returns how many calls a scan of these pieces makes, including the call that composes. */
export const scanCalls = (pieces: readonly ScanPiece[], window: ScanLimits) => ({
  fewestCalls: pieces.length + 1,
  mostCalls: worstOf(pieces, window),
});

function spread<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: Math.min(count, items.length) }, (_, step) => {
    return items[Math.floor((step * items.length) / Math.min(count, items.length))]!;
  });
}

async function choose(question: string, pieces: readonly ScanPiece[], count: number, run: Run) {
  const ranked = await run.text.rank(question, pieces, count).catch((error: unknown) => {
    if (error instanceof RlmError && error.code === 'limit-fetches') return [];
    throw error;
  });
  const best = new Set(ranked.slice(0, count));
  const rest = pieces.filter((piece) => !best.has(piece));
  for (const piece of spread(rest, count - best.size)) best.add(piece);
  return pieces.filter((piece) => best.has(piece));
}

/** Plans which pieces of the text are read for the question, and how many calls that takes. */
export async function planReading(question: Question, run: Run): Promise<ReadingPlan> {
  const { path } = question;
  const room = run.models.roomFor('scan', path);
  const info = run.models.info('scan', path);
  const pieces = run.text.pieces(roomForPieces(room, question.question, run.text.store, info));
  const window = { settings: run.settings, passageBytes: run.models.roomFor('compose', path) };
  const calls = allotmentLeft(question, run);
  if (pieces.length <= calls) return { pieces, chosen: pieces, ...scanCalls(pieces, window) };
  const count = Math.max(1, Math.floor(calls * readingShare));
  const chosen = await choose(question.question, pieces, count, run);
  return { pieces, chosen, ...scanCalls(chosen, window) };
}

export const pieceBytes = (pieces: readonly ScanPiece[]): number =>
  pieces.reduce((total, { bytes }) => total + bytes, 0);

/** Formats a share as a percentage. */
export function asPercentage(part: number, whole: number): string {
  const share = (100 * part) / Math.max(1, whole);
  return `${share > 0 && share < 1 ? share.toPrecision(1) : Math.floor(share)} %`;
}

/** Creates the error for a text that is too long to be read whole within the budget. */
export function tooLong({ pieces, chosen }: ReadingPlan, { settings, budget }: Run): RlmError {
  const { maxCalls, maxTokens, maxCost } = settings.budget;
  const share = asPercentage(pieceBytes(chosen), pieceBytes(pieces));
  const callsForAll = Math.ceil(pieces.length / readingShare) + 5;
  const message = `the budget pays for reading ${chosen.length} of the ${pieces.length} pieces of the text (${share})`;
  const allow = (what: string) => ({ hint: `Allow more with ${what}.` });
  // If neither tokens nor money are limited, calls are what is lacking, because earlier questions have used them.
  if (callsForAll > maxCalls || (maxTokens === null && maxCost === null)) {
    const enough = Math.max(callsForAll, maxCalls + Math.ceil((pieces.length - chosen.length) / readingShare));
    return new RlmError('limit-calls', message, allow(`--max-calls ${enough} (setting budget.maxCalls)`));
  }
  return maxTokens === null || (maxCost !== null && budget.scarcest('ordinary') === 'usd')
    ? new RlmError('limit-cost', message, allow('--max-cost (setting budget.maxCost)'))
    : new RlmError('limit-tokens', message, allow('--max-tokens (setting budget.maxTokens)'));
}
