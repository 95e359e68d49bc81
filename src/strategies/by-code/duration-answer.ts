import type { ContextStore } from '../../context/document.ts';
import { createLineFinder } from '../../context/lines.ts';
import { readDurationQuestion } from '../../context/order/duration-question.ts';
import { findBetween, namesPhase } from '../../context/order/find-between.ts';
import { type FoundDuration, findDuration } from '../../context/order/find-durations.ts';
import { findInOrder } from '../../context/order/find-lines.ts';
import { showDuration } from '../../context/order/moments.ts';
import { readOrderQuestion } from '../../context/order/order-question.ts';
import { findSpan } from '../../context/order/spans/find-span.ts';
import { type CodeAnswer, exampleOf, showExample } from './code-answer.ts';

/** Formats a duration in both forms: `4 min 14 s (254 s)`. */
function showBoth(ms: number): string {
  const seconds = `${Number((ms / 1000).toFixed(3))} s`;
  const words = showDuration(ms);
  return words === seconds ? words : `${words} (${seconds})`;
}

type Examples = readonly ReturnType<typeof exampleOf>[];

/**
 * Says between which lines the time is. A mark covers everything that is cited of a passage, so two lines of one
 * passage get no marks here.
 */
function betweenWords([from, to]: Examples): string {
  const [first, second] = [from!.passage.id, to!.passage.id];
  return first === second
    ? 'from the first of these lines to the second'
    : `from the first of these lines [${first}] to the second [${second}]`;
}

const mostOthers = 5;
const between = 0.7;

const notSure = (others: readonly number[]): readonly string[] =>
  others.length === 0 ? [] : [`Other lines come to ${others.slice(0, mostOthers).map(showBoth).join(', ')}.`];

/** Writes the answer from one line that states it, or from the two lines at its ends. */
function showFound(found: FoundDuration, rule: string, store: ContextStore): CodeAnswer {
  const { ms, isStated, certainty, others } = found;
  const finder = createLineFinder(store);
  const examples = found.lines.map(({ document, startByte }) =>
    exampleOf({ document, ...finder.around(document, startByte)! }, store),
  );
  const source = isStated ? `as this line states [${examples[0]!.passage.id}]` : betweenWords(examples);
  const answer = [`${showBoth(ms)}, ${source}:`, ...examples.map(showExample), rule, ...notSure(others)].join('\n');
  return { answer, examples, certainty };
}

const ruleOfTwo = 'Rule: the time at the head of the second line, less that of the first.';
const ruleOfOne = 'Rule: the duration on the line that tells most of what is asked about.';

/** Finds the time between the lines of two events that a question names. */
async function findOrdered(question: string, store: ContextStore, signal: AbortSignal): Promise<FoundDuration | null> {
  const order = readOrderQuestion(question);
  if (order?.kind !== 'span') return null;
  const [from, to] = namesPhase(question) ? [] : await findInOrder(store, order, signal);
  if (from === undefined || to === undefined) return findBetween(question, store, signal);
  const lines = [from, to].map((line) => ({ ...line, endByte: line.startByte, ms: line.moment.ms, share: 1 }));
  return { lines, ms: to.moment.ms - from.moment.ms, certainty: between, isStated: false, others: [] };
}

/** Answers how long something lasted, by the lines that show it; null where there are none. */
export async function answerByDuration(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<CodeAnswer | null> {
  const asked = readDurationQuestion(question);
  const found = asked && (await findDuration(asked, store, signal));
  if (found !== null) {
    const words = [...asked!.tokens, ...asked!.terms].map((word) => `“${word}”`).join(', ');
    const rule = found.isStated
      ? `Rule: the duration on a line with ${words} (words in any form) that says that it ended.`
      : `Rule: from the line with ${words} (words in any form) that says that it began to the next that says that it ended.`;
    return showFound(found, rule, store);
  }
  const span = (await findSpan(question, store, signal)) ?? (await findOrdered(question, store, signal));
  return span && showFound(span, span.isStated ? ruleOfOne : ruleOfTwo, store);
}
