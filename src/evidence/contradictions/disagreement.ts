import { contentTerms } from '../../context/words/terms.ts';
import { denials } from '../rules/negation.ts';
import { namesInPlace } from '../rules/swapped-names.ts';
import type { EvidenceSentence } from '../support/evidence-text.ts';
import { namesOf } from '../support/names.ts';
import { isSameQuantity, type Quantity } from '../support/numbers.ts';
import { oppositesIn } from './opposites.ts';

/** What each of two sentences says, as clauses: `says 40`, `says 4`. */
export type Disagreement = readonly [one: string, other: string];

/** A sentence as far as it is compared. */
export interface Statement {
  readonly sentence: EvidenceSentence;
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly names: readonly string[];
  /** Years, dates and times of day, as they stand there. */
  readonly times: readonly string[];
  /** The terms that are neither numbers, units nor names. */
  readonly frame: ReadonlySet<string>;
  /** All terms but those of numbers. */
  readonly inOrder: readonly string[];
}

const time =
  /\b(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?|(?:1[0-9]|20)\d\d|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/g;

const isIn = (number: Quantity, all: readonly Quantity[]) => all.some((other) => isSameQuantity(number, other));

/** Reads a sentence; `known` are the names that stand in any of them. */
export function readStatement(sentence: EvidenceSentence, known: ReadonlySet<string>): Statement {
  const { text } = sentence;
  const times = [...text.matchAll(time)].map(({ 0: found }) => found);
  const names = namesOf(text, known).filter((name) => !times.some((one) => one.includes(name) || name.includes(one)));
  const isAddress = (at: number) => /#\s?$|\]\([^)]*$|\/[^\s/]*$/.test(text.slice(Math.max(0, at - 200), at));
  const quantities = sentence.quantities.filter(({ text: number, start }) => {
    return number.toLowerCase() !== 'one' && !times.some((one) => one.includes(number)) && !isAddress(start);
  });
  const ofNumbers = new Set(quantities.flatMap((number) => contentTerms(number.text)));
  const ofNames = new Set([...names, ...times].flatMap((name) => contentTerms(name)));
  const inOrder = contentTerms(text).filter((term) => !ofNumbers.has(term) && !/^\d/.test(term));
  const frame = new Set(inOrder.filter((term) => !ofNames.has(term)));
  return { sentence, text, quantities, names, times, frame, inOrder };
}

const only = <T>(one: readonly T[], other: readonly T[]): T[] => one.filter((item) => !other.includes(item));

/** The share of the smaller set that the other has, and how many that are. */
function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>) {
  const count = [...one].filter((term) => other.has(term)).length;
  return {
    count,
    ofSmaller: count / Math.max(1, Math.min(one.size, other.size)),
    ofLarger: count / Math.max(1, one.size, other.size),
  };
}

const nounAfter = (text: string, { end }: Quantity): string | undefined => contentTerms(text.slice(end, end + 40))[0];

/** Numbers of the same kind that differ, where neither sentence has the other's. */
function otherNumber(one: Statement, other: Statement): Disagreement | null {
  for (const mine of one.quantities) {
    if (isIn(mine, other.quantities)) continue;
    const theirs = other.quantities.find((number) => {
      if (isIn(number, one.quantities) || (number.unit === '') !== (mine.unit === '')) return false;
      return mine.unit !== '' || nounAfter(one.text, mine) === nounAfter(other.text, number);
    });
    if (theirs) return [`says ${mine.text}`, `says ${theirs.text}`];
  }
  return null;
}

/** One denies what the other says. */
function otherPolarity(one: Statement, other: Statement): Disagreement | null {
  const [mine, theirs] = [denials(one.text), denials(other.text)];
  const isOf = (scope: readonly string[], frame: ReadonlySet<string>) =>
    scope.slice(0, 2).some((term) => frame.has(term));
  if (theirs.length === 0 && mine.length === 1 && isOf(mine[0]!.scope, other.frame))
    return [`says "${mine[0]!.word}"`, 'does not'];
  if (mine.length === 0 && theirs.length === 1 && isOf(theirs[0]!.scope, one.frame))
    return ['does not', `says "${theirs[0]!.word}"`];
  const opposites = mine.length + theirs.length === 0 ? oppositesIn(one.text, other.text) : null;
  return opposites ? [`says "${opposites[0]}"`, `says "${opposites[1]}"`] : null;
}

