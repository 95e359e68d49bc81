/**
 * `auto`: one look at the best passages. Where its reply says that something is missing, or that the answer takes all
 * of the text, one more step that begins with what is known: the model looks around with tools or code, reads all of
 * the text, or the missing questions are asked one by one. A small model looks once more, at what its own searches
 * find. What comes later has read more and replaces the answer, unless it fails or tells less by its own reply.
 */

import { duration } from '../base/text.ts';
import { tokensOf } from '../context/text-size.ts';
import type { ErrorCode } from '../errors.ts';
import { shortAnswerTokens } from '../run/door/pace.ts';
import type { Run } from '../run/run.ts';
import { isSmall } from '../run/up-to.ts';
import { type LadderStep, type Rung, type StrategyName, stepOf, strategyTraits, wayOf } from '../state.ts';
import { quoteDraft } from '../strategies/excerpts.ts';
import { hop, mayHop } from '../strategies/hop.ts';
import { allotmentLeft, type Draft, type Question } from '../strategies/strategy.ts';
import { askAnswerable, notFoundDraft } from './answerability.ts';
import { chooseNext, chosen } from './choose-strategy.ts';
import { attempt } from './solve-question.ts';

export interface Step {
  readonly step: LadderStep;
  readonly strategy: StrategyName;
  readonly reason: string;
}

interface Attempt {
  readonly step: Step;
  readonly draft: Draft;
  /** The probability that the passages hold the answer, as a small model says; null where it was not asked. */
  readonly answerable: number | null;
}

/** What the steps came to: the draft that was kept, the step that made it, and all of them. */
export interface Climbed {
  readonly draft: Draft;
  readonly step: Step;
  readonly rungs: readonly Rung[];
}

/** Calls worth beginning a strategy with: a step and the answer; a part and the composed answer. */
const callsWorthClimbing = 2;

/** Returns what an answer leaves open, by its own reply; null: nothing. */
export function openIn({ answer, tells, missing, needsAll }: Draft, answerable: number | null): string | null {
  if (answer === null) return 'there is no answer';
  if (answerable !== null && answerable < 0.5) return 'the model says that the passages do not hold the answer';
  if (needsAll) return 'the answer takes all of the text';
  if (tells === 'nothing') return 'the passages do not tell';
  if (tells === 'part') return missing.length > 0 ? `missing: ${missing.join('; ')}` : 'the answer tells a part';
  return null;
}

/** Whether there is text to go on with; of a text shown whole, a model that told less than all may want to count. */
const isMoreToRead = ({ needsAll, tells }: Draft, { text }: Run): boolean =>
  text.store.chunkCount > 0 && (!text.fits || (needsAll && tells !== 'all'));

/** Returns the step after a first look that left something open; null: none that the model or the budget is up to. */
function nextStep(asked: Question, open: string, draft: Draft, run: Run): Step | null {
  if (!isMoreToRead(draft, run) || allotmentLeft(asked, run) < callsWorthClimbing) return null;
  if (isSmall(run.models.info('answer', asked.path)))
    return mayHop(asked, run)
      ? { step: 'wider', strategy: 'direct', reason: `${open}; more of the text is read` }
      : null;
  const strategy = chooseNext(draft, run);
  return strategy && { step: stepOf(strategy), strategy, reason: open };
}

/** Whether there is time for `calls` over passages, as far as the speed is known. Warns where there is not. */
export function isInTime(what: string, calls: number, run: Run): boolean {
  const input = calls * tokensOf(run.models.passageBytes());
  const needed = run.models.msFor('answer', '0', { input, output: calls * shortAnswerTokens });
  const left = run.budget.timeLeftMs('ordinary');
  if (needed === null || needed <= left) return true;
  run.events.warn(
    `${what}: left out, because it takes about ${duration(needed)} and ${duration(left)} are left (--timeout)`,
  );
  return false;
}

