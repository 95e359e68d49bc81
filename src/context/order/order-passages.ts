import type { Passage } from '../../state.ts';
import { chunkAt } from '../chunk-at.ts';
import type { ContextStore } from '../document.ts';
import { findCauses } from './causes.ts';
import { tellsFailure } from './events.ts';
import { findInOrder, type PlacedLine } from './find-lines.ts';
import { readOrderQuestion } from './order-question.ts';

const asksWhy = /\b(?:why|causes?d?|reasons?|warum|weshalb|wieso|ursache)\b/i;

/**
 * The passages that hold the lines which answer a question for which the order in time counts, found in all of the
 * text; where it asks why something failed, also those that may say so. None for other questions.
 * @param score what the passages are given.
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
