import { createMemo } from '../../../base/memo.ts';
import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { Reply, Variables } from '../../../prompts/index.ts';
import type { Finding } from '../../../prompts/reply/fields.ts';
import { splitAtMost } from '../question/clauses.ts';
import { type ClauseQuery, readQuery } from '../question/query.ts';
import { saidTerms } from '../question/said-terms.ts';
import { saysUnknown } from '../question/unknowns.ts';
import { above, type Match, matchTerms, share, shareOfNames } from '../ranking/match.ts';
import { quoteSentence } from '../sentences/quote.ts';
import { indexSentences, type SentenceIndex } from '../sentences/sentence-index.ts';
import { selectOverview } from './overview.ts';

const mostClauses = 8;

/** Share of the question's words that a sentence itself has to contain; its surroundings may be about another case. */
const enough = 0.66;
const namesNeeded = 0.7;

/** Sentences of a piece that summarise it, where the question names nothing else. */
const overviewSentences = 2;

// "How many connections has the pool?" asks for a number that the text states; these ask to count what it tells.
const counting =
  /\b(?:how often|how many times|number of times|count (?:the|all|every|how)|how many\b[^?]*\b(?:are|were) there)\b|\bwie oft\b|\bcombien de fois\b|多少次|几次|何回/i;
const listing =
  /^\W*(?:please )?(?:list|name|enumerate|find|show|give)(?: me)? (?:all|every|each)\b|\bwhich of (?:all )?(?:the|these|those)\b|\bliste\b.*\balle[rsnm]?\b|列出所有/i;
const anyNumber = /\b(?:how many|wie ?viele?|combien)\b|多少|几个/i;

/** Whether a question asks for everything of a kind, which the best passages do not answer. */
export const asksForAll = (question: string): boolean => counting.test(question) || listing.test(question);

// "How many times" does not name what is counted, though "times" alone may; nor does "every" name what is listed.
const asksForWhole = /\b(?:how many times|number of times)\b|\b(?:every|each|all|whole|entire)\b/gi;

const asksForNumber = (question: string): boolean => counting.test(question) || anyNumber.test(question);

/** Returns the share of the question's words that a sentence or its headings contain, 0–1. */
const saidBy = (number: number, matches: readonly Match[]): number =>
  share(matches, ({ own, around }) => Math.max(own.get(number) ?? 0, (around.get(number) ?? 0) * above));

/** Removes matches of merely similar words: only things that the text names by the word are counted. */
function onlySaid(query: ClauseQuery, { sentences }: SentenceIndex, matches: readonly Match[]): Match[] {
  const asked = new Set(query.terms.map(({ term }) => term));
  const said = createMemo(10_000, (text: string) => saidTerms(text, asked));
  return matches.map((match, at) => {
    const { term } = query.terms[at]!;
    const own = [...match.own].filter(([number, near]) => near === 1 && said(sentences[number]!.text).has(term));
    return { ...match, own: new Map(own) };
  });
}

function findAll(query: ClauseQuery, index: SentenceIndex, isCounted: boolean): number[] {
  const near = matchTerms(query, index);
  const matches = (isCounted ? onlySaid(query, index, near) : near).filter(({ soft }) => !soft);
  const names = matches.filter(({ name }) => name);
  const numbers = new Set(matches.flatMap(({ own }) => [...own.keys()]));
  return [...numbers].filter((number) => {
    const sentence = index.sentences[number]!;
    if (sentence.kind === 'heading' || saysUnknown(sentence)) return false;
    return saidBy(number, matches) >= enough && shareOfNames(names, number, sentence) >= namesNeeded;
  });
}

function findingsFor(query: ClauseQuery, index: SentenceIndex, isCounted: boolean): number[] {
  if (query.about.size > 0 || !query.intents.has('overview')) return findAll(query, index, isCounted);
  return selectOverview(query, index, overviewSentences).map((candidate) => candidate.index);
}

/** Creates a finding: for counting, each place is one; for listing, equal words are the same finding. */
function toFinding(sentence: Sentence, words: ReadonlySet<string>, isCounted: boolean): Finding {
  const { shown, quote } = quoteSentence(sentence, words);
  const { passage, start } = sentence;
  return { passage: passage.id, quote, key: isCounted ? `${passage.id} ${start}` : '', finding: shown };
}

/** Finds every sentence of a piece of the text that matches the question. */
export function scanPassages({ question, passages }: Variables<'scan'>): Reply<'scan'> {
  const index = indexSentences(passages);
  const isCounted = asksForNumber(question);
  const queries = splitAtMost(question.replace(asksForWhole, ' ').trim() || question, mostClauses).map((clause) =>
    readQuery(clause.question),
  );
  const numbers = [...new Set(queries.flatMap((query) => findingsFor(query, index, isCounted)))].sort((a, b) => a - b);
  const words = new Set(queries.flatMap(({ terms }) => terms.map(({ term }) => term)));
  return {
    findings: numbers.map((number) => toFinding(index.sentences[number]!, words, isCounted)),
    lines: [],
    more: 'no',
    asksFor: isCounted ? 'count' : 'list',
  };
}
