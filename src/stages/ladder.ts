/**
 * `auto` climbs only where the step below did not do: an answer from the best sentences, one from more of the text,
 * then a strategy that takes more calls, as far as the model and the budget allow. It never ends with less than the
 * step below had.
 */
import { counted, grouped } from '../base/counted.ts';
import { tokensOf, weightOf } from '../context/text-size.ts';
import type { ErrorCode } from '../errors.ts';
import { type Doubt, weighAnswer } from '../evidence/doubt.ts';
import type { Run } from '../run/run.ts';
import { isSmall, strategiesFor, testedOf } from '../run/up-to.ts';
import {
  type LadderStep,
  lookers,
  type Passage,
  type Rung,
  type StrategyName,
  stepOf,
  strategyTraits,
  wayOf,
} from '../state.ts';
import { readForm } from '../strategies/by-form/form.ts';
import { excerptTokens, leavesOut } from '../strategies/excerpts.ts';
import { quoteDraft } from '../strategies/quote.ts';
import { mayReword, reword } from '../strategies/reword.ts';
import { allotmentLeft, type Draft, type Question } from '../strategies/strategy.ts';
import { askAnswerable, notFoundDraft } from './answerability.ts';
import { isInTime } from './in-time.ts';
import { linkedDocuments } from './linked-documents.ts';

/** A step that may be taken next. */
export interface Step {
  readonly step: LadderStep;
  readonly strategy: StrategyName;
  readonly reason: string;
}

/** What an attempt at the root came to. */
interface Attempt {
  readonly step: Step;
  readonly draft: Draft;
  readonly doubt: Doubt | null;
}

/** What the steps came to: the draft that was kept, the step that made it, and all of them. */
export interface Climbed {
  readonly draft: Draft;
  readonly step: Step;
  readonly rungs: readonly Rung[];
}

/** A split in two, each part answered and assessed. */
const callsWorthSplitting = 4;
/** A step and the answer. */
const callsWorthLooking = 2;
/** The two questions of a question whose form shows them. */
const callsWorthAsking = 2;

/** Why looking around promises more than splitting the question; null: it does not. */
function whyLook(doubt: Doubt, { text: { store }, settings }: Run): string | null {
  if (doubt.kind === 'not found') return 'the passages that were found do not tell';
  const tokens = tokensOf(weightOf(store));
  const { exploreTokens } = settings.auto;
  if (tokens > exploreTokens)
    return `the text has about ${counted(tokens, 'token')}, more than ${grouped(exploreTokens)}`;
  const links = linkedDocuments(store);
  return links && `${links.documents} documents refer to each other, such as ${links.example}`;
}

/** What follows an attempt that left a doubt; null: nothing that the model and the calls that are left are up to. */
function nextStep(asked: Question, steps: ReadonlySet<LadderStep>, doubt: Doubt, run: Run): Step | null {
  const why = (reason: string) => `${doubt.about}; ${reason}`;
  const left = allotmentLeft(asked, run);
  if (!steps.has('answer') && left > 0)
    return { step: 'answer', strategy: 'direct', reason: why('the question is asked as a whole') };
  const rewords = doubt.kind !== 'unanswered' && mayReword(asked, run);
  if (!steps.has('wider') && left > 0 && (rewords || leavesOut(asked, run)))
    return { step: 'wider', strategy: 'direct', reason: why('more of the text is read') };
  if (run.text.fits || lookers.some((one) => steps.has(stepOf(one)))) return null;
  const isFormed = run.settings.budget.maxDepth > 0 && left >= callsWorthAsking && readForm(asked.question) !== null;
  if (isFormed && !steps.has('decompose'))
    return { step: 'decompose', strategy: 'decompose', reason: why('the question has parts by its form') };
  return stepOfModel(doubt, steps, left, run);
}

/** The step in which a model chooses its own way; null: it is not up to any, or too few calls are left. */
function stepOfModel(doubt: Doubt, steps: ReadonlySet<LadderStep>, left: number, run: Run): Step | null {
  const why = (reason: string) => `${doubt.about}; ${reason}`;
  const can = strategiesFor(testedOf(run.models.info('explore', '0')));
  const looker = left < callsWorthLooking ? undefined : lookers.find((one) => can.has(one));
  const look = looker && whyLook(doubt, run);
  if (looker && look) return { step: stepOf(looker), strategy: looker, reason: why(look) };
  const splits =
    !steps.has('decompose') && can.has('decompose') && run.settings.budget.maxDepth > 0 && left >= callsWorthSplitting;
  const reason = why('the question is split into parts');
  return splits ? { step: 'decompose', strategy: 'decompose', reason } : null;
}

/**
 * The question as a step asks it: with what was shown before, and, where the passages did not tell, with those that the
 * model's other words for it find. Null where there is nothing more to read.
 */
