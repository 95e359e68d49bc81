import { beginning, cutText, duration } from '../base/text.ts';
import { isComputed } from '../context/computed-passage.ts';
import { tokensOf } from '../context/text-size.ts';
import { contentTerms } from '../context/words/terms.ts';
import { type ErrorCode, kindOf, RlmError } from '../errors.ts';
import { coverageOf } from '../evidence/claims/find-words.ts';
import { withoutMarks } from '../evidence/marks.ts';
import { shortAnswerTokens } from '../run/door/pace.ts';
import { isSmall } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import { type Passage, type Rung, strategyTraits, wayOf } from '../state.ts';
import { notFound } from '../strategies/direct.ts';
import { quoteDraft } from '../strategies/excerpts.ts';
import { allotmentLeft, type Draft, draftBy, type Question } from '../strategies/strategy.ts';
import { chooseNext, chosen, type StrategyChoice } from './choose-strategy.ts';
import { attempt, type Worked } from './solve-question.ts';

/** The strategy `auto` looks once at the best passages, and takes one more step if the answer leaves something open. */

/** Maximum number of characters of a withheld answer in the warning. */
const longestWithheld = 200;

/** Assumed probabilities of YES after the verdicts YES and NO, if the model reports none. */
const sureYes = 0.85;
const sureNo = 0.15;

/** If the cited passages have at least this share of the question's words, code assumes that they have the answer. */
const wellCovered = 0.4;

function isFound({ question }: Question, { citations, shown }: Draft): boolean {
  if (citations.some(isComputed)) return true;
  const cited = shown.filter(({ id }) => citations.some(({ passage }) => passage === id));
  return citations.length > 0 && coverageOf(question, cited) >= wellCovered;
}

/** Whether to send the prompt `answerable`, which asks a small model if the passages that it read have the answer. */
function isAsked(asked: Question, draft: Draft, run: Run): boolean {
  const { answer, shown, certainty, tells } = draft;
  const info = run.models.info('answerable', asked.path);
  const isWanted = run.settings.stages.critic !== 'never' && info.spends !== 'nothing' && isSmall(info);
  const isOpen = answer !== null && tells === null && certainty === null && shown.length > 0 && !isFound(asked, draft);
  return isWanted && isOpen && allotmentLeft(asked, run) > 0 && run.budget.stopped() === null;
}

/** Returns the probability that the passages contain the answer, 0–1; null if the model was not asked or failed. */
async function askAnswerable(asked: Question, draft: Draft, run: Run): Promise<number | null> {
  if (!isAsked(asked, draft, run)) return null;
  const { question, path } = asked;
  try {
    const reply = await run.ask('answerable', { question, passages: draft.shown }, { path, share: 'ordinary' });
    const isYes = reply.verdict === 'YES';
    const probability = reply.probability ?? (isYes ? sureYes : sureNo);
    // The verdict decides; the probability only says how sure the model is.
    return isYes ? Math.max(0.5, probability) : Math.min(0.49, probability);
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return null;
  }
}

function notFoundDraft({ strategy, answer, passages, shown }: Draft, run: Run): Draft {
  const whole = withoutMarks(answer ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const said = cutText(whole, longestWithheld);
  run.events.warn('not-held', `the model answered "${said}" and then said that the passages do not hold the answer`);
  return draftBy(strategy, { answer: notFound, tells: 'nothing', passages, shown });
}

const mostQueries = 3;
const longestQuery = 200;

function newQueries(reply: string, question: string): readonly string[] {
  const own = new Set(contentTerms(question));
  const lines = reply.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim());
  const fresh = lines.filter((line) => contentTerms(line).some((term) => !own.has(term)));
  return fresh.slice(0, mostQueries).map((line) => beginning(line, longestQuery));
}

/** Asks the model for searches that may find what `shown` lacks, and runs them. Returns the error if that fails. */
async function hop(asked: Question, shown: readonly Passage[], run: Run) {
  const { question, path, passages } = asked;
  try {
    const { searches } = await run.ask('hop', { question, passages: shown }, { path, share: 'ordinary' });
    const queries = newQueries(searches, question);
    const known = new Set((passages ?? []).map(({ id }) => id));
    const found: Passage[] = [];
    for (const query of queries) {
      const exclude = new Set([...known, ...found.map(({ id }) => id)]);
      found.push(...(await run.passages.findMore({ query, focus: question, path, exclude })));
    }
    return { queries, passages: found };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return error;
  }
}

