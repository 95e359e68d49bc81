import { RlmError } from '../errors.ts';
import { computeConfidence } from '../evidence/confidence.ts';
import type { CriticVariables } from '../prompts/critic.ts';
import type { Run } from '../run/run.ts';
import type { Critique, Critiqued, Executed, Passage, Reasoned, TreeNode } from '../state.ts';
import { fitPassages } from './critic-passages.ts';
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

/** What the critic is asked. The answer and the criteria take room that passages have in other prompts. */
function variablesFor(
  { task, plan, recursionTree }: Reasoned,
  answer: string,
  seen: readonly Passage[],
  run: Run,
): CriticVariables {
  const rest = { task, answer, criteria: plan.successCriteria, unanswered: unansweredQuestions(recursionTree) };
  const taken = Buffer.byteLength([answer, ...rest.criteria, ...rest.unanswered].join('\n- '));
  return { ...rest, ...fitPassages(seen, recursionTree, run.roomFor('critic', 'critic') - taken) };
}

async function criticise(
  state: Reasoned,
  answer: string,
  seen: readonly Passage[],
  run: Run,
): Promise<Critique | null> {
  const variables = variablesFor(state, answer, seen, run);
  const { passages, leftOut } = variables;
  if (leftOut > 0) run.warn(`the critic saw ${passages.length} of ${seen.length} passages: no more fit its prompt`);
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

/** Whether the answer was chosen by its words. What a scan counted and listed was computed. */
const isQuoted = ({ recursionTree }: Reasoned, run: Run): boolean =>
  recursionTree.strategy !== 'scan' && run.modelInfo('answer', '0').quotes === true;

/**
 * Scores the answer and computes the confidence. An answer stands without its critic; a run without an answer has
 * none.
 */
export const critique: Stage<Executed, Critiqued> = async (state, run) => {
  const { answer, citations } = state.recursionTree;
  if (answer === null) return { ...state, critique: null, confidence: null, confidenceKind: 'evidence' };
  const passages = seenPassages(state, run);
  const critique = await criticise(state, answer, passages, run);
  if (isQuoted(state, run)) {
    const match = citations.length === 0 ? null : (critique?.score ?? null);
    return { ...state, critique, confidence: match, confidenceKind: 'match' };
  }
  const confidence = computeConfidence(state.task, answer, citations, passages);
  return { ...state, critique, confidence, confidenceKind: 'evidence' };
};
