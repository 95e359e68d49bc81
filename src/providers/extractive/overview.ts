import type { ClauseQuery } from './query.ts';
import type { Candidate } from './rank.ts';
import type { SentenceIndex } from './sentence-index.ts';

const leading = 0.5;

/** How many other sentences share a sentence's words, with a preference for those that open a document. */
function centrality(evidence: SentenceIndex, counts: ReadonlyMap<string, number>, index: number): number {
  const words = new Set(evidence.own.terms[index]!.filter((word) => word.length > 3 && !/^\d/.test(word)));
  const shared =
    [...words].reduce((sum, word) => sum + Math.min(counts.get(word) ?? 0, 10), 0) / Math.sqrt(words.size + 4);
  const { passage, start } = evidence.sentences[index]!;
  return shared + (leading * 20) / (passage.startLine + start / 80);
}

function countWords(evidence: SentenceIndex): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of evidence.own.terms) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** What the text is about: its most central sentences, for questions that name nothing to look for. */
export function selectOverview(query: ClauseQuery, evidence: SentenceIndex, limit: number): Candidate[] {
  if (query.terms.some((term) => !term.soft && !evidenceHas(evidence, term.term))) return [];
  const counts = countWords(evidence);
  const all = evidence.sentences.map((sentence, index) => ({
    index,
    sentence,
    coverage: 0,
    named: 1,
    sign: 0,
    related: 0,
    score: centrality(evidence, counts, index),
  }));
  const best = all.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, limit);
  return best.sort((one, other) => one.index - other.index);
}

function evidenceHas(evidence: SentenceIndex, term: string): boolean {
  return evidence.own.find(term).size > 0;
}