interface Attempt extends Worked {
  /** The probability that the passages contain the answer, according to a small model; null without a reply. */
  readonly answerable: number | null;
}

/** The outcome of the ladder: the draft that was kept, the step that made it, and all steps. */
export interface Climbed extends Worked {
  readonly rungs: readonly Rung[];
}

/** Another step needs at least this many calls: a step and the answer, or a part and the composed answer. */
const callsWorthClimbing = 2;

/** Returns what the answer leaves open; null if it leaves nothing open. */
function openIn({ answer, tells, missing, needsAll }: Draft, answerable: number | null): string | null {
  if (answer === null) return 'there is no answer';
  if (answerable !== null && answerable < 0.5) return 'the model says that the passages do not hold the answer';
  if (needsAll) return 'the answer needs all of the text';
  if (tells === 'nothing') return 'the passages do not answer the question';
  if (tells === 'part') return missing.length > 0 ? `missing: ${missing.join('; ')}` : 'the answer tells only a part';
  return null;
}

const isMoreToRead = ({ needsAll, tells }: Draft, { text }: Run): boolean =>
  text.store.chunkCount > 0 && (!text.fits || (needsAll && tells !== 'all'));

/** Chooses the next step. Null if the text, the model or the budget allows none. */
function nextStep(asked: Question, open: string, draft: Draft, run: Run): StrategyChoice | null {
  if (!isMoreToRead(draft, run) || allotmentLeft(asked, run) < callsWorthClimbing) return null;
  if (isSmall(run.models.info('answer', asked.path)))
    return run.text.fits ? null : chosen('direct', `${open}; more of the text is read`, 'wider');
  const strategy = chooseNext(draft, run);
  return strategy && chosen(strategy, open);
}

/** Whether time is left for `calls` calls with passages. True if the model's speed is unknown. Warns when false. */
export function isInTime(what: string, calls: number, run: Run): boolean {
  const input = calls * tokensOf(run.models.passageBytes());
  const needed = run.models.msFor('answer', '0', { input, output: calls * shortAnswerTokens });
  const left = run.budget.timeLeftMs('ordinary');
  if (needed === null || needed <= left) return true;
  run.events.warn(
    'left-out',
    `a step was left out (${what}): it takes about ${duration(needed)}, and ${duration(left)} are left (--timeout)`,
  );
  return false;
}

/** Returns the question for the next step; `nothing` if its searches find nothing new; the error if they fail. */
async function questionFor(
  asked: Question,
  { step }: StrategyChoice,
  draft: Draft,
  run: Run,
): Promise<Question | 'nothing' | RlmError> {
  const answer = draft.needsAll ? null : draft.answer;
  if (step !== 'wider') {
    const cited = new Set(draft.citations.map(({ passage }) => passage));
    const read = draft.shown.filter(({ id }) => cited.has(id));
    // If nothing was cited and the whole text was shown, the next step sees the first passage as a sample.
    const shown = read.length === 0 && run.text.fits ? draft.shown.slice(0, 1) : read;
    return { ...asked, earlierStep: { shown, answer, missing: draft.missing } };
  }
  const more = await hop(asked, draft.shown, run);
  if (more instanceof RlmError) return more;
  if (more.passages.length === 0) return 'nothing';
  const passages = [...more.passages, ...(asked.passages ?? [])];
  return { ...asked, passages, earlierStep: { shown: draft.shown, answer, missing: more.queries } };
}

/** Errors of a model that is too small for the question. */
const failuresOfModel: readonly ErrorCode[] = ['reply-unusable', 'call-timeout'];

