import { numberCitations } from '../evidence/number-citations.ts';
import type { Run } from '../run/run.ts';
import { type Reasoned, type Retrieved, wayOf } from '../state.ts';
import type { Draft, Question } from '../strategies/strategy.ts';
import { chooseForRoot, type StrategyChoice } from './choose-strategy.ts';
import { type Climbed, climb, toRung } from './ladder.ts';
import type { Stage } from './retriever.ts';
import { attempt, recordNode } from './solve-question.ts';

/** Whether the provider asks a language model. If not, it only quotes the text. */
const asksModel = (run: Run): boolean => run.models.info('answer', '0').spends !== 'nothing';

const mayClimb = ({ plan }: Retrieved, { strategy }: StrategyChoice, run: Run): boolean =>
  plan.madeBy === 'code' && wayOf(strategy) === 'passages' && run.settings.strategy === 'auto' && asksModel(run);

/** Computes the answer. Null with a language model, with a `strategy` that reads less than all, or if SQL cannot. */
async function computeAnswer(root: Question, run: Run): Promise<Draft | null> {
  const { strategy } = run.settings;
  if (asksModel(run) || (strategy !== 'auto' && wayOf(strategy) !== 'all')) return null;
  const { compute } = await import('../strategies/computed.ts');
  return compute(root.question, run);
}

async function answerOnce(root: Question, first: StrategyChoice, run: Run): Promise<Climbed> {
  const computed = await computeAnswer(root, run);
  const draft = computed ?? (await attempt(root, run, first));
  const choice: StrategyChoice = computed === null ? first : { ...first, step: 'look' };
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
