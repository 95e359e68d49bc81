/** Searches again for the information that the model names as missing from its answer. */

import { isRepeated } from '../context/words/same-question.ts';
import { carryCitations } from '../evidence/citations.ts';
import { numberCitations } from '../evidence/number-citations.ts';
import type { Run } from '../run/run.ts';
import { type Reasoned, type Rung, type StrategyName, type TreeNode, wayOf } from '../state.ts';
import type { Question } from '../strategies/strategy.ts';
import { chosen, followingStrategy } from './choose-strategy.ts';
import { isInTime } from './ladder.ts';
import type { Stage } from './retriever.ts';
import { attempt, recordNode } from './solve-question.ts';

const mostFollowed = 3;

/** Minimum number of calls for one missing question: one for a step, and one for the answer. */
const callsWorthFollowing = 2;

function mayRefine({ solution, ladder, recursionTree }: Reasoned, run: Run): boolean {
  const { certainty, error, strategy } = recursionTree;
  if (ladder.filter(({ step }) => step !== 'refine').length > 1) return false;
  if (run.budget.stopped() !== null || solution === null || certainty !== null || error !== null) return false;
  if (run.text.fits || run.settings.budget.maxDepth === 0) return false;
  return wayOf(strategy) !== 'steps' && wayOf(strategy) !== 'all';
}

function openQuestions({ task, recursionTree: { missing } }: Reasoned, asked: readonly string[]): readonly string[] {
  return missing.filter((question) => !isRepeated(question, [task, ...asked])).slice(0, mostFollowed);
}

function toQuestion(missing: string, path: string, allotment: number, state: Reasoned, run: Run): Question {
  const { task, recursionTree } = state;
  const shown = run.passages.byId([...new Set(recursionTree.citations.map(({ passage }) => passage))]);
  return {
    ...{ question: missing, path, depth: 1, ancestors: [task], criteria: [], passages: null, parts: [] },
    known: [{ question: task, answer: recursionTree.answer }],
    inHand: shown,
    earlierStep: { shown, answer: null, missing: [] },
    hasOwnText: true,
    allotment,
  };
}

const adds = ({ answer, tells, citations }: TreeNode): boolean =>
  answer !== null && tells !== 'nothing' && citations.length > 0;

function withFound(state: Reasoned, found: readonly TreeNode[], left: readonly string[]): Reasoned {
  const { recursionTree: tree } = state;
  const text = [tree.answer ?? '', ...found.map(({ answer }) => answer)].join('\n\n');
  const { answer, citations } = carryCitations(text, [tree, ...found]);
  const numbered = numberCitations(answer, citations);
  const tells = left.length === 0 ? 'all' : tree.tells;
  const recursionTree = { ...tree, answer, citations, tells, missing: left };
  return { ...state, solution: numbered.answer, citations: numbered.citations, recursionTree };
}

async function oneRound(state: Reasoned, open: readonly string[], strategy: StrategyName, run: Run): Promise<Reasoned> {
  const reason = `missing: ${open.join('; ')}`;
  run.events.emit({ type: 'ladder.climbed', step: 'refine', reason });
  const first = state.recursionTree.children.length + 1;
  const allotment = Math.max(callsWorthFollowing, Math.floor(run.budget.callsLeft('ordinary') / open.length));
  const nodes: TreeNode[] = [];
  for (const [at, missing] of open.entries()) {
    const question = toQuestion(missing, `0.${first + at}`, allotment, state, run);
    const choice = chosen(strategy, 'the answer names it as missing');
    nodes.push(await recordNode(question, run, async () => ({ choice, draft: await attempt(question, run, choice) })));
  }
  const found = nodes.filter(adds);
  const answered = new Set(found.filter(({ tells }) => tells !== 'part').map(({ question }) => question));
  const left = state.recursionTree.missing.filter((question) => !answered.has(question));
  const isKept = found.length > 0;
  const next = isKept ? withFound(state, found, left) : state;
  const doubt = isKept ? null : 'nothing was found';
  const rung: Rung = { step: 'refine', reason, doubt, answerable: null, isKept };
  const children = [...next.recursionTree.children, ...nodes];
  return { ...next, ladder: [...state.ladder, rung], recursionTree: { ...next.recursionTree, children } };
}

/** Searches for what the answer names as missing, and adds the results. The setting `refine` limits the rounds. */
export const refine: Stage<Reasoned, Reasoned> = async (state, run) => {
  const strategy = followingStrategy(run.models.info('explore', '0.1'));
  if (strategy === null) return state;
  let next = state;
  const asked: string[] = [];
  for (let round = 0; round < run.settings.refine && mayRefine(next, run); round++) {
    const open = openQuestions(next, asked);
    const calls = open.length * callsWorthFollowing;
    if (open.length === 0 || run.budget.callsLeft('ordinary') < calls) break;
    if (!isInTime('looking for what is missing', calls, run)) break;
    asked.push(...open);
    next = await oneRound(next, open, strategy, run);
  }
  return next;
};
