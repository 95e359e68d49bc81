/**
 * Answers one question of the tree: chooses its strategy, and gives that the callback for questions one level deeper.
 */
import { now } from '../base/clock.ts';
import { isRepeated } from '../context/words/same-question.ts';
import { isForgivable, RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import type { Assessment, Passage, PassageRef, StrategyName, TreeNode } from '../state.ts';
import { strategies } from '../strategies/index.ts';
import { allotmentLeft, budgetLeft, type Draft, draftBy, type Question, type Recurse } from '../strategies/strategy.ts';
import { retrieverPath } from './retriever.ts';

/** How a question is answered, and why. */
export interface StrategyChoice {
  readonly strategy: StrategyName;
  readonly reason: string;
  readonly assessment: Assessment | null;
}

const withoutText = ({ text: _, ...reference }: Passage): PassageRef => reference;

/** Calls left for splitting, at least: two parts, each assessed and answered. */
export const callsWorthSplitting = 4;

/** Warns once per run; the tree shows the affected nodes. */
export function tooFew(run: Run, assessment: Assessment | null): StrategyChoice {
  run.events.warn(
    'questions that might have been split were answered directly: too few calls are left (budget.maxCalls)',
  );
  return { strategy: 'direct', reason: 'too few calls are left to split it', assessment };
}

/** Chooses how to answer a question below the root; facts that decide without a call come first. */
async function choose(question: Question, run: Run): Promise<StrategyChoice> {
  const settled = (reason: string): StrategyChoice => ({ strategy: 'direct', reason, assessment: null });
  if (question.depth >= run.settings.budget.maxDepth) return settled('the depth limit is reached');
  if (isRepeated(question.question, question.ancestors)) return settled('a question above asked the same');
  if (allotmentLeft(question, run) < 2) return tooFew(run, null);
  const assessment = await assess(question, run);
  if (assessment?.verdict === 'COMPLEX' && allotmentLeft(question, run) < callsWorthSplitting)
    return tooFew(run, assessment);
  if (assessment === null) return settled('it could not be assessed');
  return {
    strategy: assessment.verdict === 'COMPLEX' ? 'decompose' : 'direct',
    reason: assessment.reason || `judged ${assessment.verdict}`,
    assessment,
  };
}

/** Assesses a question; null, with a warning, when the call fails, and the question is answered directly. */
async function assess(asked: Question, run: Run): Promise<Assessment | null> {
  const { question, known, path } = asked;
  try {
    return await run.ask('assess', { question, known, budget: budgetLeft(asked, run) }, { path, share: 'ordinary' });
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.events.warn(`${error.message}; "${question}" is answered directly`);
    return null;
  }
}

/** Creates the draft of a question without an answer. */
const unanswered = (strategy: StrategyName, error: RlmError): Draft =>
  draftBy(strategy, { status: 'unanswered', error: error.toInfo() });

/** Runs a strategy; a failure is in the draft. */
export async function attempt(question: Question, run: Run, choice: StrategyChoice): Promise<Draft> {
  try {
    run.events.emit({ type: 'node.judged', path: question.path, ...choice });
    return await strategies[choice.strategy].solve(question, run, recurseFrom(question, run));
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return unanswered(choice.strategy, error);
  }
}

/** The strategy and the draft of a question, from which its node is created. */
interface Worked {
  readonly choice: StrategyChoice;
  readonly draft: Draft;
}

/** Answers a question below the root, after choosing its strategy where that is open. */
async function work(question: Question, run: Run, chosen: StrategyChoice | null): Promise<Worked> {
  try {
    const choice = chosen ?? (await choose(question, run));
    return { choice, draft: await attempt(question, run, choice) };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return { choice: { strategy: 'direct', reason: '', assessment: null }, draft: unanswered('direct', error) };
  }
}

/** Answers a question and records its node. Rejects only on bugs. */
export async function recordNode(question: Question, run: Run, answer: () => Promise<Worked>): Promise<TreeNode> {
  const { path, depth } = question;
  const startedAt = now();
  run.events.emit({ type: 'node.started', path, depth, question: question.question });
  const { choice, draft } = await answer();
  const timeMs = Math.round(now() - startedAt);
  const { passages, shown: _, needsAll: __, searches, ...rest } = draft;
  const places = depth === 0 ? [retrieverPath, path] : [path];
  const node: TreeNode = {
    path,
    question: question.question,
    depth,
    ...rest,
    strategyReason: draft.strategyReason ?? choice.reason,
    assessment: choice.assessment,
    passages: passages.map(withoutText),
    searches: [...places.flatMap(run.passages.searchedAt), ...searches],
    ...run.events.usage.at(path),
    timeMs,
  };
  const { status, calls, cacheHits, tokens, error } = node;
  run.events.emit({ type: 'node.completed', path, status, calls, cacheHits, tokens, timeMs, error });
  return node;
}

const fitting: StrategyChoice = {
  strategy: 'direct',
  reason: 'its part of the text fits one prompt',
  assessment: null,
};

const queried: StrategyChoice = { strategy: 'direct', reason: 'a step of its question asked it', assessment: null };

const exploring: StrategyChoice = { strategy: 'explore', reason: 'reasoner.childTools is full', assessment: null };

/** Calls left for exploring, at least: a step and the answering call. */
const callsWorthExploring = 2;

/** What is known about a question below the root besides its words. */
interface Given {
  readonly ownText: boolean;
  readonly explores: boolean;
  /** Whether a tool or code asked it, so that it is a part already. */
  readonly isQuery: boolean;
}

/** Returns how a question is answered by its circumstances; null where the question has to be assessed. */
function chooseForChild(asked: Question, { ownText, explores, isQuery }: Given, run: Run) {
  const { question, ancestors, allotment } = asked;
  if (ownText && run.text.fits) return fitting;
  if (explores && allotment >= callsWorthExploring && !isRepeated(question, ancestors)) return exploring;
  return isQuery ? queried : null;
}

/** Creates the callback for questions one level deeper. */
function recurseFrom(parent: Question, run: Run): Recurse {
  const ancestors = [...parent.ancestors, parent.question];
  return ({ text, explores = false, isQuery = false, ...child }) => {
    const hasOwnText = text !== undefined || parent.hasOwnText;
    const fresh = { criteria: [], passages: null, parts: [], begun: null, hasOwnText };
    const question = { ...child, ...fresh, depth: parent.depth + 1, ancestors };
    const part = text === undefined ? run : run.within(text);
    const chosen = chooseForChild(question, { ownText: text !== undefined, explores, isQuery }, part);
    return recordNode(question, part, () => work(question, part, chosen));
  };
}
