import type { Settings } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import { checkClaims, uncheckedClaims } from '../evidence/claims/check-claims.ts';
import { saysNotFound } from '../evidence/claims/tells-nothing.ts';
import { type Confidence, computeConfidence, holdDown, onCurve } from '../evidence/confidence.ts';
import { findContradictions } from '../evidence/contradictions/find-contradictions.ts';
import { findDisagreements } from '../evidence/contradictions/sub-answers.ts';
import type { CriticVariables } from '../prompts/critic.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Run } from '../run/run.ts';
import { refitting } from '../run/text/refit.ts';
import { isSmall, testedOf } from '../run/up-to.ts';
import {
  type Contradiction,
  type Critique,
  type Critiqued,
  type Executed,
  type Passage,
  type Reasoned,
  type TreeNode,
  wayOf,
} from '../state.ts';
import { fitPassages } from './critic/critic-passages.ts';
import type { Stage } from './stage.ts';

const unansweredQuestions = (node: TreeNode): string[] => [
  ...(node.answer === null ? [node.question] : []),
  ...node.children.flatMap(unansweredQuestions),
];

/** The passages that the answer cites; the best that were found when it cites none. */
function citedPassages({ evidence, context }: Reasoned, run: Run): readonly Passage[] {
  const cited = run.passages.byId([...new Set(evidence.citations.map(({ passage }) => passage))]);
  return cited.length > 0 ? cited : context.slice(0, run.settings.context.passages);
}

/** Whether a model has made any of it; what code has counted is right as it stands. */
const isOfModel = ({ calls, cacheHits, children }: TreeNode): boolean =>
  calls + cacheHits > 0 || children.some(isOfModel);

/**
 * Whether the words of a critic of that model are worth their call: not a small model's, nor those of one that only
 * matches words.
 */
export function wantsCritic(settings: Settings, info: ModelInfo): boolean {
  const { critic } = settings.stages;
  if (critic !== 'auto') return critic === 'always';
  return info.spends !== 'nothing' && !isSmall(testedOf(info));
}

/**
 * What the answer was made from, as it was shown, where its model is the critic, too, and runs on the user's own
 * machines: such a server reads again only what differs from the prompt before. Else null.
 */
function sharedPassages({ read }: Reasoned, run: Run): readonly Passage[] | null {
  const info = run.models.info('critic', 'critic');
  const isShared = info.spends === 'tokens' && info === run.models.info('answer', '0');
  return isShared && read.length > 0 ? read : null;
}

/** What the critic is asked. The answer and the criteria take room that passages have in other prompts. */
function variablesFor(state: Reasoned, answer: string, cited: readonly Passage[], run: Run): CriticVariables {
  const { task, plan, recursionTree } = state;
  const rest = { task, answer, criteria: plan.successCriteria, unanswered: unansweredQuestions(recursionTree) };
  const taken = Buffer.byteLength([answer, ...rest.criteria, ...rest.unanswered].join('\n- '));
  const room = run.models.roomFor('critic', 'critic') - taken;
  const shared = sharedPassages(state, run);
  const whole = shared && fitPassages(shared, recursionTree, room);
  return { ...rest, ...(whole?.leftOut === 0 ? whole : fitPassages(cited, recursionTree, room)) };
}

async function criticise(
  state: Reasoned,
  answer: string,
  cited: readonly Passage[],
  run: Run,
): Promise<Critique | null> {
  try {
    const reply = await refitting(run, () => {
      const variables = variablesFor(state, answer, cited, run);
      const { passages, leftOut } = variables;
      if (leftOut > 0)
        run.events.warn(`the critic saw ${passages.length} of ${cited.length} passages: no more fit its prompt`);
      return run.ask('critic', variables, { path: 'critic', share: 'kept' });
    });
    const { confidenceScore: score, gaps, uncertainties, reasoning } = reply;
    return { score, gaps, uncertainties, reasoning };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    if (run.budget.stopped() === null) run.events.warn(`the answer was not criticised: ${error.message}`);
    return null;
  }
}

/** Whether the answer was chosen by its words. What a scan counted and listed was computed. */
const isQuoted = ({ recursionTree }: Reasoned, run: Run): boolean =>
  wayOf(recursionTree.strategy) !== 'all' && run.models.info('answer', '0').quotes === true;

/** Who quotes tells in its critique how well the quotes match: that costs nothing. */
function isAsked(state: Reasoned, run: Run): boolean {
  const { critic } = run.settings.stages;
  if (isQuoted(state, run)) return critic !== 'never';
  if (critic === 'always') return true;
  const isWanted = wantsCritic(run.settings, run.models.info('critic', 'critic'));
  const isDoubted = state.ladder.some(({ isKept, doubt }) => isKept && doubt !== null);
  // Of an answer that only says that nothing was found, there is nothing to prove.
  const claims = !saysNotFound(state.solution ?? '');
  return isWanted && isDoubted && claims && isOfModel(state.recursionTree);
}

