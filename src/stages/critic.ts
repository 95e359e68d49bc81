import type { Settings } from '../config/settings.ts';
import { isComputed } from '../context/computed-passage.ts';
import { RlmError } from '../errors.ts';
import { checkCitation } from '../evidence/citations.ts';
import { checkClaims, uncheckedClaims } from '../evidence/claims/check-claims.ts';
import { type Confidence, computeConfidence, holdDown, onCurve } from '../evidence/confidence.ts';
import type { CriticVariables } from '../prompts/critic.ts';
import type { Reply } from '../prompts/index.ts';
import type { ModelInfo } from '../providers/provider.ts';
import { isSmall } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import { fitInTurns } from '../run/text/fit-passages.ts';
import { refitting } from '../run/text/refit.ts';
import {
  type Claim,
  type Contradiction,
  type ContradictionSide,
  type Critiqued,
  hasUnfoundValues,
  notChecked,
  type Passage,
  type Reasoned,
  type TreeNode,
  type Verdict,
  wayOf,
} from '../state.ts';
import type { Stage } from './retriever.ts';

/** Groups passages by the first part of the question that cites them. */
function byPart(passages: readonly Passage[], { children }: TreeNode): Passage[][] {
  const cites = children.map(({ citations }) => new Set(citations.map(({ passage }) => passage)));
  const groups = new Map<number, Passage[]>();
  for (const passage of passages) {
    const part = cites.findIndex((cited) => cited.has(passage.id));
    groups.set(part, [...(groups.get(part) ?? []), passage]);
  }
  return [...groups.values()];
}

/**
 * Returns the passages that fit into `room` bytes, and the number of those that do not fit. Takes passages from the
 * parts of the question in turn.
 */
export function fitPassages(passages: readonly Passage[], tree: TreeNode, room: number) {
  const kept = new Set(fitInTurns(byPart(passages, tree), room));
  return { passages: passages.filter((passage) => kept.has(passage)), leftOut: passages.length - kept.size };
}

const unansweredQuestions = (node: TreeNode): string[] => [
  ...(node.answer === null ? [node.question] : []),
  ...node.children.flatMap(unansweredQuestions),
];

const citedPassages = ({ citations }: Reasoned, run: Run): readonly Passage[] =>
  run.passages.byId([...new Set(citations.map(({ passage }) => passage))]);

/** Whether a model wrote any part of the answer. */
const isOfModel = ({ calls, cacheHits, children }: TreeNode): boolean =>
  calls + cacheHits > 0 || children.some(isOfModel);

/** Whether the critic's model is asked. `inDoubt`: only if code cannot find an exact value of a claim in the text. */
export function wantsCritic({ stages, evidence, minConfidence }: Settings, info: ModelInfo): 'no' | 'inDoubt' | 'yes' {
  if (stages.critic === 'never' || evidence.check === 'off') return 'no';
  if (stages.critic === 'always' || evidence.check === 'model') return 'yes';
  if (info.spends === 'nothing' || isSmall(info)) return 'no';
  return minConfidence === null ? 'inDoubt' : 'yes';
}

/** Whether the answer quotes sentences that share words with the question; false for a scan. */
const isQuoted = ({ recursionTree }: Reasoned, run: Run): boolean =>
  wayOf(recursionTree.strategy) !== 'all' && run.models.info('answer', '0').quotes === true;

/** Whether to ask the critic. For a quoted answer, the critic costs nothing. */
function isAsked(state: Reasoned, claims: readonly Claim[], run: Run): boolean {
  if (isQuoted(state, run)) return run.settings.stages.critic !== 'never';
  const wanted = wantsCritic(run.settings, run.models.info('critic', 'critic'));
  if (wanted === 'no') return false;
  if (run.settings.stages.critic === 'always') return true;
  return claims.length > 0 && isOfModel(state.recursionTree) && (wanted === 'yes' || claims.some(hasUnfoundValues));
}

