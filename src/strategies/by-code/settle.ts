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
  /** Whether questions that select lines by words instead of tokens are left to a model that reads the whole text. */
  readonly leavesWords: boolean;
}

/** Whether the reading is a plain count of rows; lines of other documents may be meant as well. */
function isPlainCount([chosen]: readonly Computed[]): boolean {
  const { aggregate, group } = chosen!.result.tables[0]!.query;
  return aggregate === 'count' && group === null;
}

/** Answers a question by counting lines, where it says which lines. */
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
 * Returns the answer that code computes from the whole text, with its certainty; null where code cannot answer. The
 * result is cached per text, since both the planner and the reasoner ask for it. Rejects with the signal's reason.
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

/** Whether code can compute the answer to a run's task, and the settings allow it. */
export async function isSettled(task: string, run: Settleable): Promise<boolean> {
  const { strategy } = run.settings;
  if (strategy !== 'auto' && !readsAll(strategy)) return false;
  return (await settleByCode(askedOf({ question: task, path: '0' }, run), run.budget.signal)) !== null;
}

/** The parts of a run that answering by code needs. */
export interface Settleable extends Pick<Run, 'settings'> {
  readonly text: Pick<RunText, 'store'>;
  readonly models: Pick<RunModels, 'info'>;
  readonly budget: Pick<RunBudget, 'signal'>;
}

/**
 * Returns a run's question in the form for code. Word-based counts are left to the model where the user asked for a
 * scan, since the model understands more than the words.
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

/** Counts the lines with a question's tokens, for a question that nothing else answers; null where there are none. */
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
