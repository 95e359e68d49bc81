import { RlmError } from '../errors.ts';
import type { Doubt, Weighed } from '../evidence/doubt.ts';
import { withoutMarks } from '../evidence/marks.ts';
import type { Run } from '../run/run.ts';
import { isSmall, testedOf } from '../run/up-to.ts';
import { draftBy } from '../strategies/draft.ts';
import { allotmentLeft, type Draft, type Question } from '../strategies/strategy.ts';

/** Of an answer that is not given no more is told, in characters. */
const longestTold = 200;

/**
 * Whether a small model is asked: it answers from passages that do not tell, too, yet asked that alone it knows them
 * from those that do (docs/results.md). A larger one says in its answer that nothing is there.
 */
function isAsked(asked: Question, { shown, certainty }: Draft, { doubt, isSettled }: Weighed, run: Run): boolean {
  const info = run.models.info('answerable', asked.path);
  const isWanted = run.settings.stages.critic !== 'never' && info.spends !== 'nothing' && isSmall(testedOf(info));
  const tells = doubt === null || doubt.kind === 'unsupported';
  const isOpen = tells && !isSettled && certainty === null && shown.length > 0;
  return isWanted && isOpen && allotmentLeft(asked, run) > 0 && run.budget.stopped() === null;
}

/**
 * Asks a small model whether the passages that its answer was made from hold an answer. Null where it says so, or is
 * not asked, or says nothing that can be used: then the answer stands as code weighs it.
 */
export async function askAnswerable(asked: Question, draft: Draft, weighed: Weighed, run: Run): Promise<Doubt | null> {
  if (!isAsked(asked, draft, weighed, run)) return null;
  const { question, path } = asked;
  try {
    const { verdict } = await run.ask('answerable', { question, passages: draft.shown }, { path, share: 'ordinary' });
    if (verdict === 'YES') return null;
    return { kind: 'denied', about: 'the model says that the passages do not hold the answer' };
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
  return draftBy(strategy, {
    answer: 'Not found: the passages that were read do not hold the answer.',
    passages,
    shown,
    searches,
  });
}