function variablesFor(state: Reasoned, answer: string, claims: readonly Claim[], run: Run): CriticVariables {
  const { task, recursionTree, context } = state;
  const idOf = new Map(state.citations.map(({ number, passage }) => [number, passage]));
  const marked = claims.map(({ text, citations }) =>
    [text, ...citations.map((number) => `[${idOf.get(number)}]`)].join(' '),
  );
  // An answer without claims, such as "Not found: …", is judged as a whole.
  const numbered = marked.length > 0 ? marked : [answer];
  const unanswered = unansweredQuestions(recursionTree);
  const taken = Buffer.byteLength([...numbered, ...unanswered].join('\n- '));
  const room = run.models.roomFor('critic', 'critic') - taken;
  const cited = citedPassages(state, run);
  const own = cited.length > 0 ? cited : context.slice(0, run.settings.context.passages);
  const shown = fitPassages(own, recursionTree, room);
  const passages = withRead(shown.passages, state, room);
  return { task, answer, claims: numbered, unanswered, passages, leftOut: shown.leftOut };
}

/** Adds the passages of the answering prompt that fit, in the prompt's order. Other cited passages come last. */
function withRead(cited: readonly Passage[], { read }: Reasoned, room: number): readonly Passage[] {
  if (read.length === 0) return cited;
  const fitting = new Map(fitInTurns([[...cited, ...read]], room).map((passage) => [passage.id, passage]));
  const inOrder = read.flatMap(({ id }) => fitting.get(id) ?? []);
  return [...inOrder, ...cited.filter(({ id }) => !inOrder.some((one) => one.id === id))];
}

type Judged = Reply<'critic'>;

async function judge(state: Reasoned, answer: string, claims: readonly Claim[], run: Run): Promise<Judged | null> {
  try {
    return await refitting(run, () => {
      const variables = variablesFor(state, answer, claims, run);
      const { passages, leftOut } = variables;
      if (leftOut > 0)
        run.events.warn(
          'not-judged',
          `the critic saw ${passages.length} of ${passages.length + leftOut} passages, because no more fit its prompt`,
        );
      return run.ask('critic', variables, { path: 'critic', share: 'kept' });
    });
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    if (run.budget.stopped() === null) run.events.warn('not-judged', `the answer was not criticised: ${error.message}`);
    return null;
  }
}

const supportOf: Readonly<Record<Exclude<Verdict, 'unchecked'>, number>> = {
  supported: 0.95,
  partial: 0.6,
  unsupported: 0.2,
  contradicted: 0.05,
};

/** Adds the verdicts of the critic to claims. A claim that is already `supported` keeps its verdict. */
function withVerdicts(claims: readonly Claim[], { verdicts }: Judged): Claim[] {
  const byNumber = new Map(verdicts.map((one) => [one.claim, one]));
  return claims.map((claim, index) => {
    const said = byNumber.get(index + 1);
    if (said === undefined || claim.verdict === 'supported') return claim;
    const reason = said.verdict === 'supported' ? null : said.wrong || `the critic says: ${said.verdict}`;
    return { ...claim, verdict: said.verdict, support: supportOf[said.verdict], reason };
  });
}

/** Returns the contradictions that the critic noticed, but omits those with a quote that no passage contains. */
function contradictionsOf({ conflicts }: Judged, passages: readonly Passage[]): Contradiction[] {
  return conflicts.flatMap((sides): Contradiction[] => {
    const [one, other] = sides.map((side): ContradictionSide | null => {
      const checked = checkCitation(side, passages, 0);
      if (!('citation' in checked) || checked.citation.quote === null) return null;
      const { passage, source, startLine, endLine, quote } = checked.citation;
      return { passage, source, startLine, endLine, quote: quote! };
    });
    if (!one || !other || (one.source === other.source && one.startLine === other.startLine)) return [];
    const text = [one, other]
      .map(({ source, startLine, quote }) => `${source}:${startLine} says "${quote}"`)
      .join(', ');
    return [{ text, sides: [one, other] }];
  });
}

