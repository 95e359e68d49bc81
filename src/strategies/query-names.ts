import type { ContextStore } from '../context/document.ts';
import { plainWords } from '../context/words/same-question.ts';
import type { Run } from '../run/run.ts';
import type { Question } from './strategy.ts';

/** Which chunks a text has, or that it has all of them. */
function chunksOf(text: ContextStore | null, { text: { store } }: Run): string {
  if (text === null || text.chunkCount === store.chunkCount) return 'all';
  return Array.from({ length: text.chunkCount }, (_, index) => text.chunk(index).number).join();
}

/**
 * Names the sub-questions of a question. Those in the same words about the same text share a name; one that is asked
 * already, as the question itself is, has none (null). Without a text a sub-question is about all that the question is
 * about.
 */
export function createQueryNames(asked: Question, run: Run) {
  const nameOf = (question: string, text: ContextStore | null) => `${plainWords(question)}\n${chunksOf(text, run)}`;
  const above = asked.hasOwnText ? [asked.question] : [...asked.ancestors, asked.question];
  const taken = new Set(above.map((question) => nameOf(question, null)));
  return (question: string, text: ContextStore | null): string | null => {
    const name = nameOf(question, text);
    return taken.has(name) ? null : name;
  };
}
