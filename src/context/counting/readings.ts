import { contentTerms, forEachWord, terms } from '../words/terms.ts';
import {
  anywhere,
  assigned,
  type Criterion,
  called,
  customary,
  level,
  literal,
  notAtZero,
  ofLogins,
  phrase,
  word,
} from './criteria.ts';
import { asksMeasure } from './measures.ts';
import { limits, splitNames, splitTokens, takeTimes } from './question-parts.ts';

/** Leaves out criteria that say the same: a question may name a word twice. */
const unlike = (criteria: readonly Criterion[]): readonly Criterion[] => [
  ...new Map(criteria.map((one) => [one.says, one])).values(),
];

/** One interpretation of a counting question: lines that meet all its criteria are counted. */
export interface Reading {
  readonly criteria: readonly Criterion[];
  /**
   * Whether criteria match literally, in every document; otherwise only lines of logs are counted, since prose merely
   * mentions events.
   */
  readonly isExact: boolean;
  /**
   * Words of the question that the reading ignores, so that it may count something else: it is the answer only where
   * the text does not contain them.
   */
  readonly leavesOut?: readonly string[];
}

/** A question that asks to count lines, with its readings, the likeliest first. */
export interface CountingQuestion {
  readonly readings: readonly Reading[];
  /** Names of the documents that the question is limited to; undefined: all. */
  readonly documents: readonly string[] | undefined;
  /** Whether the question consists of tokens and log levels only, so that the count is the answer. */
  readonly isExact: boolean;
  /** Whether documents with such a line are counted instead of lines. */
  readonly countsDocuments: boolean;
}

const counting =
  /\b(?:how often|how many times|number of (?:times|lines|occurrences)|count (?:the|all|every|how)|how many\b[^?]*\b(?:are|were|is|was) (?:there|in)\b|how many\b[^?]*\b(?:lines|rows|entries|records|occurrences)\b|how many\W*$|number of \w+ (?:that|which)\b|how many\b[^?]*\b(?:fail|crash|block|reject|refuse|restart|abort|succeed|expire|drop|deny|denie|cancell?|retrie|time)(?:e?d|s)?(?: out)?\W*$)/i;

/** Matches questions that cannot be answered by testing single lines, or that ask for more than a number. */
const beyondLines =
  /\b(?:per|each|every|distinct|different|unique|longer|shorter|larger|more|less|fewer|most|least|between|before|after|since|until|than|without|not|no|never|except)\b|\b(?:by|for each) \w+\W*$|\b(?:and|or) (?:why|what|how|which|when|who|where)\b|\?[^?]*\?/i;

/** Words of a question that say that lines are counted, but not which. */
const fillers = new Set(
  terms(
    'how many much often time times number count total line lines entry entries record records row rows log logs file files text document documents occurrence occurrences occur appear mention mentioned contain contains containing say says have has had there are were was happen happened did does do be please tell me show see find call called named word string token all the in of with a an exist alone only just altogether overall together exactly any both two three four five written wrote that which',
  ),
);

const particles = /\b([a-z]{3,})[ -](out|down|off|over|back|up)\b/gi;

interface Words {
  /** Criteria for what a text most likely writes for the words. */
  readonly likely: readonly Criterion[];
  /** Criteria by stems alone. */
  readonly plain: readonly Criterion[];
  /** The words as the question writes them, in the order of `plain`. */
  readonly written: readonly string[];
  readonly areLevels: boolean;
}

/** Turns the question without its tokens into criteria. */
function readWords(rest: string): Words {
  const phrases: Criterion[] = [];
  const written: string[] = [];
  const single = rest.replace(particles, (_, verb: string, particle: string) => {
    phrases.push(phrase(verb, particle.toLowerCase()));
    written.push(`${verb} ${particle}`);
    return ' ';
  });
  const found = new Map<string, string>();
  forEachWord(single, (one) => {
    for (const term of contentTerms(one)) if (!fillers.has(term)) found.set(term, one);
  });
  const words = [...found];
  const stems = words.map(([term, one]) => word(one, term));
  const isAlone = words.length + phrases.length === 1;
  const meant = words.map(([, one]) => level(one) ?? (isAlone ? customary(one) : null));
  return {
    likely: [...meant.map((one, at) => one ?? stems[at]!), ...phrases],
    plain: [...stems, ...phrases],
    written: [...words.map(([, one]) => one), ...written],
    areLevels: phrases.length === 0 && words.every(([, one]) => level(one) !== null),
  };
}

/** Returns further readings of the words: without counters at 0, and with the last word alone. */
function otherReadings({ likely, plain, written, areLevels }: Words): readonly Reading[] {
  const last = likely.at(-1);
  if (last === undefined || areLevels) return [];
  const counted = { criteria: [...likely.slice(0, -1), notAtZero(last)], isExact: false };
  if (plain.length < 2) return [counted];
  return [counted, { criteria: plain.slice(-1), isExact: false, leavesOut: written.slice(0, -1) }];
}