/** The passages that any question of the tree was answered from, each once. */
const readIn = ({ passages, children }: TreeNode): string[] => [
  ...new Set([...passages.map(({ id }) => id), ...children.flatMap(readIn)]),
];

/** What the answer's evidence comes to, without a model. */
type Checked = Pick<Critiqued, 'claims' | 'contradictions'>;

const sameSides = (one: Contradiction, other: Contradiction): boolean => {
  const linesOf = ({ sides }: Contradiction) => sides.map(({ source, startLine }) => `${source}:${startLine}`).sort();
  return linesOf(one).join() === linesOf(other).join();
};

/** What contradicts itself among the passages, and what the answers to parts of the question say differently. */
function contradictionsIn(task: string, passages: readonly Passage[], tree: TreeNode): Contradiction[] {
  const found = findContradictions(task, passages);
  const among = findDisagreements(task, tree).filter((one) => !found.some((other) => sameSides(one, other)));
  return [...found, ...among];
}

/** Holds the claims of the answer against what was read, and looks for what contradicts itself there. */
function checkEvidence({ task, solution, evidence: { citations }, recursionTree }: Executed, run: Run): Checked {
  const unchecked = (why: string) => ({ claims: uncheckedClaims(solution ?? '', citations, why), contradictions: [] });
  if (run.settings.evidence.check === 'off') return unchecked('evidence.check is off');
  if (recursionTree.certainty !== null) return unchecked('code has computed it');
  const ids = new Set([...citations.map(({ passage }) => passage), ...readIn(recursionTree)]);
  const passages = run.passages.byId([...ids]);
  return {
    claims: checkClaims(task, solution ?? '', citations, passages),
    contradictions: solution === null ? [] : contradictionsIn(task, passages, recursionTree),
  };
}

/** What a model says of the claims, where it is asked; without one, or where it fails, their words decide. */
async function checkAgain(checked: Checked, state: Executed, run: Run): Promise<Checked> {
  const { evidence, task, recursionTree } = state;
  const isWanted = run.settings.evidence.check === 'model' && recursionTree.certainty === null;
  if (!isWanted || run.budget.stopped() !== null || checked.claims.length === 0) return checked;
  if (run.models.info('check', 'critic').spends === 'nothing') {
    run.events.warn('evidence.check is model, and there is no language model: the claims were checked by their words');
    return checked;
  }
  const { checkByModel } = await import('./critic/check-by-model.ts');
  const passages = run.passages.byId([
    ...new Set([...evidence.citations.map(({ passage }) => passage), ...readIn(recursionTree)]),
  ]);
  try {
    return { ...checked, claims: await checkByModel(task, checked.claims, evidence.citations, passages, run) };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    if (run.budget.stopped() === null)
      run.events.warn(`the claims were checked by their words alone: ${error.message}`);
    return checked;
  }
}

/** The critic's words, with the contradictions among its uncertainties. */
const withContradictions = (critique: Critique | null, { contradictions }: Checked): Critique | null =>
  critique && { ...critique, uncertainties: [...critique.uncertainties, ...contradictions.map(({ text }) => text)] };

/** How well an answer that quotes matches; null, with the reason, where it cites nothing or was not criticised. */
function matchOf({ citations }: TreeNode, score: number | null): Confidence {
  if (citations.length === 0) return { confidence: null, reason: 'the answer cites nothing' };
  return { confidence: score, reason: score === null ? 'stages.critic is never' : null };
}

/**
 * Scores the answer, where that is worth a call, checks its claims and computes the confidence. An answer stands
 * without its critic; a run without an answer has none. What code has computed is not criticised: its confidence is how
 * certain its rule is.
 */
export const critique: Stage<Executed, Critiqued> = async (state, run) => {
  const { answer, citations, certainty } = state.recursionTree;
  const checked = await checkAgain(checkEvidence(state, run), state, run);
  if (answer !== null) run.events.emit({ type: 'evidence.checked', answer: state.solution ?? answer, ...checked });
  const found = { ...state, ...checked, confidenceKind: 'evidence', confidenceReason: null } as const;
  if (answer === null) return { ...found, critique: null, confidence: null, confidenceReason: 'there is no answer' };
  if (certainty !== null) return { ...found, critique: null, confidence: Math.round(100 * certainty) };
  const passages = citedPassages(state, run);
  const said = isAsked(state, run) ? await criticise(state, answer, passages, run) : null;
  const critique = withContradictions(said, checked);
  if (isQuoted(state, run)) {
    const quoted = onCurve(matchOf(state.recursionTree, said?.score ?? null), run.settings.confidenceMap.match);
    const { confidence, reason } = holdDown(quoted, checked.contradictions, citations);
    return { ...found, critique, confidence, confidenceReason: reason, confidenceKind: 'match' };
  }
  const plain = computeConfidence(state.task, checked.claims, passages, state.evidence.citations);
  const computed = onCurve(plain, run.settings.confidenceMap.evidence);
  const { confidence, reason } = holdDown(computed, checked.contradictions, citations);
  return { ...found, critique, confidence, confidenceReason: reason };
};
