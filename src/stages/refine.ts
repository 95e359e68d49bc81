/** Tries once more to answer what an answer leaves open. */
import { tokensOf } from '../context/text-size.ts';
import { tellsNothing } from '../evidence/claims/tells-nothing.ts';
import { numberCitations } from '../evidence/number-citations.ts';
import type { Run } from '../run/run.ts';
import { type Critiqued, type Rung, type TreeNode, wayOf } from '../state.ts';
import { composeParts } from '../strategies/decompose.ts';
import type { Question } from '../strategies/strategy.ts';
import { critique } from './critic.ts';
import { gapsOf, mayComposeGaps } from './gaps.ts';
import { isInTime } from './in-time.ts';
import { attempt, recordNode } from './solve-question.ts';
import type { Stage } from './stage.ts';

/** Whether the remaining calls and time suffice for the gaps and the composed answer. */
function isAffordable(gaps: number, run: Run): boolean {
  if (run.budget.callsLeft('ordinary') < gaps + 1) return false;
  return isInTime('another round for what the answer leaves open', gaps + 1, tokensOf(run.models.passageBytes()), run);
}

/**
 * Whether a round may improve the answer: not where code computed it, nor where the whole text was read, nor with a
 * model that is too small to compose.
 */
function mayRefine({ solution, recursionTree: { certainty, error, strategy } }: Critiqued, run: Run): boolean {
  if (run.budget.stopped() !== null || solution === null || certainty !== null || error !== null) return false;
  if (run.text.fits || wayOf(strategy) === 'all' || run.settings.budget.maxDepth === 0) return false;
  return mayComposeGaps(run.models.info('compose', '0'));
}

/** Turns a gap into a question below the root, with the answer so far as known. */
function gapQuestion(gap: string, path: string, { task, recursionTree }: Critiqued): Question {
  const known = [{ question: task, answer: recursionTree.answer }];
  const bare = { ancestors: [task], criteria: [], passages: null, inHand: [], parts: [], begun: null };
  return { question: gap, path, depth: 1, known, ...bare, hasOwnText: true, allotment: 1 };
}

/** Answers the gaps in sequence, each from its own search. */
async function answerGaps(gaps: readonly string[], state: Critiqued, run: Run): Promise<TreeNode[]> {
  const nodes: TreeNode[] = [];
  const first = state.recursionTree.children.length + 1;
  for (const [at, gap] of gaps.entries()) {
    const question = gapQuestion(gap, `0.${first + at}`, state);
    const choice = { strategy: 'direct', reason: 'the answer leaves it open', assessment: null } as const;
    nodes.push(await recordNode(question, run, async () => ({ choice, draft: await attempt(question, run, choice) })));
  }
  return nodes;
}

/** Whether an answer to a gap is useful. */
const brings = ({ answer, citations }: TreeNode): boolean =>
  answer !== null && citations.length > 0 && !tellsNothing(answer);

/** Composes an answer from the first one and the answers to its gaps, and checks it as the first one was checked. */
async function composeAnew(state: Critiqued, found: readonly TreeNode[], run: Run): Promise<Critiqued> {
  const { task, plan, recursionTree: tree, ladder } = state;
  const root = { ...gapQuestion(task, '0', state), depth: 0, criteria: plan.successCriteria };
  const { answer, citations, assumptions } = await composeParts(root, [tree, ...found], run);
  const numbered = numberCitations(answer ?? '', citations);
  const settled = ladder.map((rung) => ({ ...rung, doubt: null }));
  const usage = run.events.usage.at('0');
  return critique(
    {
      ...state,
      solution: answer === null ? null : numbered.answer,
      evidence: { citations: numbered.citations },
      ladder: settled,
      recursionTree: { ...tree, answer, citations, assumptions, ...usage },
    },
    run,
  );
}

const faulty = ({ claims }: Critiqued): number =>
  claims.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'contradicted').length;

/** Whether the evidence of an answer is better: higher confidence, and no more unsupported claims. */
const isBetter = (next: Critiqued, before: Critiqued): boolean =>
  next.solution !== null &&
  (next.confidence ?? -1) > (before.confidence ?? -1) &&
  faulty(next) <= faulty(before) &&
  next.contradictions.length <= before.contradictions.length &&
  gapsOf({ ...next, critique: null }).length <= gapsOf({ ...before, critique: null }).length;

/** Adds the round to the ladder and tree of the kept answer. */
function withRound(kept: Critiqued, state: Critiqued, rung: Rung, nodes: readonly TreeNode[]): Critiqued {
  const ladder = state.ladder.map((one) => (rung.isKept ? { ...one, isKept: false } : one));
  const children = [...state.recursionTree.children, ...nodes];
  const critic = kept.critique ?? state.critique;
  return { ...kept, critique: critic, ladder: [...ladder, rung], recursionTree: { ...kept.recursionTree, children } };
}

/** Emits the evidence of the answer that is kept. */
function tell({ solution, claims, contradictions }: Critiqued, run: Run): void {
  run.events.emit({ type: 'evidence.checked', answer: solution ?? '', claims, contradictions });
}

/** Makes one round: searches for the gaps, answers them, and composes again; keeps the better answer. */
async function oneRound(state: Critiqued, gaps: readonly string[], run: Run): Promise<Critiqued> {
  const reason = `open: ${gaps.join('; ')}`;
  run.events.emit({ type: 'ladder.climbed', step: 'refine', reason });
  const nodes = await answerGaps(gaps, state, run);
  const found = nodes.filter(brings);
  const next = found.length === 0 || run.budget.stopped() !== null ? null : await composeAnew(state, found, run);
  const isKept = next !== null && isBetter(next, state);
  if (next !== null && !isKept) tell(state, run);
  const doubt = isKept ? null : next === null ? 'nothing was found for it' : 'its evidence is no better';
  return withRound(isKept ? next : state, state, { step: 'refine', reason, doubt, isKept }, nodes);
}

/**
 * Searches for what the answer leaves open, in up to `refine` rounds, and keeps a new answer only where its evidence
 * is better. The tree shows the searches in either case.
 */
export const refine: Stage<Critiqued, Critiqued> = async (state, run) => {
  let best = state;
  const asked = new Set<string>();
  for (let round = 0; round < run.settings.refine && mayRefine(best, run); round++) {
    const gaps = gapsOf(best).filter((gap) => !asked.has(gap));
    if (gaps.length === 0 || !isAffordable(gaps.length, run)) break;
    for (const gap of gaps) asked.add(gap);
    best = await oneRound(best, gaps, run);
  }
  return best;
};
