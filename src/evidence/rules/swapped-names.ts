import { isStopword, terms as termsOf } from '../../context/words/terms.ts';
import type { ReadClaim } from '../support/counterparts.ts';
import { namesOf } from '../support/names.ts';
import type { Fault } from './rule.ts';

/** A text as its terms, small words included. */
interface Words {
  readonly words: readonly string[];
  /** Whether its verb stands in the passive with its agent behind it: `was bought by`. */
  readonly isPassive: boolean;
}

interface Name {
  readonly name: string;
  readonly words: readonly string[];
}

const passive = /\b(?:is|are|was|were|be|been|being)\s+(?:\p{L}+\s+){0,2}?\p{L}+\s+by\b/u;

const readWords = (text: string): Words => ({ words: termsOf(text), isPassive: passive.test(text) });

/** Where a name stands: the places of its first and last word. */
function placesOf({ words: name }: Name, { words }: Words): [first: number, last: number][] {
  const found: [number, number][] = [];
  for (let at = 0; at + name.length <= words.length; at++)
    if (name.every((word, offset) => words[at + offset] === word)) found.push([at, at + name.length - 1]);
  return found;
}

/** Two names as they follow each other, with the words between. */
interface Pair {
  readonly isFirst: boolean;
  readonly between: readonly string[];
}

function pairIn(one: Name, other: Name, text: Words): Pair | null {
  let best: Pair | null = null;
  for (const [start, end] of placesOf(one, text)) {
    for (const [otherStart, otherEnd] of placesOf(other, text)) {
      if (start <= otherEnd && otherStart <= end) continue;
      const isFirst = end < otherStart;
      const between = isFirst ? text.words.slice(end + 1, otherStart) : text.words.slice(otherEnd + 1, start);
      if (best === null || between.length < best.between.length)
        best = { isFirst: isFirst !== text.isPassive, between };
    }
  }
  return best;
}

/** The share of the longer one's words that the other has, too. */
function likenessOf(one: readonly string[], other: readonly string[]): number {
  const said = new Set(other);
  return one.filter((word) => said.has(word)).length / Math.max(one.length, other.length, 1);
}

const listed = new Set(['and', 'or', 'the', 'a', 'an']);
const alike = 0.4;

/**
 * How far the evidence has two names the other way round: 1 in words like those of the claim; -1 where it has them as
 * the claim.
 */
function turned(one: Name, other: Name, claim: Words, evidence: readonly Words[]): number {
  const said = pairIn(one, other, claim);
  if (said === null || said.between.every((word) => listed.has(word))) return 0;
  const found = evidence.flatMap((text) => pairIn(one, other, text) ?? []);
  const like = found.filter(({ between }) => likenessOf(said.between, between) >= alike);
  if (like.some(({ isFirst }) => isFirst === said.isFirst)) return -1;
  return like.length > 0 ? 1 : 0;
}

/** What stands beside a name: terms by their side, more the nearer they are. */
type Beside = ReadonlyMap<string, number>;

const reach = 3;

function besideIn(name: Name, text: Words, left: ReadonlySet<string>): [string, number][] {
  return placesOf(name, text).flatMap((ends) =>
    ([-1, 1] as const).flatMap((direction) => {
      const side = (direction === -1) !== text.isPassive ? '<' : '>';
      const from = direction === -1 ? text.words.slice(0, ends[0]).reverse() : text.words.slice(ends[1] + 1);
      const content = from.filter((word) => !isStopword(word) && !left.has(word)).slice(0, reach);
      return content.map((word, place): [string, number] => [side + word, 1 / (place + 1)]);
    }),
  );
}

function strongest(all: readonly [string, number][]): Beside {
  const found = new Map<string, number>();
  for (const [key, value] of all) found.set(key, Math.max(found.get(key) ?? 0, value));
  return found;
}

const common = (one: Beside, other: Beside): number =>
  [...one].reduce((sum, [key, value]) => sum + Math.min(value, other.get(key) ?? 0), 0);

/** How much better the names fit what stands beside them in each other's place; above 0 where they do. */
function gainOfSwap(one: Name, other: Name, claim: Words, evidence: readonly Words[]): number {
  const both = new Set([...one.words, ...other.words]);
  const [a, b] = [one, other].map((name) => strongest(besideIn(name, claim, both))) as [Beside, Beside];
  const [ofA, ofB] = [one, other].map((name) => strongest(evidence.flatMap((text) => besideIn(name, text, both)))) as [
    Beside,
    Beside,
  ];
  return common(a, ofB) + common(b, ofA) - common(a, ofA) - common(b, ofB);
}

const leastGain = 1.1;

/** Two names of the claim that the evidence has in each other's place: who bought whom. */
export function namesInPlace({ text, near }: Pick<ReadClaim, 'text' | 'near'>): Fault | null {
  const known = new Set(near.flatMap((sentence) => namesOf(sentence.text)));
  const names = [...new Set(namesOf(text, known))].map((name) => ({ name, words: termsOf(name) }));
  const claim = readWords(text);
  const evidence = near.map((sentence) => readWords(sentence.text));
  let worst: Fault | null = null;
  let most = leastGain;
  for (const [at, one] of names.entries()) {
    for (const other of names.slice(at + 1)) {
      const order = turned(one, other, claim, evidence);
      const gain = order === -1 ? 0 : 2 * order + gainOfSwap(one, other, claim, evidence);
      if (gain <= most) continue;
      most = gain;
      worst = {
        verdict: 'contradicted',
        reason: `the passage has ${one.name} and ${other.name} in each other's place`,
      };
    }
  }
  return worst;
}
