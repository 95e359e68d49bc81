import type { Passage } from '../../state.ts';
import { readSentences, type Sentence } from './sentences.ts';
import { createTextIndex, type TextIndex } from './text-index.ts';

/** The sentences of passages, indexed once for all clauses of a question. */
export interface SentenceIndex {
  readonly sentences: readonly Sentence[];
  readonly own: TextIndex;
  /** What each sentence stands under, with the name of its source. */
  readonly around: TextIndex;
}

/** Reads passages into their sentences. */
export function indexSentences(passages: readonly Passage[]): SentenceIndex {
  const sentences = passages.flatMap(readSentences);
  return {
    sentences,
    own: createTextIndex(sentences.map((sentence) => sentence.text)),
    around: createTextIndex(sentences.map((sentence) => `${sentence.under} ${sentence.passage.source}`)),
  };
}
