import { type LineEvent, linesOf, readEvent } from './events.ts';
import { sortByTime, type TimedLine } from './moments.ts';

type Edge = 'first' | 'last';

/** The first or the last line of an event. */
interface Point {
  readonly event: LineEvent;
  readonly edge: Edge;
}

/** A question that the order of lines in time answers. */
export type OrderQuestion =
  | ({ readonly kind: 'edge' } & Point)
  /** The events right before or after an anchor. */
  | {
      readonly kind: 'beside';
      readonly side: 'before' | 'after';
      readonly event: LineEvent;
      readonly anchor: Point;
      readonly limit: number;
    }
  | { readonly kind: 'span'; readonly from: Point; readonly to: Point };

const saysFirst =
  /\b(?:first|earliest|initially|zuerst|erste[rns]?)\b|首先|最初|最早|\b(?:when|what time)\b.*\b(?:start\w*|beg[iau]n\w*)\b/i;
const saysLast =
  /\b(?:latest|finally|most recent\w*|zuletzt|letzte[rns]?)\b|最后|最近|\b(?:the|did|was|were|that|when .*) last\b|\blast (?!for\b|long\b|ed\b)\w|\b\w+(?:ed|t) last\b/i;
const howLong =
  /\b(?:how (?:long|much time|many (?:seconds|minutes|hours|days))|wie lange)\b|\btime (?:from|between)\b/i;
const goesOn = /\b(?:last(?:ed|s)?|go(?:es)? on|went on|continued?|persist\w*|ke(?:ep|pt) (?:on )?\w+ing|dauer\w*)\b/i;
const between = /\b(?:between|from)\s+(.+?)\s+(?:and|to|until|till)\s+(.+)$/i;
const later =
  /\bhow (?:long|much time|many \w+)\s+after\s+(?:(?=.*\sdid\s)(.+?)\s+did|(.+?)\s+(?:was|were|had|has|until|till))\s+(.+)$/i;
const sooner = /\bhow (?:long|much time|many \w+)\s+before\s+(.+?)\s+(?:did|was|were|had|has)\s+(.+)$/i;
const afterwards =
  /\bhow (?:long|much time|many \w+)\s+(?:did it take |was it |it took )?(?:until|till|before|for)\s+(.+?)\s+(?:after|from when|since)\s+(.+)$/i;
const beside =
  /^((?:what|which|who)\b.*?)\b(?:right |just |immediately |shortly |directly )?(before|after)\s+(?!and\b|or\b)(.+)$/i;
const stops = /\b(?:when|what time)\b.*\b(?:errors?|failures?|failing)\b.*\b(?:stop\w*|end\w*|cease\w*)\b/i;

/** Returns which of the lines of an event the words mean. */
export const edgeOf = (words: string): Edge => (saysLast.test(words) ? 'last' : 'first');
const pointOf = (words: string): Point => ({ event: readEvent(words), edge: edgeOf(words) });

/** Reads both ends of a period; in `the first and the last error`, both are errors. */
function pointsOf(from: string, to: string): { readonly from: Point; readonly to: Point } {
  const [first, last] = [pointOf(from), pointOf(to)];
  return { from: first.event.patterns.length > 0 ? first : { ...first, event: last.event }, to: last };
}

/** Reads the ends of "how long after A did B"; A may contain another verb. */
function laterEnds(question: string): string[] | null {
  const found = later.exec(question);
  return found && [found[0], found[1] ?? found[2]!, found[3]!];
}

/** Returns the words for both ends of the period that a question asks for; null where it does not name two. */
export function readEnds(question: string): { readonly from: string; readonly to: string } | null {
  if (!howLong.test(question)) return null;
  const [, from, to] = between.exec(question) ?? laterEnds(question) ?? [];
  if (from !== undefined) return { from, to: to! };
  const [, end, start] = sooner.exec(question) ?? afterwards.exec(question) ?? [];
  return end === undefined ? null : { from: start!, to: end };
}