function checkExact(state: Reasoned, run: Run): readonly Claim[] {
  const { task, solution, citations, recursionTree } = state;
  const unchecked = (why: string) => uncheckedClaims(solution ?? '', citations, why);
  if (run.settings.evidence.check === 'off') return unchecked(notChecked.off);
  if (recursionTree.certainty !== null) return unchecked(notChecked.computed);
  // Claims are also checked against the headings that the prompt showed.
  const shown = new Map(state.read.map(({ id, under = [] }) => [id, under]));
  const cited = citedPassages(state, run).map((passage) => {
    return { ...passage, under: [...(shown.get(passage.id) ?? []), ...(passage.under ?? [])] };
  });
  return checkClaims(task, solution ?? '', citations, cited);
}

const notByModel = 'the model gave no usable answer, and sentences are quoted';

function matchOf({ citations }: TreeNode, score: number | null, { stages }: Settings): Confidence {
  if (citations.length === 0) return { confidence: null, reason: 'the answer cites nothing' };
  const why = stages.critic === 'never' ? 'stages.critic is never' : 'the critic gave no score';
  return { confidence: score, reason: score === null ? why : null };
}

/**
 * Computes the confidence in claims from their evidence. Evidence for a small model's answer has other weights in two
 * cases: the answer cites no computed value, or the model worked in steps and thus chose what to compute.
 */
export function confidenceIn(
  { ladder, recursionTree: tree }: Reasoned,
  { claims, citations, contradictions }: Pick<Critiqued, 'claims' | 'citations' | 'contradictions'>,
  score: number | null,
  { settings, models }: Run,
): Confidence {
  if (settings.evidence.check === 'off') return { confidence: null, reason: notChecked.off };
  const isStepped = wayOf(tree.strategy) === 'steps';
  const isUnproved = isStepped || !citations.some(isComputed);
  const signals = {
    ...{ tells: tree.tells, claims, citations, score, isStepped },
    answerable: ladder.find(({ isKept }) => isKept)?.answerable ?? null,
    isSmall: isUnproved && isSmall(models.info('answer', '0')),
  };
  return holdDown(onCurve(computeConfidence(signals), settings.confidenceMap.evidence), contradictions, citations);
}

/**
 * Checks the answer: code checks exact statements, and a model may judge the claims. An answer that code computed is
 * not judged. Its confidence is its `certainty`.
 */
export const critique: Stage<Reasoned, Critiqued> = async (state, run) => {
  const { answer, certainty } = state.recursionTree;
  const exact = checkExact(state, run);
  const isJudged = answer !== null && certainty === null && isAsked(state, exact, run);
  const said = isJudged ? await judge(state, answer, exact, run) : null;
  const claims = said === null ? exact : withVerdicts(exact, said);
  const seen = said === null ? [] : [...state.read, ...citedPassages(state, run)];
  const contradictions = said === null ? [] : contradictionsOf(said, seen);
  if (answer !== null)
    run.events.emit({ type: 'evidence.checked', answer: state.solution ?? answer, claims, contradictions });
  const found = { ...state, claims, contradictions, confidenceKind: 'evidence', confidenceReason: null } as const;
  if (answer === null) return { ...found, critique: null, confidence: null, confidenceReason: 'there is no answer' };
  if (certainty !== null)
    return { ...found, critique: null, confidence: Math.round(100 * certainty), confidenceKind: 'match' };
  const critique = said && {
    score: said.confidenceScore,
    gaps: said.gaps,
    uncertainties: claims.flatMap(({ verdict, text, reason }) =>
      reason === null || verdict === 'supported' ? [] : [`${text}: ${reason}`],
    ),
    reasoning: said.reasoning,
  };
  if (state.ladder.find(({ isKept }) => isKept)?.step === 'quote')
    return { ...found, critique, confidence: null, confidenceReason: notByModel, confidenceKind: 'match' };
  const score = said?.confidenceScore ?? null;
  if (isQuoted(state, run)) {
    const match = matchOf(state.recursionTree, score, run.settings);
    const { confidence, reason } = onCurve(match, run.settings.confidenceMap.match);
    return { ...found, critique, confidence, confidenceReason: reason, confidenceKind: 'match' };
  }
  const { confidence, reason } = confidenceIn(state, found, score, run);
  return { ...found, critique, confidence, confidenceReason: reason };
};
