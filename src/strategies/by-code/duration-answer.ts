import type { ContextStore } from '../../context/document.ts';
import { createLineFinder } from '../../context/lines.ts';
import { readDurationQuestion } from '../../context/order/duration-question.ts';
import { findBetween, namesPhase } from '../../context/order/find-between.ts';
import { findDuration } from '../../context/order/find-durations.ts';
import { findInOrder } from '../../context/order/find-lines.ts';
import { showDuration } from '../../context/order/moments.ts';
import { readOrderQuestion } from '../../context/order/order-question.ts';
import { findSpan } from '../../context/order/spans/find-span.ts';
import { type CodeAnswer, exampleOf, showExample } from './code-answer.ts';

/** `4 min 14 s (254 s)`. */
function showBoth(ms: number): string {
  const seconds = `${Number((ms / 1000).toFixed(3))} s`;
  const words = showDuration(ms);
  return words === seconds ? words : `${words} (${seconds})`;
}

type Examples = readonly ReturnType<typeof exampleOf>[];

/** A mark stands for all that is cited of a passage, so two lines of one passage have none here. */
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

/** How long it is from one line to another that a question names. */
async function answerBetween(question: string, store: ContextStore, signal: AbortSignal): Promise<CodeAnswer | null> {
  const order = readOrderQuestion(question);
  const isSpan = order?.kind === 'span';
  const [from, to] = !isSpan || namesPhase(question) ? [] : await findInOrder(store, order, signal);
  const isFound = from !== undefined && to !== undefined;
  const named = isFound
    ? { lines: [from, to], ms: to.moment.ms - from.moment.ms, certainty: between }
    : isSpan && (await findBetween(question, store, signal));
  const found = named || (await findSpan(question, store, signal));
  if (found === null) return null;
  const finder = createLineFinder(store);
  const examples = found.lines.map(({ document, startByte }) =>
    exampleOf({ document, ...finder.around(document, startByte)! }, store),
  );
  const answer = [
    `${showBoth(found.ms)}, ${betweenWords(examples)}:`,
    ...examples.map(showExample),
    'Rule: the time at the head of the second line, less that of the first.',
  ].join('\n');
  return { answer, examples, certainty: found.certainty };
}

/** Tells how long something went on, by the lines that say so; null where none do. */
export async function answerByDuration(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<CodeAnswer | null> {
  const asked = readDurationQuestion(question);
  if (asked === null) return answerBetween(question, store, signal);
  const found = await findDuration(asked, store, signal);
  if (found === null) return answerBetween(question, store, signal);
  const { ms, isStated, lines, certainty, others } = found;
  const examples = lines.map((line) => exampleOf(line, store));
  const words = [...asked.tokens, ...asked.terms].map((word) => `“${word}”`).join(', ');
  const answer = [
    `${showBoth(ms)}, ${isStated ? `as this line states [${examples[0]!.passage.id}]` : betweenWords(examples)}:`,
    ...examples.map(showExample),
    isStated
      ? `Rule: the duration on a line with ${words} (words in any form) that says that it ended.`
      : `Rule: from the line with ${words} (words in any form) that says that it began to the next that says that it ended.`,
    ...notSure(others),
  ].join('\n');
  return { answer, examples, certainty };
}
