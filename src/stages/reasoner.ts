import { numberCitations } from '../evidence/number-citations.ts';
import type { Run } from '../run/run.ts';
import { type Reasoned, type Retrieved, stepOf, wayOf } from '../state.ts';
import type { Question } from '../strategies/strategy.ts';
import { chooseForRoot, type StrategyChoice, usesModel } from './choose-strategy.ts';
import { type Climbed, climb, toRung } from './ladder.ts';
import type { Stage } from './retriever.ts';
import { attempt, recordNode } from './solve-question.ts';

const mayClimb = ({ plan }: Retrieved, { strategy }: StrategyChoice, run: Run): boolean =>
  plan.madeBy === 'code' && wayOf(strategy) === 'passages' && run.settings.strategy === 'auto' && usesModel(run);

async function answerOnce(root: Question, first: StrategyChoice, run: Run): Promise<Climbed> {
  const draft = await attempt(root, run, first);
  const choice: StrategyChoice = { ...first, step: stepOf(draft.strategy) };
  return { draft, choice, rungs: [toRung({ choice, draft, answerable: null }, true)] };
}

/** Answers the task. */
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
    earlierStep: null,
    hasOwnText: false,
    parts: keyQuestions,
    allotment: run.budget.callsLeft('ordinary'),
  };
  const first = chooseForRoot(root, state.plan, run);
  let reached: Climbed | null = null;
  const recursionTree = await recordNode(root, run, async () => {
    reached = mayClimb(state, first, run) ? await climb(root, first, run) : await answerOnce(root, first, run);
    return reached;
  });
  const { rungs: ladder, draft } = reached!;
  const { answer, citations } = numberCitations(recursionTree.answer ?? '', recursionTree.citations);
  const solution = recursionTree.answer === null ? null : answer;
  return { ...state, solution, citations, read: draft.shown, ladder, recursionTree };
};