async function questionFor(asked: Question, { step }: Step, doubt: Doubt, shown: readonly Passage[], run: Run) {
  const { passages } = asked;
  if (step === 'answer') return asked;
  if (step !== 'wider') return { ...asked, begun: { shown, answer: null, missing: [] } };
  const other = doubt.kind === 'unanswered' ? null : await reword(asked, shown, run);
  if ((other?.passages ?? []).length === 0 && !leavesOut(asked, run)) return null;
  const more = { passages: passages && [...passages, ...(other?.passages ?? [])] };
  return { ...asked, ...more, begun: { shown, answer: null, missing: other ? [other.words] : [] } };
}

/** Whether there is time for a step. */
function hasTime({ step, strategy, reason }: Step, run: Run): boolean {
  const wider = excerptTokens({
    info: run.models.info('answer', '0'),
    settings: run.settings,
    fits: run.text.fits,
    wasTried: true,
  });
  const calls = step === 'wider' ? 1 : wayOf(strategy) === 'steps' ? callsWorthLooking : callsWorthSplitting;
  const input = Math.min(wider ?? Number.POSITIVE_INFINITY, tokensOf(run.models.passageBytes()));
  return isInTime(reason, calls, input, run);
}

/** What a model that is too small for the question fails with. */
const failuresOfModel: readonly ErrorCode[] = ['reply-unusable', 'call-timeout'];

/**
 * The best sentences of the passages where a small model gave no usable answer, or the time was up: what was found is
 * not thrown away. Null where the failure is another one, or no sentence matches.
 */
function quoteInstead(asked: Question, attempts: readonly Attempt[], run: Run): Attempt | null {
  const error = attempts.find(({ draft }) => draft.error !== null)?.draft.error ?? null;
  const isTimeUp = run.budget.stopped()?.code === 'limit-time';
  const isSmallFailure =
    error !== null && failuresOfModel.includes(error.code) && isSmall(testedOf(run.models.info('answer', '0')));
  if (error === null || (!isTimeUp && !isSmallFailure)) return null;
  const quoted = quoteDraft(asked.question, asked.passages ?? [], isTimeUp ? run.budget.stopped() : null);
  if (quoted === null) return null;
  run.events.warn(`the model gave no usable answer (${error.code}); the best sentences that were found are quoted`);
  const reason = `the model gave no usable answer: ${error.message}`;
  return { step: { step: 'quote', strategy: 'direct', reason }, draft: quoted, doubt: null };
}

/**
 * How good an attempt is, the best first: one without a doubt, one that answers, one whose model takes its answer back,
 * one that says that nothing is there.
 */
const ranks = [null, 'unsupported', 'denied', 'not found', 'unanswered'] as const;
const rankOf = ({ doubt }: Attempt): number => ranks.indexOf(doubt?.kind ?? null);

/** The best of the attempts; the earlier of equal ones. */
const bestOf = (attempts: readonly Attempt[]): Attempt =>
  attempts.reduce((best, one) => (rankOf(one) < rankOf(best) ? one : best));

/** Whether a longer way may lead further: not after a failure, nor once the run ends. */
const mayClimb = ({ draft, doubt }: Attempt, run: Run): boolean =>
  doubt !== null && draft.error === null && run.budget.stopped() === null;

/**
 * Answers the root step by step, and keeps the best.
 * @param attempt makes one answer to the question as it is asked at that step; a failure is in its draft.
 */
export async function climb(
  asked: Question,
  first: Step,
  run: Run,
  attempt: (step: Step, question: Question) => Promise<Draft>,
): Promise<Climbed> {
  const attempts: Attempt[] = [];
  const steps = new Set<LadderStep>();

  async function take(step: Step, question: Question): Promise<Attempt> {
    if (strategyTraits[step.strategy].widens) run.models.widen();
    if (attempts.length > 0) run.events.emit({ type: 'ladder.climbed', step: step.step, reason: step.reason });
    const draft = await attempt(step, question);
    const read = run.passages.byId(draft.citations.map(({ passage }) => passage));
    const weighed = weighAnswer(asked.question, draft, read);
    const doubt = (await askAnswerable(question, draft, weighed, run)) ?? weighed.doubt;
    const made: Attempt = { step, draft, doubt };
    attempts.push(made);
    return made;
  }

  let last = await take(first, asked);
  steps.add(first.step);
  while (mayClimb(last, run)) {
    const next = nextStep(asked, steps, last.doubt!, run);
    if (next === null || !hasTime(next, run)) break;
    steps.add(next.step);
    const question = await questionFor(
      asked,
      next,
      last.doubt!,
      attempts.flatMap(({ draft }) => draft.shown),
      run,
    );
    if (question !== null) last = await take(next, question);
  }
  const instead = bestOf(attempts).draft.answer === null ? quoteInstead(asked, attempts, run) : null;
  if (instead !== null) attempts.push(instead);
  const best = bestOf(attempts);
  const rungs = attempts.map(({ step: { step: name, reason }, doubt, ...rest }) => ({
    step: name,
    reason,
    doubt: doubt?.about ?? null,
    isKept: rest.draft === best.draft,
  }));
  const draft = best.doubt?.kind === 'denied' ? notFoundDraft(best.draft, run) : best.draft;
  return { draft, step: best.step, rungs };
}
