import type { CodeRange } from './character-class.ts';
import type { PatternNode, PatternTree } from './pattern-tree.ts';

/** Texts of which every match contains one. */
export interface Literals {
  readonly texts: readonly string[];
  /** Whether a line matches as soon as it contains one. */
  readonly isWhole: boolean;
}

const mostTexts = 16;
const mostCharacters = 200;

/** What is known about a part of a pattern. */
interface Known {
  /** All texts that the part can match; null when there are too many, or they are unknown. */
  readonly all: readonly string[] | null;
  /** Texts of which every match of the part contains one; null when none are known. */
  readonly required: readonly string[] | null;
}

const nothing: Known = { all: null, required: null };

/**
 * Returns the literal texts to search for before a pattern, or null when there are none of two bytes or more. Long
 * texts are rarer, so the set whose shortest text is longest is taken.
 */
export function requiredLiterals({ root, ignoreCase }: PatternTree): Literals | null {
  const { all, required } = learn(root, ignoreCase);
  const texts = better(all, required);
  if (texts === null || shortest(texts) < 2) return null;
  return { texts, isWhole: texts === all };
}

function learn(node: PatternNode, ignoreCase: boolean): Known {
  switch (node.kind) {
    case 'character':
      return learnCharacters([node.code], ignoreCase);
    case 'class':
      return node.negated || node.ranges === null ? nothing : learnCharacters(fewCodes(node.ranges), ignoreCase);
    case 'edge':
      return nothing;
    case 'repeat':
      return learnRepeat(node, ignoreCase);
    case 'sequence':
      return learnSequence(node.nodes, ignoreCase);
    case 'either':
      return learnEither(node.nodes.map((one) => learn(one, ignoreCase)));
  }
}

/** Whether a character has one form in the bytes: none with another case, nor the replacement of invalid bytes. */
function hasOneForm(code: number, ignoreCase: boolean): boolean {
  if (code === 0xfffd || code === 0x0a || code === 0x0d) return false;
  if (code < 0x80 || !ignoreCase) return true;
  const text = String.fromCodePoint(code);
  return text.toLowerCase() === text.toUpperCase();
}

function learnCharacters(codes: readonly number[], ignoreCase: boolean): Known {
  if (codes.length === 0 || !codes.every((code) => hasOneForm(code, ignoreCase))) return nothing;
  const texts = codes.map((code) => String.fromCodePoint(code));
  return { all: texts, required: texts };
}

function fewCodes(ranges: readonly CodeRange[]): number[] {
  const codes: number[] = [];
  for (const [from, to] of ranges) for (let code = from; code <= to && codes.length < 5; code++) codes.push(code);
  return codes.length < 5 ? codes : [];
}

function learnRepeat({ node, min, max }: PatternNode & { kind: 'repeat' }, ignoreCase: boolean): Known {
  if (min === 0) return max === 1 ? { all: withEmpty(learn(node, ignoreCase).all), required: null } : nothing;
  const { all, required } = learn(node, ignoreCase);
  if (min !== max || min > 8) return { all: null, required: better(all, required) };
  return learnParts(Array.from({ length: min }, () => ({ all, required })));
}

const withEmpty = (all: Known['all']) => (all === null ? null : [...all, '']);

const learnSequence = (nodes: readonly PatternNode[], ignoreCase: boolean): Known =>
  learnParts(nodes.map((node) => learn(node, ignoreCase)));

/** Joins fully known neighbours to longer texts; the best of these and of the parts' required texts is required. */
function learnParts(parts: readonly Known[]): Known {
  let run: readonly string[] = [''];
  let best: readonly string[] | null = null;
  let isWhole = true;
  for (const { all, required } of parts) {
    const longer = all === null ? null : product(run, all);
    if (longer !== null) {
      run = longer;
      continue;
    }
    isWhole = false;
    best = better(better(best, run), required);
    run = all ?? [''];
  }
  return isWhole ? { all: run, required: run } : { all: null, required: better(best, run) };
}

function product(starts: readonly string[], ends: readonly string[]): string[] | null {
  if (starts.length * ends.length > mostTexts) return null;
  const texts = starts.flatMap((start) => ends.map((end) => start + end));
  return texts.some(({ length }) => length > mostCharacters) ? null : texts;
}

function learnEither(branches: readonly Known[]): Known {
  const all = union(branches.map((branch) => branch.all));
  return { all, required: all ?? union(branches.map((branch) => better(branch.all, branch.required))) };
}

function union(sets: readonly (readonly string[] | null)[]): readonly string[] | null {
  const texts = new Set<string>();
  for (const set of sets) {
    if (set === null) return null;
    for (const text of set) texts.add(text);
  }
  return texts.size > mostTexts ? null : [...texts];
}

const shortest = (texts: readonly string[]): number => Math.min(...texts.map((text) => Buffer.byteLength(text)));

function better(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  const difference = shortest(one) - shortest(other);
  return difference > 0 || (difference === 0 && one.length <= other.length) ? one : other;
}
