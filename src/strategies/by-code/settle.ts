import type { Settings } from '../../config/settings.ts';
import { splitNames } from '../../context/counting/question-parts.ts';
import { type CountingQuestion, readCounting, readTokens } from '../../context/counting/readings.ts';
import type { ContextStore } from '../../context/document.ts';
import { type Computed, computeAnswers } from '../../context/tables/answer-tables.ts';
import type { Run } from '../../run/run.ts';
import type { RunBudget } from '../../run/run-budget.ts';
import type { RunModels } from '../../run/run-models.ts';
import type { RunText } from '../../run/text/run-text.ts';
import { wayOf } from '../../state.ts';
import type { Question } from '../strategy.ts';
import { answerByChat } from './chat-answer.ts';
import type { CodeAnswer } from './code-answer.ts';
import { answerByDuration } from './duration-answer.ts';
import { answerByLines } from './line-answer.ts';
import { answerByTables, otherTables } from './table-answer.ts';
import { answerByVersions } from './version-answer.ts';

/** A question about a text that code may answer. */
export interface AskedOfCode {
  readonly question: string;
  readonly store: ContextStore;
  /**
   * Whether lines that the question chooses by words, and not by tokens, are left to a model that reads all of the
   * text.
   */
  readonly leavesWords: boolean;
}

/** A count of rows that a value alone chooses; lines of other documents may be meant as well. */
function isPlainCount([chosen]: readonly Computed[]): boolean {
  const { aggregate, group } = chosen!.result.tables[0]!.query;
  return aggregate === 'count' && group === null;
}

/** Lines by which a question can be answered, where it says which. */
async function countLinesFor(
  { question, store, leavesWords }: AskedOfCode,
  names: readonly string[],
  signal: AbortSignal,
) {
  const asked: CountingQuestion | null = readCounting(question, names);
  return asked === null || (!asked.isExact && leavesWords) ? null : answerByLines(asked, store, signal);
}

const amongOthers = 0.6;

async function settle(asked: AskedOfCode, signal: AbortSignal): Promise<CodeAnswer | null> {
  const { question, store } = asked;
  for (const answerBy of [answerByDuration, answerByVersions, answerByChat]) {
    const answer = await answerBy(question, store, signal);
    if (answer !== null) return answer;
  }
  const names = store.documents.map(({ name }) => name);
  const { documents, rest } = splitNames(question, names);
  const indexes = [...names.keys()].filter((index) => documents === undefined || documents.includes(names[index]!));
  const computed = await computeAnswers(store, rest, indexes, signal);
  if (computed.length > 0 && !isPlainCount(computed)) return answerByTables(computed, store);
  const lines = await countLinesFor(asked, names, signal);
  if (computed.length === 0) return lines;
  const tables = new Set(computed.flatMap(({ result }) => result.tables.map(({ profile }) => profile.table.document)));
  if (lines === null || lines.documents.every((document) => tables.has(document)))
    return answerByTables(computed, store);
  const { answer, examples, certainty } = lines;
  const [first, ...more] = answer.split('\n');
  const others = otherTables(computed, []);
  return { answer: [first, ...others, ...more].join('\n'), examples, certainty: Math.min(certainty, amongOthers) };
}

const settled = new WeakMap<ContextStore, Map<string, Promise<CodeAnswer | null>>>();

/**
 * The answer to a question that code can compute from all of the text, and how certain it is that it was asked for;
 * null where code cannot. It is computed once for a text: who plans asks whether there is one, and who answers takes
 * it.
 */
export function settleByCode(asked: AskedOfCode, signal: AbortSignal): Promise<CodeAnswer | null> {
  const known = settled.get(asked.store) ?? new Map<string, Promise<CodeAnswer | null>>();
  settled.set(asked.store, known);
  const key = JSON.stringify([asked.question, asked.leavesWords]);
  const answer = known.get(key) ?? settle(asked, signal);
  known.set(key, answer);
  answer.catch(() => known.delete(key));
  return answer;
}

const readsAll = (strategy: Settings['strategy']): boolean => strategy !== 'auto' && wayOf(strategy) === 'all';

/** Whether code computes the answer to a run's task, and the settings leave that to code. */
export async function isSettled(task: string, run: Settleable): Promise<boolean> {
  const { strategy } = run.settings;
  if (strategy !== 'auto' && !readsAll(strategy)) return false;
  return (await settleByCode(askedOf({ question: task, path: '0' }, run), run.budget.signal)) !== null;
}

/** What code has to know of a run. */
export interface Settleable extends Pick<Run, 'settings'> {
  readonly text: Pick<RunText, 'store'>;
  readonly models: Pick<RunModels, 'info'>;
  readonly budget: Pick<RunBudget, 'signal'>;
}

/**
 * A question of a run, as code is asked it. Who asks for a scan by a model wants it to understand what the words of a
 * question only hint at.
 */
export const askedOf = (
  { question, path }: Pick<Question, 'question' | 'path'>,
  { settings, text, models }: Omit<Settleable, 'budget'>,
): AskedOfCode => ({
  question,
  store: text.store,
  leavesWords: readsAll(settings.strategy) && models.info('scan', path).spends !== 'nothing',
});

const tokensOnly = 0.3;

/** Counts the lines with the tokens of a question of which nothing else was found; null where there are none. */
export async function countTokens({ question, store }: AskedOfCode, signal: AbortSignal): Promise<CodeAnswer | null> {
  const asked = readTokens(
    question,
    store.documents.map(({ name }) => name),
  );
  const counted = asked && (await answerByLines(asked, store, signal));
  if (counted === null) return null;
  const answer = `Only the tokens of the question could be counted, not what limits it.\n${counted.answer}`;
  return { ...counted, answer, certainty: tokensOnly };
}
