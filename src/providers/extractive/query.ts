import { createMemo } from '../../base/memo.ts';
import { joinedWords } from '../../context/words/terms.ts';
import { sentenceTerms, termsOf, withoutParts } from './sentence-index.ts';

/** Words that say what kind of answer is wanted; the answer need not contain them. */
const soft = new Set(
  termsOf(
    `first last earliest latest initially finally recent happen occur cause root reason why problem issue thing way kind
    type sort list show tell find describe explain summarize summary overview compare difference give name identify
    mention say state text document file result outcome purpose goal meaning mean value number amount role effect impact
    detail content work use used many much long often fast soon quickly exactly main most actually currently go went get
    come make want need know see look different similar part following answer question said located situated called
    named`,
  ),
);
/** Words that are soft only after a question word: "at what time", "which day". */
const times = new Set(termsOf('time date day year month hour'));
/** Question words and other words without content, in several languages, that the list of stop words lacks. */
const dropped = new Set(
  termsOf(
    `what which who whom whose when where why how please can could would does did is are was were will shall should
    there wer was wen wem wann wo warum wieso weshalb wie welche welcher welches ist sind war wird werden hat haben der
    die das den dem ein eine einen und oder qui que quoi quel quelle quels quand où pourquoi comment est les des une
    cuando cuándo dónde cómo quién qué por el los las`,
  ),
);
const mostTerms = 64;

// "20 weeks" is an amount; "error 404" and "C-1187" are names.
const quantity =
  /\b\d+(?:[.,]\d+)? ?(?:(?:ms|s|secs?|seconds?|mins?|minutes?|hours?|h|days?|nights?|weeks?|months?|quarters?|years?|decades?)\b|%)/giu;
const quoted = /["“„`]([^"“”„`]{2,60})["”“`]/gu;
const identifier = /(?<![\p{L}\p{N}])[\p{L}\p{N}]*[_\d][\p{L}\p{N}_.]*|(?<!\p{Ll})\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu;
// A word of at most three capitals (API, CI, PR) is not treated as a name.
const capitalised = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}_]*\p{Ll}[\p{L}\p{N}_]*|\p{Lu}{4,})/gu;
const germanWords =
  /(?<!\p{L})(?:der|die|das|dem|den|ist|sind|wurde|wird|hat|wer|wie|warum|wann|welche[rsnm]?)(?!\p{L})/iu;

export const isGerman = (text: string): boolean => germanWords.test(text);

const termsMatching = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap((found) => sentenceTerms(found[1] ?? found[0]));

/** Whether capitals distinguish names in a question. They do not in German or in a title. */
function capitalsTell(text: string): boolean {
  const capitals = [...text.matchAll(/(?<!\p{L})\p{Lu}/gu)].length;
  return capitals * 2 <= text.split(/\s+/u).length + 1 && !isGerman(text);
}

function readNames(question: string): Set<string> {
  const rest = question.replace(/^\W*[\p{L}']+/u, '').replace(quantity, ' ');
  const patterns = [quoted, identifier, ...(capitalsTell(question) ? [capitalised] : [])];
  return new Set(patterns.flatMap((pattern) => termsMatching(rest, pattern)));
}

// "What colour is the sky?": the word after "what" names the kind of answer.
const kindAsked = /\b(?:what|which|welche[rsnm]?)\s+([\p{L}-]+)/giu;

function wordsByTerm(question: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [word] of question.matchAll(/[\p{L}\p{N}\p{M}_./-]*[\p{L}\p{N}]/gu)) {
    for (const term of termsOf(word))
      if (!words.has(term)) words.set(term, term.length > word.length / 2 ? word : term);
  }
  return words;
}

export type ClauseQuery = ReturnType<typeof readQuery>;

/** Returns the terms of a question, and whether each is soft or a name. */
export const readQuery = createMemo(32, (question: string) => {
  const sequence = withoutParts([...new Set(sentenceTerms(question))])
    .filter((term) => !dropped.has(term))
    .slice(0, mostTerms);
  const names = readNames(question);
  const kinds = new Set(termsMatching(question, kindAsked));
  // Words in brackets are the topic of an earlier clause. They are soft if the clause also has other words.
  const main = new Set(sentenceTerms(question.replace(/\([^)]*\)/gu, ' ')));
  const isBare = !sequence.some((term) => main.has(term));
  const isSoft = (term: string) =>
    soft.has(term) || !(isBare || main.has(term)) || (times.has(term) && kinds.has(term));
  const onlySoft = sequence.every(isSoft);
  const words = wordsByTerm(question);
  const terms = sequence.map((term) => ({
    term,
    word: words.get(term) ?? term,
    soft: !onlySoft && isSoft(term),
    name: names.has(term) && !isSoft(term),
  }));
  return { question, terms, sequence, joined: joinedWords(question) };
});

/** A part of a question that can be answered separately. */
export interface Clause {
  readonly question: string;
  /** Numbers (from 1) of the earlier clauses that this clause refers back to. */
  readonly needs: readonly number[];
}

const asking = '(?:(?:for|to|by|with|from) )?(?:what|which|who|whom|whose|when|where|why|how)\\b';
/** Where a question begins: after `?`, or with a question word after "and". `(?<!\s)` keeps the time linear. */
const seam = new RegExp(`(?<=[?？])\\s*|(?<!\\s)(?:\\s*,)?\\s+and\\s+(?=${asking})`, 'iu');
/** Where one of several questions begins in a list: "for how long, who decides, and what happens then". */
const comma = new RegExp(`(?<!\\s)\\s*,\\s+(?=${asking})`, 'iu');
const asks = new RegExp(`^${asking}|[?？]$`, 'iu');
const refersBack = /\b(?:it|its|they|them|their|that|this|these|those|he|she|his|her|there)\b/i;
const bare = new RegExp(`^${asking}(?: (?:long|much|many|often))?\\W*$`, 'iu');

const topicOf = (clause: string): string => {
  const words = clause.replace(/\s*\([^)]*\)|[?？.!]+$/gu, '').split(/\s+/u);
  return words.slice(0, 12).join(' ');
};

const withMark = (text: string): string =>
  `${text[0]!.toUpperCase()}${text.slice(1)}${/[?？.!]$/u.test(text) ? '' : '?'}`;

/**
 * Splits a text into the questions that it asks. Returns at least one clause. If a clause refers back, or is only a
 * question word, adds the topic of the previous clause in brackets. If the text has more than `limit` questions, the
 * last clause contains all remaining ones.
 */
export function splitAtMost(question: string, limit: number): Clause[] {
  const parts = question.split(seam).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const texts = parts.length < 2 ? [] : parts.flatMap((part) => part.split(comma)).map((text) => text.trim());
  if (texts.length < 2 || !texts.slice(1).every((text) => asks.test(text)))
    return [{ question: question.trim(), needs: [] }];
  const kept = [...texts.slice(0, limit - 1), texts.slice(limit - 1).join(' ')].filter((text) => text !== '');
  return kept.map((text, at) => {
    const before = kept[at - 1];
    const leans = before !== undefined && (bare.test(text) || refersBack.test(text));
    if (!leans) return { question: withMark(text), needs: [] };
    return { question: `${withMark(text)} (${topicOf(before)})`, needs: [at] };
  });
}

/** Returns the question of a clause without an added topic. */
export const asWritten = (question: string): string => question.replace(/(?<=[?？])\s+\([^)]*\)$/u, '');
