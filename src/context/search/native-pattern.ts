import type { CharacterClass, CodeRange, PatternNode, PatternTree, Repeat } from './pattern-tree.ts';

/** A pattern as a native regular expression with a bounded number of steps. */
export interface NativePattern {
  /** The same language, one line at a time or with the flag `m` many lines. */
  readonly source: string;
  readonly flags: 'u' | 'iu';
  /** Whether the steps from one start are bounded by the length of the line, and not by the pattern alone. */
  readonly hasLoop: boolean;
  /** Whether it matches the same lines of ASCII text as the pattern, and not only all of them. */
  readonly isExact: boolean;
}

/** Ways through the pattern from one start, at most, without and with a loop over the rest of the line. */
const mostWays = 256;
const mostWaysWithLoop = 4;
const longestPattern = 500;

/**
 * Returns the native form of a pattern, or null where its steps are not bounded. They are bounded where each loop
 * repeats one character class and ends where the next class begins, except one loop at the end; see decision 0018.
 */
export function toNative({ root, ignoreCase }: PatternTree): NativePattern | null {
  const cost = costOf(root, null);
  if (cost.ways > (cost.loops ? mostWaysWithLoop : mostWays)) return null;
  if (cost.length > longestPattern) return null;
  return { source: print(root), flags: ignoreCase ? 'iu' : 'u', hasLoop: cost.loops, isExact: cost.isExact };
}

/** What matching a part may cost. */
interface Cost {
  /** Ways through the part; Infinity when they are not bounded. */
  readonly ways: number;
  readonly loops: boolean;
  /** Whether a loop of the part may give back characters. */
  readonly gives: boolean;
  /** Characters that one way reads, without loops. */
  readonly length: number;
  readonly isExact: boolean;
}

const plain: Cost = { ways: 1, loops: false, gives: false, length: 1, isExact: true };

/** @param after the nodes that follow; null at the end of the pattern, where a loop never has to backtrack. */
function costOf(node: PatternNode, after: readonly PatternNode[] | null): Cost {
  switch (node.kind) {
    case 'class':
      return { ...plain, isExact: node.ranges !== null };
    case 'sequence':
      return costOfSequence(node.nodes, after);
    case 'either':
      return costOfEither(node.nodes.map((one) => costOf(one, after)));
    case 'repeat':
      return costOfRepeat(node, after);
    default:
      return plain;
  }
}

/** Only one loop may backtrack, and none may follow it: each would read the rest of the line again. */
function costOfSequence(nodes: readonly PatternNode[], after: readonly PatternNode[] | null): Cost {
  let total: Cost = { ...plain, length: 0 };
  for (const [index, node] of nodes.entries()) {
    const rest = [...nodes.slice(index + 1), ...(after ?? [])];
    const cost = costOf(node, rest.length === 0 ? null : rest);
    total = {
      ways: total.gives && cost.loops ? Number.POSITIVE_INFINITY : total.ways * cost.ways,
      loops: total.loops || cost.loops,
      gives: total.gives || cost.gives,
      length: total.length + cost.length,
      isExact: total.isExact && cost.isExact,
    };
  }
  return total;
}

const costOfEither = (costs: readonly Cost[]): Cost => ({
  ways: costs.reduce((sum, { ways }) => sum + ways, 0),
  loops: costs.some(({ loops }) => loops),
  gives: costs.some(({ gives }) => gives),
  length: Math.max(...costs.map(({ length }) => length)),
  isExact: costs.every(({ isExact }) => isExact),
});

function costOfRepeat({ node, min, max }: Repeat, after: readonly PatternNode[] | null): Cost {
  const inner = costOf(node, after);
  if (max !== Number.POSITIVE_INFINITY) {
    if (max > 1 && inner.loops) return { ...inner, ways: Number.POSITIVE_INFINITY };
    let ways = 0;
    for (let times = min; times <= max && ways <= mostWays; times++) ways += inner.ways ** times;
    return { ...inner, ways, length: inner.length * Math.max(1, max) };
  }
  const isSingle = node.kind === 'character' || node.kind === 'class';
  if (!isSingle) return { ...inner, ways: Number.POSITIVE_INFINITY };
  const gives = after !== null && !after.every(isOptional) && !endsBefore(node, after);
  return { ...inner, loops: true, gives, length: min + 1 };
}

/** Whether a node may match nothing, so that it cannot fail. */
const isOptional = (node: PatternNode): boolean =>
  node.kind === 'sequence' ? node.nodes.every(isOptional) : node.kind === 'repeat' && node.min === 0;

/** Whether the following nodes begin with a character that the loop cannot match. */
function endsBefore(loop: PatternNode, [next, ...rest]: readonly PatternNode[]): boolean {
  if (next === undefined) return false;
  if (next.kind === 'sequence') return endsBefore(loop, [...next.nodes, ...rest]);
  if (next.kind === 'repeat') return next.min > 0 && endsBefore(loop, [next.node]);
  if (next.kind !== 'character' && next.kind !== 'class') return false;
  const [one, other] = [rangesOf(loop), rangesOf(next)];
  return one !== null && other !== null && !overlap(one, other);
}

/** Returns the ranges of a node; null where another case or an unknown class adds more. */
function rangesOf(node: PatternNode): readonly CodeRange[] | null {
  if (node.kind === 'character') return [[node.code, node.code]];
  return node.kind === 'class' && !node.negated ? node.ranges : null;
}

function bothCases(ranges: readonly CodeRange[]): CodeRange[] {
  const letters = (from: number, to: number, by: number): CodeRange[] => {
    const [low, high] = [Math.max(from, by > 0 ? 0x41 : 0x61), Math.min(to, by > 0 ? 0x5a : 0x7a)];
    return low <= high ? [[low + by, high + by]] : [];
  };
  return ranges.flatMap(([from, to]) => [[from, to] as CodeRange, ...letters(from, to, 32), ...letters(from, to, -32)]);
}

const overlap = (one: readonly CodeRange[], other: readonly CodeRange[]): boolean =>
  bothCases(one).some(([from, to]) => bothCases(other).some(([start, end]) => from <= end && start <= to));

const character = (code: number): string => `\\u{${code.toString(16)}}`;

function printClass({ ranges, negated }: CharacterClass): string {
  if (ranges === null) return '[^\\n]';
  const items = ranges.flatMap(withoutLineFeed).map(([from, to]) => `${character(from)}-${character(to)}`);
  return negated ? `[^\\n${items.join('')}]` : `[${items.join('')}]`;
}

/** Removes the line feed from a range, so that a native match stays in its line. */
function withoutLineFeed([from, to]: CodeRange): CodeRange[] {
  if (from > 0x0a || to < 0x0a) return [[from, to]];
  return (
    [
      [from, 0x09],
      [0x0b, to],
    ] as const
  ).filter(([start, end]) => start <= end);
}

const printedEdges = { start: '^', end: '$', boundary: '\\b', inside: '\\B' } as const;

function print(node: PatternNode): string {
  switch (node.kind) {
    case 'character':
      return node.code === 0x0a ? '[]' : character(node.code);
    case 'class':
      return printClass(node);
    case 'edge':
      return printedEdges[node.at];
    case 'sequence':
      return `(?:${node.nodes.map(print).join('')})`;
    case 'either':
      return `(?:${node.nodes.map(print).join('|')})`;
    case 'repeat':
      return `(?:${print(node.node)})${printBounds(node)}`;
  }
}

const printBounds = ({ min, max, lazy }: Repeat): string =>
  `{${min},${max === Number.POSITIVE_INFINITY ? '' : max}}${lazy ? '?' : ''}`;
