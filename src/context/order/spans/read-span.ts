import { contentTerms, terms } from '../../words/terms.ts';
import { edgeOf } from '../order-question.ts';
import { endsOf, type Meaning, meaningOf } from './meanings.ts';

/** One end of the period that a question asks for: what its line should report. */
export interface SpanEnd {
  /** Terms of its words, including verbs for events. */
  readonly terms: readonly string[];
  /** Meanings of which any one is accepted too. */
  readonly meanings: readonly Meaning[];
  /** Which line is meant where several report the same. */
  readonly edge: 'first' | 'last';
}

/** A question for the time from one thing to another. */
export interface SpanQuestion {
  readonly from: SpanEnd;
  readonly to: SpanEnd;
  /** Whether the question asks how long one thing took, so that a line may state the answer. */
  readonly mayBeStated: boolean;
}

const asks =
  /\bhow (?:long|much time|many (?:seconds|minutes|hours|days)|soon|quickly|fast)\b|\btime (?:from|between|until|to)\b|\bduration\b/i;
/** Matches questions for more than one period, or for a usual one. */
const other =
  /\b(?:average|mean|median|each|every|per|usually|longest|shortest|total|ago|why)\b|\b(?:long|time|soon|fast) do(?:es)?\b/i;
const howLong =
  /\b(?:for )?how (?:long|much time|many (?:seconds|minutes|hours|days)|soon|quickly|fast)\b(?: (?:passed|lay|went by|elapsed|is there|was there|did it take|it took|does it take|was it|is it))?|\bthe (?:time|duration)\b|\btime (?=from|between|until)/gi;

/** Characters of a question that the rules read, at most. */
const longest = 1_000;

type Ends = readonly [from: string, to: string];

/** Question forms with two ends, in order of preference; each returns the words of both ends. */
const forms: readonly ((words: string) => Ends | null)[] = [
  (words) => split(words, /\b(?:between|from)\b/i, /\b(?:and|to|until|till)\b/i),
  (words) => split(words, /\bafter\b/i, /\bdid\b/i),
  (words) => split(words, /\bafter\b/i, /\b(?:was|were|until|till|before|had|has)\b/i),
  (words) => swap(split(words, /\b(?:until|till|before)\b/i, /\b(?:after|since)\b/i)),
  (words) => halves(words, /\b(?:before|until|till)\b/i),
  (words) => swap(halves(words, /\b(?:after|since)\b/i)),
];

const isEmpty = (words: string): boolean => terms(words).length === 0;

/** Splits the words after the first match of `opening` at the first match of `between` that has words before it. */
function split(words: string, opening: RegExp, between: RegExp): Ends | null {
  const start = words.search(opening);
  if (start === -1) return null;
  const rest = words.slice(start).replace(opening, '');
  const lead = /^\W*/.exec(rest)![0].length;
  const found = between.exec(rest.slice(lead + 1));
  if (found === null) return null;
  const at = found.index + lead + 1;
  const ends: Ends = [rest.slice(0, at), rest.slice(at + found[0].length)];
  return ends.some(isEmpty) ? null : ends;
}

function halves(words: string, between: RegExp): Ends | null {
  const found = between.exec(words);
  if (found === null) return null;
  const ends: Ends = [words.slice(0, found.index), words.slice(found.index + found[0].length)];
  return ends.some((one) => contentTerms(one).length === 0) ? null : ends;
}

const swap = (ends: Ends | null): Ends | null => ends && [ends[1], ends[0]];

const fillers = new Set(
  terms(
    'how long much many time take took taken need needed last lasted go went happen get got second minute hour day first latest earliest moment do did does be was were is are it they he she that this there then when end beginning again still just right',
  ),
);

const phases = [
  ['end', /^\s*(?:the )?(?:end|finish|completion|close) of\b/i],
  ['begin', /^\s*(?:the )?(?:start|begin|beginning|launch) of\b/i],
] as const;

function endOf(words: string): SpanEnd {
  const phase = phases.find(([, form]) => form.test(words));
  const meanings: readonly Meaning[] = phase === undefined ? [] : [phase[0]];
  const named = phase === undefined ? words : words.replace(phase[1], ' ');
  const all = [...new Set(terms(named.replace(howLong, ' ')))];
  const own = all.filter((term) => !fillers.has(term) && (meaningOf(term) !== null || contentTerms(term).length > 0));
  return { terms: own, meanings, edge: edgeOf(words) };
}

/** Reads a question for how long a state lasted: from the line that reports it to the next that reports its end. */
function stateOf(words: string): SpanQuestion | null {
  const from = endOf(words);
  if (from.terms.length === 0) return null;
  const happening = from.terms.map(meaningOf).filter((meaning) => meaning !== null);
  const named = from.terms.filter((term) => meaningOf(term) === null);
  return { from, to: { terms: named, meanings: endsOf(happening.at(-1) ?? null), edge: 'first' }, mayBeStated: true };
}

/** Reads the two events whose distance in time a question asks for; null for any other question. */
export function readSpanQuestion(question: string): SpanQuestion | null {
  if (question.length > longest || !asks.test(question) || other.test(question)) return null;
  const words = question.replace(/\?+\s*$/, '').replace(/,\s*how (?:long|much time|many \w+)\b[^,]*$/i, '');
  const rest = words.replace(howLong, ' ');
  for (const form of forms) {
    const ends = form(rest);
    if (ends === null) continue;
    const [from, to] = [endOf(ends[0]), endOf(ends[1])];
    return from.terms.length === 0 || to.terms.length === 0 ? null : { from, to, mayBeStated: false };
  }
  return stateOf(rest);
}
