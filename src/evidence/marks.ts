/** Matches `[P12]`, `[P3, P4]` and `[P3-P5]`, but not `(P1)` (a severity) or `[p99]` (a latency). */
const marks = /\[\s*(P\d+(?:\s*[,;–-]\s*P?\d+)*)\s*\]/g;

const longestRange = 20;

function idsBetween(first: string, last: string): string[] {
  const [from, to] = [Number(first), Number(last)];
  const isRange = from <= to && to - from < longestRange;
  if (!isRange) return [`P${first}`, `P${last}`];
  return Array.from({ length: to - from + 1 }, (_, step) => `P${from + step}`);
}

function idsIn(inside: string): string[] {
  const items = inside.matchAll(/(\d+)(?:\s*[–-]\s*P?(\d+))?/g);
  return [...items].flatMap(({ 1: first, 2: last }) => (last === undefined ? [`P${first}`] : idsBetween(first!, last)));
}

/** A mark in a text and the ids that it names; `end` is exclusive. */
export interface MarkPlace {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
}

/** Finds the passage marks of an answer. */
export const placesOfMarks = (answer: string): MarkPlace[] =>
  [...answer.matchAll(marks)].map(({ 0: mark, 1: inside, index }) => ({
    start: index,
    end: index + mark.length,
    ids: idsIn(inside!),
  }));

/** Finds the citation numbers `[1]` to `[last]` in an answer. Ignores code between backticks. */
export function placesOfNumbers(answer: string, last: number): MarkPlace[] {
  const plain = answer.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  return [...plain.matchAll(/\[(\d{1,6})\]/g)]
    .filter(({ 1: number }) => Number(number) >= 1 && Number(number) <= last)
    .map(({ 0: mark, 1: number, index }) => ({ start: index, end: index + mark.length, ids: [number!] }));
}

/** Returns the passage ids that an answer's marks name, without duplicates. */
export const markedIds = (answer: string): string[] => [...new Set(placesOfMarks(answer).flatMap(({ ids }) => ids))];

const withoutLastSpaces = (text: string): string => /^[\s\S]*[^ \t]/.exec(text)?.[0] ?? '';

/** Rewrites the marks of an answer. A mark that becomes empty is removed with the spaces before it. */
export function rewriteMarks(answer: string, rewrite: (id: string, offset: number) => string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const mark of placesOfMarks(answer)) {
    const before = answer.slice(end, mark.start);
    const after = mark.ids.map((id) => rewrite(id, mark.start)).join('');
    pieces.push(after === '' ? withoutLastSpaces(before) : before, after);
    end = mark.end;
  }
  return [...pieces, answer.slice(end)].join('').trim();
}

/** Removes passage marks from a text. */
export const withoutMarks = (text: string): string => rewriteMarks(text, () => '');

/** Counts the marks of each passage. */
export function countMarks(answer: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of placesOfMarks(answer).flatMap(({ ids }) => ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