/** What holds one name at a time stands behind such a word. */
const holdsOne = /(?:\b(?:is|are|was|were|by|in|at|to|from|called|named|on)|[:=])\s+(?:the\s+)?$/i;

function otherName(one: Statement, other: Statement): Disagreement | null {
  const [mine, theirs] = [only(one.names, other.names), only(other.names, one.names)];
  if (mine.length !== 1 || theirs.length !== 1) return null;
  const [name, another] = [mine[0]!, theirs[0]!];
  if (name.includes(another) || another.includes(name)) return null;
  const isHeld = (text: string, held: string) => holdsOne.test(text.slice(0, text.indexOf(held)));
  return isHeld(one.text, name) && isHeld(other.text, another) ? [`says ${name}`, `says ${another}`] : null;
}

function otherTime(one: Statement, other: Statement): Disagreement | null {
  const [mine, theirs] = [only(one.times, other.times), only(other.times, one.times)];
  return mine.length > 0 && theirs.length > 0 ? [`says ${mine.join(' ')}`, `says ${theirs.join(' ')}`] : null;
}

const setting =
  /^\s*[-*]?\s*["'`]?(?!(?:const|let|var|export|import|return|module)\b)([\p{L}][\p{L}\p{N} ._-]{1,40}?)["'`]?\s*[:=]\s*["'`]?([^\s"'`,;()[\]{}]+(?: [^\s"'`,;()[\]{}]+){0,2})["'`,;]*\s*$/u;

/** The name that a line gives a value, such as `pool.max` in `pool.max = 20`; null where it gives none. */
export const settingIn = (text: string): string | null => setting.exec(text)?.[1] ?? null;

const isSetting = (text: string): boolean => setting.test(text);
const withoutStop = (value: string): string => value.replace(/\.$/, '');

/** Two lines that give the same name another value, in two documents. */
function otherValue(one: EvidenceSentence, other: EvidenceSentence): Disagreement | null {
  if (one.passage.source === other.passage.source) return null;
  const [mine, theirs] = [setting.exec(one.text), setting.exec(other.text)];
  if (!mine || !theirs || mine[1]!.toLowerCase() !== theirs[1]!.toLowerCase()) return null;
  const [here, there] = [withoutStop(mine[2]!), withoutStop(theirs[2]!)];
  return here.toLowerCase() === there.toLowerCase() ? null : [`says ${here}`, `says ${there}`];
}

const leastShared = 0.6;
const leastOfLarger = 0.4;
const nearlySame = 0.8;

/** The words right before a term that both have: `small plan` is another one than `large plan`. */
function areOtherThings(one: readonly string[], other: readonly string[]): boolean {
  const [mine, theirs] = [new Set(one), new Set(other)];
  return one.some((term, at) => {
    const before = one[at - 1];
    if (before === undefined || theirs.has(before) || !theirs.has(term)) return false;
    const beside = other[other.indexOf(term) - 1];
    return beside !== undefined && !mine.has(beside);
  });
}

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/** The same names in each other's place. */
function otherPlaces(one: EvidenceSentence, other: EvidenceSentence): Disagreement | null {
  const claim = { text: one.text, inOrder: one.terms, terms: one.has, near: [other], nearest: other };
  return namesInPlace(claim) ? [`says "${shortened(one.text)}"`, `says "${shortened(other.text)}"`] : null;
}

/**
 * What two sentences say differently that are else about the same; null where they agree or speak of something else.
 * What differs in time and in another thing speaks of two times.
 */
export function disagreement(one: Statement, other: Statement): Disagreement | null {
  const value = otherValue(one.sentence, other.sentence);
  if (value || isSetting(one.text) || isSetting(other.text)) return value;
  const { count, ofSmaller, ofLarger } = sharedBy(one.frame, other.frame);
  if (count < 2 || ofSmaller < leastShared || ofLarger < leastOfLarger) return null;
  const times = otherTime(one, other);
  const isSame = ofLarger >= nearlySame;
  const denied = otherPolarity(one, other);
  const differs = otherNumber(one, other) ?? (isSame ? otherName(one, other) : null);
  if (times && (denied || differs)) return null;
  if (denied) return denied;
  if (differs) return areOtherThings(one.inOrder, other.inOrder) ? null : differs;
  if (!isSame) return null;
  if (times) return only(one.names, other.names).length === 0 ? times : null;
  return otherPlaces(one.sentence, other.sentence);
}
