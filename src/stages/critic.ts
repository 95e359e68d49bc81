import { RlmError } from '../errors.ts';
import { computeConfidence } from '../evidence/confidence.ts';
import type { Run } from '../run/run.ts';
import type { Critique, Critiqued, Passage, Reasoned, TreeNode } from '../state.ts';
import type { Stage } from './stage.ts';

const unansweredQuestions = (node: TreeNode): string[] => [
  ...(node.answer === null ? [node.question] : []),
  ...node.children.flatMap(unansweredQuestions),
];

/** The passages that the answer cites; the best that were found when it cites none. */
function seenPassages({ evidence, context }: Reasoned, run: Run): readonly Passage[] {
  const cited = run.passages([...new Set(evidence.citations.map(({ passage }) => passage))]);
  return cited.length > 0 ? cited : context.slice(0, run.settings.context.passages);
}

async function criticise(
  state: Reasoned,
  answer: string,
  passages: readonly Passage[],
  run: Run,
): Promise<Critique | null> {
  const { task, plan, recursionTree } = state;
  const variables = {
    task,
    answer,
    passages,
    criteria: plan.successCriteria,
    unanswered: unansweredQuestions(recursionTree),
  };
  try {
    const reply = await run.ask('critic', variables, { path: 'critic', share: 'kept' });
    const { confidenceScore: score, gaps, uncertainties, reasoning } = reply;
    return { score, gaps, uncertainties, reasoning };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    if (run.stopped() === null) run.warn(`the answer was not criticised: ${error.message}`);
    return null;
  }
}

/** Scores the answer and computes the confidence. An answer stands without its critic; a run without an answer has none. */
export const critique: Stage<Reasoned, Critiqued> = async (state, run) => {
  const { answer, citations } = state.recursionTree;
  if (answer === null) return { ...state, critique: null, confidence: null };
  const passages = seenPassages(state, run);
  return {
    ...state,
    critique: await criticise(state, answer, passages, run),
    confidence: computeConfidence(state.task, answer, citations, passages),
  };
};
