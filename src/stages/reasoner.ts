import { weighAnswer } from '../evidence/doubt.ts';
import { numberCitations } from '../evidence/number-citations.ts';
import type { Run } from '../run/run.ts';
import {
  type LadderStep,
  type Passage,
  type Plan,
  type Reasoned,
  type Retrieved,
  type Rung,
  stepOf,
  wayOf,
} from '../state.ts';
import type { Draft, Question } from '../strategies/strategy.ts';
import { type Climbed, climb, type Step } from './ladder.ts';
import { attempt, callsWorthSplitting, recordNode, type StrategyChoice, tooFew } from './solve-question.ts';
import type { Stage } from './stage.ts';

/**
 * Returns the plan's approach, where depth and budget allow it. Only splitting needs depth, and calls for the parts.
 */
function chooseForRoot(root: Question, { approach, reason }: Plan, run: Run): StrategyChoice {
  if (wayOf(approach) !== 'parts') return { strategy: approach, reason, assessment: null };
  if (run.settings.budget.maxDepth === 0)
    return { strategy: 'direct', reason: 'the depth limit is 0', assessment: null };
  return root.allotment < callsWorthSplitting ? tooFew(run, null) : { strategy: approach, reason, assessment: null };
}

/** Whether the root may climb: the plan was made by code, and further steps can follow an insufficient answer. */
const mayClimb = ({ plan }: Retrieved, { strategy }: StrategyChoice, run: Run): boolean =>
  plan.madeBy === 'code' &&
  (wayOf(strategy) === 'passages' || wayOf(strategy) === 'parts') &&
  run.settings.strategy === 'auto' &&
  run.models.info('answer', '0').spends !== 'nothing';

/** Returns the ladder step of the first choice. */
const firstStep = ({ strategy, reason }: StrategyChoice): Step => ({ step: stepOf(strategy), strategy, reason });

/** Answers the root, step by step up the ladder. */
function climbFrom(root: Question, first: StrategyChoice, run: Run): Promise<Climbed> {
  return climb(root, firstStep(first), run, ({ strategy, reason }, question) =>
    attempt(question, run, { strategy, reason, assessment: null }),
  );
}

/** Returns the doubt that code finds in an answer; null where code computed the answer. */
function doubtIn({ question }: Question, draft: Draft, run: Run): string | null {
  if (draft.certainty !== null) return null;
  return (
    weighAnswer(question, draft, run.passages.byId(draft.citations.map(({ passage }) => passage))).doubt?.about ?? null
  );
}

/** Answers the root with the chosen strategy only. */
async function answerOnce(root: Question, choice: StrategyChoice, run: Run): Promise<Climbed> {
  const draft = await attempt(root, run, choice);
  const { step, ...rest } = firstStep(choice);
  const name: LadderStep = draft.certainty === null ? step : 'look';
  const rungs = [{ step: name, reason: choice.reason, doubt: doubtIn(root, draft, run), isKept: true }];
  return { draft, step: { step: name, ...rest }, rungs };
}

/** Answers the task: the root takes the plan's approach, its key questions and the passages that were retrieved. */
export const reason: Stage<Retrieved, Reasoned> = async (state, run) => {
  const { keyQuestions, successCriteria } = state.plan;
  const root: Question = {
    question: state.task,
    path: '0',
    depth: 0,
    ancestors: [],
    known: state.earlier,
    criteria: successCriteria,
    passages: state.context,
    inHand: [],
    begun: null,
    hasOwnText: false,
    parts: keyQuestions,
    allotment: run.budget.callsLeft('ordinary'),
  };
  const first = chooseForRoot(root, state.plan, run);
  let [ladder, read]: [readonly Rung[], readonly Passage[]] = [[], []];
  const recursionTree = await recordNode(root, run, async () => {
    const { draft, step, rungs } = await (mayClimb(state, first, run) ? climbFrom : answerOnce)(root, first, run);
    [ladder, read] = [rungs, draft.shown];
    return { draft, choice: { strategy: step.strategy, reason: step.reason, assessment: null } };
  });
  const { answer, citations } = numberCitations(recursionTree.answer ?? '', recursionTree.citations);
  const solution = recursionTree.answer === null ? null : answer;
  return { ...state, solution, evidence: { citations }, read, ladder, recursionTree };
};