function readSpan(question: string): OrderQuestion | null {
  if (!howLong.test(question)) return null;
  const ends = readEnds(question);
  if (ends !== null) return { kind: 'span', ...pointsOf(ends.from, ends.to) };
  if (!goesOn.test(question)) return null;
  const event = readEvent(question.replace(howLong, ' ').replace(goesOn, ' '));
  return event.patterns.length === 0
    ? null
    : { kind: 'span', from: { event, edge: 'first' }, to: { event, edge: 'last' } };
}

const neighbours = 3;

function readBeside(question: string): OrderQuestion | null {
  const [, what, side, anchor] = beside.exec(question) ?? [];
  if (what === undefined) return null;
  const limit = saysFirst.test(what) || saysLast.test(what) ? 1 : neighbours;
  const point = pointOf(anchor!);
  if (point.event.patterns.length === 0) return null;
  return {
    kind: 'beside',
    side: side!.toLowerCase() as 'before' | 'after',
    event: readEvent(what),
    anchor: point,
    limit,
  };
}

function readEdge(question: string): OrderQuestion | null {
  const ends = stops.test(question);
  if (!ends && !saysFirst.test(question) && !saysLast.test(question)) return null;
  const event = readEvent(question);
  return event.patterns.length === 0 ? null : { kind: 'edge', event, edge: ends ? 'last' : edgeOf(question) };
}

const withoutWhy = (question: string): string =>
  question.replace(/[,;]?\s+and (?:why|how)\b.*$/i, '').replace(/\?+\s*$/, '');

/** Reads a question about the order in time; null for any other. */
export function readOrderQuestion(question: string): OrderQuestion | null {
  const asked = withoutWhy(question.trim());
  if (/\bhow (?:many|often)\b/i.test(asked) && !howLong.test(asked)) return null;
  return howLong.test(asked) ? readSpan(asked) : (readBeside(asked) ?? readEdge(asked));
}

/** Returns the events that a question names. */
export function eventsOf(question: OrderQuestion): readonly LineEvent[] {
  if (question.kind === 'edge') return [question.event];
  return question.kind === 'span' ? [question.from.event, question.to.event] : [question.anchor.event, question.event];
}

/**
 * The lines that answer, in the order of time, and the time from the first to the last where the question asks for it.
 */
export interface Ordered<Line> {
  readonly lines: readonly Line[];
  readonly spanMs: number | null;
}

function pick<Line extends TimedLine>({ event, edge }: Point, sorted: readonly Line[]): Line | undefined {
  return linesOf(event, sorted).at(edge === 'first' ? 0 : -1);
}

const one = <Line>(line: Line | undefined): readonly Line[] => (line === undefined ? [] : [line]);

function spanOf<Line extends TimedLine>(from: Point, to: Point, sorted: readonly Line[]): Ordered<Line> {
  const start = pick(from, sorted);
  const end =
    start &&
    pick(
      to,
      sorted.filter((line) => line !== start && line.moment.ms >= start.moment.ms),
    );
  if (start === undefined || end === undefined) return { lines: [], spanMs: null };
  return { lines: [start, end], spanMs: end.moment.ms - start.moment.ms };
}

/** Picks from lines those that answer a question; none where no line reports its events. */
export function putInOrder<Line extends TimedLine>(question: OrderQuestion, lines: readonly Line[]): Ordered<Line> {
  const sorted = sortByTime(lines);
  if (question.kind === 'edge') return { lines: one(pick(question, sorted)), spanMs: null };
  if (question.kind === 'span') return spanOf(question.from, question.to, sorted);
  const anchor = pick(question.anchor, sorted);
  if (anchor === undefined) return { lines: [], spanMs: null };
  const at = sorted.indexOf(anchor);
  const found = linesOf(question.event, question.side === 'before' ? sorted.slice(0, at) : sorted.slice(at + 1));
  const { limit } = question;
  const near = question.side === 'before' ? found.slice(-limit) : found.slice(0, limit);
  return { lines: near, spanMs: null };
}
