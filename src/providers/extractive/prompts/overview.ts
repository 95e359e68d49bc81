import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { ClauseQuery } from '../question/query.ts';
import type { Candidate } from '../ranking/candidate.ts';
import { bestInFront } from '../ranking/order.ts';
import { mostUseful } from '../ranking/useful.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';

const opening = 15;
const mostCounted = 10;
const shortest = 5;
const unmatched = { own: 0, named: 0, words: 0, told: 0, fresh: 0, negated: 0 };
const enoughOfBest = 0.4;

/** How many other sentences share a sentence's words, for its length. */
function centrality({ own }: SentenceIndex, number: number): number {
  const words = [...new Set(own.terms[number])].filter((word) => word.length > 3 && !/^\d/.test(word));
  const shared = words.reduce((sum, word) => sum + Math.min(own.count(word), mostCounted), 0);
  return shared / Math.sqrt(words.length + shortest);
}

/** 1 at the beginning of a document, falling towards 0: what a text is about is said there. */
function nearStart({ passage, start }: Sentence): number {
  const line = passage.startLine + passage.text.slice(0, start).split('\n').length - 2;
  return 1 / (1 + line / opening);
}

function isStatement({ text, kind }: Sentence): boolean {
  return (
    kind !== 'code' && kind !== 'row' && !/<\/?\w+[^<>]*>/.test(text) && text.trim().split(/\s+/).length >= shortest
  );
}

/** What the text is about: its most central sentences, for questions that name nothing else to look for. */
export function selectOverview(query: ClauseQuery, index: SentenceIndex, limit: number): Candidate[] {
  if (query.terms.some((term) => !term.soft && index.own.find(term.term).size === 0)) return [];
  const numbers = [...index.sentences.keys()].filter((number) => isStatement(index.sentences[number]!));
  const most = numbers.reduce((top, number) => Math.max(top, centrality(index, number)), Number.MIN_VALUE);
  const rate = (number: number): Candidate => {
    const sentence = index.sentences[number]!;
    const score = centrality(index, number) / most + nearStart(sentence);
    return { index: number, sentence, matched: unmatched, match: 0, sign: 0, related: 0, score, also: [] };
  };
  const ranked = numbers.map(rate).sort((one, other) => other.score - one.score || one.index - other.index);
  return bestInFront(mostUseful(ranked, query, index, { limit, share: enoughOfBest }));
}
