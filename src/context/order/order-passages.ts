import type { Passage } from '../../state.ts';
import { chunkAt } from '../chunk-at.ts';
import type { ContextStore } from '../document.ts';
import { findCauses } from './causes.ts';
import { tellsFailure } from './events.ts';
import { findInOrder, type PlacedLine } from './find-lines.ts';
import { readOrderQuestion } from './order-question.ts';

const asksWhy = /\b(?:why|causes?d?|reasons?|warum|weshalb|wieso|ursache)\b/i;

/**
 * Finds the passages with the lines that answer a question about the order in time, in the whole text; where it asks
 * why something failed, also passages that may state the cause. Empty for other questions.
 * @param score the score that the passages get.
 */
export async function orderPassages(
  store: ContextStore,
  question: string,
  score: number,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const order = readOrderQuestion(question);
  if (order === null) return [];
  const lines = await findInOrder(store, order, signal);
  const [first] = lines;
  const explains = first !== undefined && asksWhy.test(question) && tellsFailure(question);
  const { changes, statements } = explains ? await findCauses(store, first, signal) : { changes: [], statements: [] };
  const passageOf = ({ document, startByte }: PlacedLine) =>
    store.passage(store.chunk(chunkAt(store, document, startByte)), score);
  const all = [...[...lines, ...changes].map(passageOf), ...statements.map((passage) => ({ ...passage, score }))];
  return [...new Map(all.map((passage) => [passage.id, passage])).values()];
}
