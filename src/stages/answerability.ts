import { isComputed } from '../context/computed-passage.ts';
import { RlmError } from '../errors.ts';
import { coverageOf } from '../evidence/claims/find-words.ts';
import { withoutMarks } from '../evidence/marks.ts';
import type { Run } from '../run/run.ts';
import { isSmall } from '../run/up-to.ts';
import { allotmentLeft, type Draft, draftBy, type Question } from '../strategies/strategy.ts';

/** Of an answer that is not given no more is told, in characters. */
const longestTold = 200;

/** Stands for the probability of YES where the model does not tell it. */
const sureYes = 0.85;
const sureNo = 0.15;

/** The share of the question's words in the cited passages from which on the model is not asked. */
const wellCovered = 0.4;

/** Whether the answer rests on what code computed, or its words stand in passages that hold much of the question. */
function isFound({ question }: Question, { citations, shown }: Draft): boolean {
  if (citations.some(isComputed)) return true;
  const cited = shown.filter(({ id }) => citations.some(({ passage }) => passage === id));
  return citations.length > 0 && coverageOf(question, cited) >= wellCovered;
}

/** Whether a small model is asked: asked that alone, it tells passages that answer from others (docs/results.md). */
function isAsked(asked: Question, draft: Draft, run: Run): boolean {
  const { answer, shown, certainty, tells } = draft;
  const info = run.models.info('answerable', asked.path);
  const isWanted = run.settings.stages.critic !== 'never' && info.spends !== 'nothing' && isSmall(info);
  const isOpen = answer !== null && tells === null && certainty === null && shown.length > 0 && !isFound(asked, draft);
  return isWanted && isOpen && allotmentLeft(asked, run) > 0 && run.budget.stopped() === null;
}

/** Asks a small model whether its passages hold an answer. Returns the probability, 0–1; null where not asked. */
export async function askAnswerable(asked: Question, draft: Draft, run: Run): Promise<number | null> {
  if (!isAsked(asked, draft, run)) return null;
  const { question, path } = asked;
  try {
    const reply = await run.ask('answerable', { question, passages: draft.shown }, { path, share: 'ordinary' });
    const isYes = reply.verdict === 'YES';
    const told = reply.probability ?? (isYes ? sureYes : sureNo);
    // The word decides; the probability only says how sure it is.
    return isYes ? Math.max(0.5, told) : Math.min(0.49, told);
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return null;
  }
}

/** What stands in place of an answer of which its own model says that the passages do not hold it. */
export function notFoundDraft({ strategy, answer, passages, shown, searches }: Draft, run: Run): Draft {
  const whole = withoutMarks(answer ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const said = whole.length > longestTold ? `${whole.slice(0, longestTold)}…` : whole;
  run.events.warn(`the model answered "${said}" and then said that the passages do not hold the answer`);
  const notFound = 'Not found: the passages that were read do not hold the answer.';
  return draftBy(strategy, { answer: notFound, tells: 'nothing', passages, shown, searches });
}
