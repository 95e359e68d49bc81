import { RlmError } from '../../errors.ts';
import type { Window } from '../../run/door/window.ts';
import type { Run } from '../../run/run.ts';
import { roomForPieces, type ScanPiece } from '../../run/text/whole-text.ts';
import { allotmentLeft, type Question } from '../strategy.ts';

/** What a scan reads, and what that costs. */
export interface ReadingPlan {
  /** All of the text. */
  readonly pieces: readonly ScanPiece[];
  /** Those that are read, in the order of the text. */
  readonly chosen: readonly ScanPiece[];
  /** Calls when each reply can be used as it comes, and no composing in steps is needed. */
  readonly fewestCalls: number;
  /** The most calls that it can come to, whatever the budget allows. */
  readonly mostCalls: number;
}

/** The part of the calls that goes to reading when not all can be read; the rest composes. */
const readingShare = 0.9;

const bytesPerToken = 4;

/** Each prompt may need a repair turn. */
const turns = 2;

/** Calls that make one text of so many, where one prompt holds `fanIn` of them. */
function treeCalls(texts: number, fanIn: number): number {
  const groups = Math.ceil(texts / fanIn);
  return groups <= 1 ? 1 : groups + treeCalls(groups, fanIn);
}

/** A piece may be read in halves down to its chunks, and each of these may fill its reply. */
function worstOf(pieces: readonly ScanPiece[], { settings, passageBytes }: WindowOf): number {
  const chunks = pieces.reduce((total, { start, end }) => total + end - start, 0);
  const fanIn = Math.max(2, Math.floor(passageBytes / (settings.reply.maxTokens * bytesPerToken)));
  return turns * (2 * chunks - pieces.length + treeCalls(chunks, fanIn));
}

/** What composing goes by: the room for what is composed. */
interface WindowOf extends Pick<Run, 'settings'>, Pick<Window, 'passageBytes'> {}

/** The calls of a scan of these pieces, with the one that composes. */
export const scanCalls = (pieces: readonly ScanPiece[], window: WindowOf) => ({
  fewestCalls: pieces.length + 1,
  mostCalls: worstOf(pieces, window),
});

/** So many of the items, at equal distances. */
function spread<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: Math.min(count, items.length) }, (_, step) => {
    return items[Math.floor((step * items.length) / Math.min(count, items.length))]!;
  });
}

/** The pieces with the passages that a search finds; what is left of the number is spread over the rest of the text. */
async function choose(
  question: string,
  pieces: readonly ScanPiece[],
  count: number,
  run: Run,
): Promise<readonly ScanPiece[]> {
  const ranked = await run.text.rank(question, pieces, count).catch((error: unknown) => {
    if (error instanceof RlmError && error.code === 'limit-fetches') return [];
    throw error;
  });
  const best = new Set(ranked.slice(0, count));
  const rest = pieces.filter((piece) => !best.has(piece));
  for (const piece of spread(rest, count - best.size)) best.add(piece);
  return pieces.filter((piece) => best.has(piece));
}

/** Which pieces of the text can be read for the question, and what that takes. */
export async function planReading(question: Question, run: Run): Promise<ReadingPlan> {
  const { path } = question;
  const pieces = run.text.pieces(roomForPieces({ passageBytes: run.models.roomFor('scan', path) }, question.question));
  const window = { settings: run.settings, passageBytes: run.models.roomFor('compose', path) };
  const calls = allotmentLeft(question, run);
  if (pieces.length <= calls) return { pieces, chosen: pieces, ...scanCalls(pieces, window) };
  const count = Math.max(1, Math.floor(calls * readingShare));
  const chosen = await choose(question.question, pieces, count, run);
  return { pieces, chosen, ...scanCalls(chosen, window) };
}

export const bytesOf = (pieces: readonly ScanPiece[]): number => pieces.reduce((total, { bytes }) => total + bytes, 0);

/** A share of a whole, as people say it. */
export function percent(part: number, whole: number): string {
  const share = (100 * part) / Math.max(1, whole);
  return `${share > 0 && share < 1 ? share.toPrecision(1) : Math.floor(share)} %`;
}

/** The error for a text of which the budget pays only a part. */
export function tooLong({ pieces, chosen }: ReadingPlan, { settings }: Run): RlmError {
  const { maxCalls, maxTokens, maxCost } = settings.budget;
  const share = percent(bytesOf(chosen), bytesOf(pieces));
  const more = Math.ceil(pieces.length / readingShare) + 5;
  const message = `the budget pays for reading ${chosen.length} of the ${pieces.length} pieces of the text (${share})`;
  if (more > maxCalls)
    return new RlmError('limit-calls', message, {
      hint: `Allow more with --max-calls ${more} (setting budget.maxCalls).`,
    });
  const isCost = maxTokens === null && maxCost !== null;
  return new RlmError(isCost ? 'limit-cost' : 'limit-tokens', message, {
    hint: isCost
      ? 'Allow more with --max-cost (setting budget.maxCost).'
      : 'Allow more with --max-tokens (setting budget.maxTokens).',
  });
}
