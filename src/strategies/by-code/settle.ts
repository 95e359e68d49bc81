import type { Settings } from '../../config/settings.ts';
import { splitNames } from '../../context/counting/question-parts.ts';
import { type CountingQuestion, readCounting } from '../../context/counting/readings.ts';
import type { ContextStore } from '../../context/document.ts';
import { computeAnswers, type TableAnswer } from '../../context/tables/answer-tables.ts';
import type { Run } from '../../run/run.ts';
import { wayOf } from '../../state.ts';
import type { Draft } from '../strategy.ts';
import { answerByChat } from './chat-answer.ts';
import { type CodeAnswer, draftOf } from './code-answer.ts';
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
function isPlainCount([chosen]: readonly TableAnswer[]): boolean {
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

/**
 * Whether code computes the answers of a run without a language model: where the settings allow reading all of the
 * text.
 */
const mayCompute = ({ strategy }: Settings): boolean => strategy === 'auto' || wayOf(strategy) === 'all';

/** Whether code can compute the answer to a task where no language model answers. */
export async function isComputable(
  task: string,
  settings: Settings,
  store: ContextStore,
  signal: AbortSignal,
): Promise<boolean> {
  return mayCompute(settings) && (await settleByCode({ question: task, store, leavesWords: false }, signal)) !== null;
}

/** A server can be searched, but not read as a whole. */
const unreadServer = 'The text on the search server was not read.';

/** Computes the answer to a task where no language model answers; null where code cannot answer it. */
export async function computeWithoutModel(question: string, run: Run): Promise<Draft | null> {
  const { settings, text, budget } = run;
  if (!mayCompute(settings)) return null;
  const settled = await settleByCode({ question, store: text.store, leavesWords: false }, budget.signal);
  if (settled === null) return null;
  const draft = draftOf(settled, run);
  if (settings.retrieval.server === null) return draft;
  return { ...draft, strategyReason: unreadServer, answer: `${draft.answer}\n\n${unreadServer}` };
}
