import { now } from '../base/clock.ts';
import { isRepeated } from '../context/words/same-question.ts';
import { isForgivable, RlmError } from '../errors.ts';
import { numberCitations } from '../evidence/number-citations.ts';
import type { Run } from '../run/run.ts';
import type { Assessment, Passage, PassageRef, Plan, Reasoned, Retrieved, StrategyName, TreeNode } from '../state.ts';
import { strategies } from '../strategies/index.ts';
import { allotmentLeft, budgetLeft, type Draft, type Question, type Recurse } from '../strategies/strategy.ts';
import { retrieverPath } from './retriever.ts';
import type { Stage } from './stage.ts';

interface Choice {
  readonly strategy: StrategyName;
  readonly reason: string;
  readonly assessment: Assessment | null;
}

const withoutText = ({ text: _, ...reference }: Passage): PassageRef => reference;

/** Two parts, each assessed and answered: with fewer calls left, splitting would leave parts without an answer. */
const callsWorthSplitting = 4;

/** Said once for all questions that it happens to; the tree tells which. */
function tooFew(run: Run, assessment: Assessment | null): Choice {
  run.warn('questions that might have been split were answered directly: too few calls are left (budget.maxCalls)');
  return { strategy: 'direct', reason: 'too few calls are left to split it', assessment };
}

/** How to answer a question below the root: what settles it without asking comes first. */
async function choose(question: Question, run: Run): Promise<Choice> {
  const settled = (reason: string): Choice => ({ strategy: 'direct', reason, assessment: null });
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

/** Null when the call came to nothing: then the question is answered directly, and the run says so. */
async function assess(asked: Question, run: Run): Promise<Assessment | null> {
  const { question, known, path } = asked;
  try {
    return await run.ask('assess', { question, known, budget: budgetLeft(asked, run) }, { path, share: 'ordinary' });
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.warn(`${error.message}; "${question}" is answered directly`);
    return null;
  }
}

/** The draft of a question that got no answer. */
const unanswered = (strategy: StrategyName, error: RlmError): Draft => ({
  strategy,
  strategyReason: null,
  status: 'unanswered',
  answer: null,
  citations: [],
  assumptions: [],
  passages: [],
  searches: [],
  steps: [],
  children: [],
  certainty: null,
  error: error.toInfo(),
});

/** Answers one question: choose a strategy, let it work, record what came of it. Only bugs make it reject. */
async function solve(question: Question, run: Run, chosen: Choice | null): Promise<TreeNode> {
  const { path, depth } = question;
  const startedAt = now();
  run.emit({ type: 'node.started', path, depth, question: question.question });
  let choice = chosen;
  let draft: Draft;
  try {
    choice ??= await choose(question, run);
    run.emit({ type: 'node.judged', path, ...choice });
    draft = await strategies[choice.strategy].solve(question, run, recurseFrom(question, run));
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    draft = unanswered(choice?.strategy ?? 'direct', error);
  }
  const timeMs = Math.round(now() - startedAt);
  const { passages, searches, ...rest } = draft;
  const places = depth === 0 ? [retrieverPath, path] : [path];
  const node: TreeNode = {
    path,
    question: question.question,
    depth,
    ...rest,
    strategyReason: draft.strategyReason ?? choice?.reason ?? '',
    assessment: choice?.assessment ?? null,
    passages: passages.map(withoutText),
    searches: [...places.flatMap(run.searchedAt), ...searches],
    ...run.usage.at(path),
    timeMs,
  };
  const { status, calls, cacheHits, tokens, error } = node;
  run.emit({ type: 'node.completed', path, status, calls, cacheHits, tokens, timeMs, error });
  return node;
}

const fitting: Choice = { strategy: 'direct', reason: 'its part of the text fits one prompt', assessment: null };

const exploring: Choice = { strategy: 'explore', reason: 'reasoner.childTools is full', assessment: null };

/** A step and the call that answers. */
const callsWorthExploring = 2;

/** How a question with a text or with tools of its own is answered; null where that is still to be judged. */
function chooseForChild({ question, ancestors, allotment }: Question, ownText: boolean, explores: boolean, run: Run) {
  if (ownText && run.fits) return fitting;
  return explores && allotment >= callsWorthExploring && !isRepeated(question, ancestors) ? exploring : null;
}

/** The callback through which a strategy asks again, one level deeper. */
function recurseFrom(parent: Question, run: Run): Recurse {
  const ancestors = [...parent.ancestors, parent.question];
  return ({ text, explores = false, ...child }) => {
    const hasOwnText = text !== undefined || parent.hasOwnText;
    const fresh = { criteria: [], passages: null, parts: [], hasOwnText };
    const question = { ...child, ...fresh, depth: parent.depth + 1, ancestors };
    const part = text === undefined ? run : run.within(text);
    return solve(question, part, chooseForChild(question, text !== undefined, explores, part));
  };
}

/** The planner's approach, where depth and budget allow it. Only splitting needs depth, and calls for the parts. */
function chooseForRoot(root: Question, { approach, reason }: Plan, run: Run): Choice {
  if (approach !== 'decompose') return { strategy: approach, reason, assessment: null };
  if (run.settings.budget.maxDepth === 0)
    return { strategy: 'direct', reason: 'the depth limit is 0', assessment: null };
  return root.allotment < callsWorthSplitting ? tooFew(run, null) : { strategy: approach, reason, assessment: null };
}

/** Answers the task: the root takes the planner's approach, its key questions and the passages that were retrieved. */
export const reason: Stage<Retrieved, Reasoned> = async (state, run) => {
  const { keyQuestions, successCriteria } = state.plan;
  const root: Question = {
    question: state.task,
    path: '0',
    depth: 0,
    ancestors: [],
    known: [],
    criteria: successCriteria,
    passages: state.context,
    inHand: [],
    hasOwnText: false,
    parts: keyQuestions,
    allotment: run.budget.callsLeft('ordinary'),
  };
  const recursionTree = await solve(root, run, chooseForRoot(root, state.plan, run));
  const { answer, citations } = numberCitations(recursionTree.answer ?? '', recursionTree.citations);
  return { ...state, solution: recursionTree.answer === null ? null : answer, evidence: { citations }, recursionTree };
};