/** Returns the question as the next step asks it, with what is known; null where there is nothing more to read. */
async function questionFor(asked: Question, { step }: Step, { draft }: Attempt, run: Run): Promise<Question | null> {
  const answer = draft.needsAll ? null : draft.answer;
  if (step !== 'wider') {
    const cited = new Set(draft.citations.map(({ passage }) => passage));
    const read = draft.shown.filter(({ id }) => cited.has(id));
    // Of a text that was shown whole, its beginning tells code how it is written.
    const shown = read.length === 0 && run.text.fits ? draft.shown.slice(0, 1) : read;
    return { ...asked, begun: { shown, answer, missing: draft.missing } };
  }
  const more = await hop(asked, draft.shown, run);
  if (more === null) return null;
  const passages = [...more.passages, ...(asked.passages ?? [])];
  return { ...asked, passages, begun: { shown: draft.shown, answer, missing: more.queries } };
}

/** What a model that is too small for the question fails with. */
const failuresOfModel: readonly ErrorCode[] = ['reply-unusable', 'call-timeout'];

/** Quotes the best sentences where a small model gave no usable answer, or the time was up; null where none match. */
function quoteInstead(asked: Question, attempts: readonly Attempt[], run: Run): Attempt | null {
  const error = attempts.find(({ draft }) => draft.error !== null)?.draft.error ?? null;
  const isTimeUp = run.budget.stopped()?.code === 'limit-time';
  const isSmallFailure =
    error !== null && failuresOfModel.includes(error.code) && isSmall(run.models.info('answer', '0'));
  if (error === null || (!isTimeUp && !isSmallFailure)) return null;
  const quoted = quoteDraft(asked.question, asked.passages ?? [], isTimeUp ? run.budget.stopped() : null);
  if (quoted === null) return null;
  run.events.warn(`the model gave no usable answer (${error.code}); the best sentences that were found are quoted`);
  const reason = `the model gave no usable answer: ${error.message}`;
  return { step: { step: 'quote', strategy: 'direct', reason }, draft: quoted, answerable: null };
}

/** How much an answer tells, by its own reply. */
const tellRanks = ['nothing', 'part', null, 'all'] as const;
const rankOf = ({ draft, answerable }: Attempt): number => {
  if (draft.answer === null) return -2;
  if (answerable !== null && answerable < 0.5) return -1;
  return tellRanks.indexOf(draft.tells);
};

/** Whether a later answer replaces an earlier one: it has read more, and does not tell less. */
function replaces(later: Attempt, earlier: Attempt): boolean {
  if (later.draft.answer === null) return earlier.draft.answer === null;
  const isUnsaid = later.draft.tells === null && later.answerable === null;
  return isUnsaid || rankOf(later) >= rankOf(earlier);
}

/** Answers the root in one look and, where that leaves something open, one more step. */
export async function climb(asked: Question, first: Step, run: Run): Promise<Climbed> {
  const attempts: Attempt[] = [];

  async function take(step: Step, question: Question): Promise<Attempt> {
    if (strategyTraits[step.strategy].widens) run.models.widen();
    if (attempts.length > 0) run.events.emit({ type: 'ladder.climbed', step: step.step, reason: step.reason });
    const draft = await attempt(question, run, chosen(step.strategy, step.reason));
    const made = { step, draft, answerable: await askAnswerable(question, draft, run) };
    attempts.push(made);
    return made;
  }

  let kept = await take(first, asked);
  const open = openIn(kept.draft, kept.answerable);
  const mayGoOn = open !== null && kept.draft.error === null && run.budget.stopped() === null;
  const next = mayGoOn && wayOf(first.strategy) === 'passages' ? nextStep(asked, open, kept.draft, run) : null;
  const goesOn = next !== null && isInTime(next.reason, callsWorthClimbing, run);
  const question = goesOn ? await questionFor(asked, next, kept, run) : null;
  if (question !== null) {
    const later = await take(next!, question);
    if (replaces(later, kept)) kept = later;
  }
  const instead = kept.draft.answer === null ? quoteInstead(asked, attempts, run) : null;
  if (instead !== null) attempts.push(instead);
  kept = instead ?? kept;
  const rungs = attempts.map((one): Rung => {
    const { step, draft, answerable } = one;
    return { step: step.step, reason: step.reason, doubt: openIn(draft, answerable), answerable, isKept: one === kept };
  });
  // A small model denies right answers, too: where a second look was left out, its answer stands.
  const isDenied = (goesOn || run.text.fits) && kept.answerable !== null && kept.answerable < 0.5;
  const draft = isDenied ? notFoundDraft(kept.draft, run) : kept.draft;
  return { draft, step: kept.step, rungs };
}