function readingsOf(tokens: readonly string[], words: Words, nounless: readonly Reading[]): readonly Reading[] {
  const { likely, plain, written, areLevels } = words;
  const literals = tokens.map(literal);
  const own = [
    { criteria: [...literals, ...likely], isExact: areLevels },
    { criteria: [...literals, ...plain], isExact: plain.length === 0 },
  ];
  if (tokens.length === 0) return [...own, ...otherReadings(words)];
  const leavesOut = plain.length === 0 || areLevels ? {} : { leavesOut: written };
  const exact = [literals, tokens.map(anywhere)].map((criteria) => ({ criteria, isExact: true, ...leavesOut }));
  return [...own, ...nounless, ...exact];
}

/** Verbs that describe a state instead of an event: logs have no line for it. */
const lasting =
  /\b(?:have|has|had|needs?|needed|uses?|used|takes?|allow(?:s|ed)?|support(?:s|ed)?|contain(?:s|ed)?|costs?|own(?:s|ed)?|hold|held|wants?|required?|provided?|supposed|based|limited|given|get|got)\W*$/i;

/** Whether a question asks how many of something did, or underwent, what its last words say. */
const tellsDeed = (rest: string): boolean =>
  !lasting.test(rest) &&
  /\bhow many\b[^?]*(?:\bdid\b[^?]*\s[a-z]{3,}\W*$|\w(?:ed|own|oke|ost|elt)\W*$|\b(?:were|was|got) \w+(?:ed|en|own|ost)\b)/i.test(
    rest,
  );

const manyThings = /\bhow (?:many|often)\b/i;
const countsFiles =
  /^\s*(?:in )?how many (?:files|documents|modules|scripts|pages|logs)\b(.*)\b(?:use|uses|used|using|contain|contains|containing|have|has|import|imports|mention|mentions|call|calls|include|includes|reference|references|say|says|set|sets|require|requires|define|defines)\b/i;

/** Reads questions that count what code does with a name, or documents. */
function readSpecial(
  question: string,
  tokens: readonly string[],
  rest: string,
): Omit<CountingQuestion, 'documents'> | null {
  const exactly = (criterion: Criterion, countsDocuments = false) => ({
    readings: [{ criteria: [criterion], isExact: true }],
    isExact: true,
    countsDocuments,
  });
  const [token] = tokens;
  if (token !== undefined && tokens.length === 1) {
    if (countsFiles.test(question)) return exactly(literal(token), true);
    const isName = /^[\w$.]+$/.test(token);
    if (isName && /\b(?:assigned|reassigned)\b/i.test(rest)) return exactly(assigned(token));
    if (isName && /\b(?:called|invoked)\b/i.test(rest) && !/\bcalled\s*\W*$/i.test(question.split(token)[0]!))
      return exactly(called(token));
  }
  return null;
}

/**
 * Returns the reading by tokens alone, for questions whose noun only says what a line is: `options` in "how many
 * options default to X".
 */
function withoutNoun(tokens: readonly string[], rest: string): readonly Reading[] {
  const [, noun] = /\bhow many ([a-z]+)\b/i.exec(rest) ?? [];
  if (tokens.length === 0 || noun === undefined) return [];
  const { plain } = readWords(rest.replace(noun, ' '));
  return plain.length === 0 ? [] : [{ criteria: [...tokens.map(literal), ...plain], isExact: true }];
}

/** Matches questions that are explicitly about lines, in prose too. */
const ofLines = /\b(?:on|in) how many lines\b|\bhow many lines (?:mention|contain|say|have|hold)\b/i;

/**
 * Returns the readings of a question by its tokens alone, for questions whose other words the text does not contain.
 */
export function readCountTokens(question: string, names: readonly string[]): CountingQuestion | null {
  const { documents, rest } = splitNames(question, names);
  const { tokens } = splitTokens(rest.replace(limits, ' '));
  if (tokens.length === 0 || !/\bhow (?:many|often)\b|\bcount\b/i.test(question)) return null;
  const readings = [literal, anywhere].map((toCriterion) => ({ criteria: tokens.map(toCriterion), isExact: true }));
  return { readings, documents, isExact: true, countsDocuments: false };
}

/**
 * Reads a question that asks to count lines; null for any other question, and where it asks for more.
 * @param names names of the documents, which the question may contain.
 */
export function readCounting(question: string, names: readonly string[]): CountingQuestion | null {
  const { documents, rest: unnamed } = splitNames(question, names);
  const { times, rest: untimed } = takeTimes(unnamed);
  const { tokens, rest } = splitTokens(untimed);
  const asks = counting.test(question) || tellsDeed(rest) || (tokens.length > 0 && manyThings.test(rest));
  if (!asks || asksMeasure(question) || beyondLines.test(rest) || /[^\p{ASCII}\p{P}]/u.test(rest)) return null;
  const special = times.length > 0 ? null : readSpecial(question, tokens, rest);
  if (special !== null) return { documents, ...special };
  const words = readWords(rest);
  const isOfLines = ofLines.test(question);
  const logins = ofLogins(rest);
  const custom = logins === null ? [] : [{ criteria: [...tokens.map(literal), logins], isExact: false }];
  const readings = [...custom, ...readingsOf(tokens, words, withoutNoun(tokens, rest))]
    .map((reading) => ({
      ...reading,
      criteria: unlike([...reading.criteria, ...times]),
      isExact: reading.isExact || isOfLines,
    }))
    .filter(({ criteria }) => criteria.length > 0);
  return readings.length === 0 ? null : { readings, documents, isExact: words.areLevels, countsDocuments: false };
}