/** Quotes the best sentences if a small model failed to answer, or if time ran out. Null if no sentence matches. */
function quoteInstead(asked: Question, attempts: readonly Attempt[], run: Run): Attempt | null {
  const error = attempts.find(({ draft }) => draft.error !== null)?.draft.error ?? null;
  const isTimeUp = run.budget.stopped()?.code === 'limit-time';
  const isSmallFailure =
    error !== null && failuresOfModel.includes(error.code) && isSmall(run.models.info('answer', '0'));
  if (error === null || (!isTimeUp && !isSmallFailure)) return null;
  const quoted = quoteDraft(asked.question, asked.passages ?? [], isTimeUp ? run.budget.stopped() : null);
  if (quoted === null) return null;
  run.events.warn(
    'reply-unusable',
    `the model gave no usable answer (${error.code}); the best sentences that were found are quoted`,
  );
  const reason = `the model gave no usable answer: ${error.message}`;
  return { choice: chosen('direct', reason, 'quote'), draft: quoted, answerable: null };
}

/** The values of `tells`, least first. Null means that the reply does not say. */
const tellRanks = ['nothing', 'part', null, 'all'] as const;
const rankOf = ({ draft, answerable }: Attempt): number => {
  if (draft.answer === null) return -2;
  if (answerable !== null && answerable < 0.5) return -1;
  return tellRanks.indexOf(draft.tells);
};

function replaces(later: Attempt, earlier: Attempt): boolean {
  if (later.draft.answer === null) return earlier.draft.answer === null;
  const isUnsaid = later.draft.tells === null && later.answerable === null;
  return isUnsaid || rankOf(later) >= rankOf(earlier);
}

/** Returns a step as the result lists it. `doubt` is null for an answer that code computed. */
export function toRung({ choice, draft, answerable }: Attempt, isKept: boolean): Rung {
  const doubt = draft.certainty === null ? openIn(draft, answerable) : null;
  return { step: choice.step, reason: choice.reason, doubt, answerable, isKept };
}

/** Answers the root question in one step. If the answer leaves something open, takes one more step. */
export async function climb(asked: Question, first: StrategyChoice, run: Run): Promise<Climbed> {
  const attempts: Attempt[] = [];

  async function take(choice: StrategyChoice, question: Question): Promise<Attempt> {
    const { strategy, step, reason } = choice;
    if (strategyTraits[strategy].widens) run.models.widen();
    if (attempts.length > 0) run.events.emit({ type: 'ladder.climbed', step, reason });
    const draft = await attempt(question, run, choice);
    const made = { choice, draft, answerable: await askAnswerable(question, draft, run) };
    attempts.push(made);
    return made;
  }

  let kept = await take(first, asked);
  const open = openIn(kept.draft, kept.answerable);
  const mayGoOn = open !== null && kept.draft.error === null && run.budget.stopped() === null;
  const next = mayGoOn && wayOf(first.strategy) === 'passages' ? nextStep(asked, open, kept.draft, run) : null;
  const goesOn = next !== null && isInTime(next.reason, callsWorthClimbing, run);
  const question = goesOn ? await questionFor(asked, next, kept.draft, run) : null;
  let hasLooked = question === 'nothing' || run.text.fits;
  let lost = question instanceof RlmError ? question.toInfo() : null;
  if (question !== null && question !== 'nothing' && !(question instanceof RlmError)) {
    const later = await take(next!, question);
    hasLooked = later.draft.answer !== null;
    if (replaces(later, kept)) kept = later;
    else lost = later.draft.error;
  }
  // A limit, an interruption and an unusable reply are told elsewhere.
  if (lost !== null && lost.code !== 'reply-unusable' && !['limit', 'interruption'].includes(kindOf(lost)))
    run.events.warn('left-out', `the next step failed, so the answer of the earlier step is kept: ${lost.message}`);
  const instead = kept.draft.answer === null ? quoteInstead(asked, attempts, run) : null;
  if (instead !== null) attempts.push(instead);
  kept = instead ?? kept;
  const rungs = attempts.map((one) => toRung(one, one === kept));
  // A small model sometimes rejects a right answer. So the answer is kept if a second look was left out or failed.
  const isDenied = hasLooked && kept.answerable !== null && kept.answerable < 0.5;
  const draft = isDenied ? notFoundDraft(kept.draft, run) : kept.draft;
  const isFailure = lost !== null && ['unavailable', 'failed'].includes(kindOf(lost));
  return { draft: isFailure ? { ...draft, status: 'partial', error: lost } : draft, choice: kept.choice, rungs };
}
