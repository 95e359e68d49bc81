/** Code that explore and repl share: the loop of steps, the concluding answer, and the draft. */
import { counted } from '../base/text.ts';
import { now } from '../base/time.ts';
import { isForgivable, RlmError } from '../errors.ts';
import type { CheckedAnswer } from '../evidence/citations.ts';
import { citeClaims } from '../evidence/claims/cite-claims.ts';
import { markedIds } from '../evidence/marks.ts';
import { limitWords } from '../run/door/budget.ts';
import type { Run } from '../run/run.ts';
import { refitting } from '../run/text/refit.ts';
import type { Completeness, ExploreStep, Passage, StrategyName, TreeNode } from '../state.ts';
import { notFound } from './direct.ts';
import { type Draft, draftBy, type Question } from './strategy.ts';

export interface Stepped<Answer> {
  readonly steps: readonly ExploreStep[];
  readonly answer: Answer | null;
  /** The error that ended the steps, such as a limit; null if no error ended them. */
  readonly stopped: RlmError | null;
  /** The reason for giving up on the model without an answer; empty otherwise. */
  readonly gaveUp: string;
}

export interface StepsSoFar {
  readonly steps: readonly ExploreStep[];
  /** Number of consecutive failures so far. */
  readonly wrong: number;
}

export interface StepDone<Answer> {
  readonly step: ExploreStep;
  readonly answer: Answer | null;
  readonly stopped: RlmError | null;
  /** Number of consecutive failures up to the end of this step. */
  readonly wrong: number;
}

/** What explore and repl provide to the loop. */
export interface Steps<Answer> {
  /** The names of a step and of the activity, for messages: `step` and `exploring`, or `turn` and `code`. */
  readonly unit: readonly [step: string, of: string];
  callsLeft(): number;
  take(soFar: StepsSoFar): Promise<StepDone<Answer>>;
  /** Shortens a call's result for its event. */
  toldResult(result: string): string;
  /** The reason for giving up on a model that still fails after it was asked to answer. */
  readonly gaveUpReason: string;
}

/** Number of consecutive wrong calls (explore) or wrong steps (repl) after which the model is asked to answer. */
export const mostWrong = 3;

const toldCharacters = 300;

function tell(step: ExploreStep, path: string, timeMs: number, toldResult: (result: string) => string, run: Run): void {
  for (const [index, { tool, arguments: given, outcome, result }] of step.calls.entries()) {
    const about = { path, step: step.number, call: index + 1, tool, arguments: given, outcome };
    run.events.emit({ type: 'tool.called', ...about, result: toldResult(result).slice(0, toldCharacters) });
  }
  const { number, thought, next, findings, summarisedTo } = step;
  run.events.emit({ type: 'step.completed', path, step: number, thought, next, findings, summarisedTo, timeMs });
}

/** Whether another step would leave no call for the answer. */
function isLastCall({ depth }: Question, callsLeft: number, run: Run): boolean {
  if (depth > 0) return callsLeft < 2;
  return callsLeft > 0 && run.budget.callsLeft('kept') < 2;
}

function limitOf(question: Question, way: Steps<unknown>, taken: number, run: Run): RlmError | null {
  const { maxIterations: most } = run.settings.budget;
  const [step, of] = way.unit;
  if (taken >= most)
    return new RlmError('limit-iterations', `the question has used its ${counted(most, step)} of ${of}`, {
      hint: `Allow more with --max-iterations ${most * 2} (setting budget.maxIterations).`,
    });
  if (!isLastCall(question, way.callsLeft(), run)) return null;
  const [code, flag, setting] = limitWords[run.budget.scarcest('ordinary')];
  return new RlmError(code, `the budget for ${of} is used up; what is left is for the answer`, {
    hint: `Allow more with ${flag} (setting ${setting}).`,
  });
}

/** Takes steps until there is an answer or no further step is possible. Rejects only on bugs. */
export async function takeSteps<Answer>(question: Question, way: Steps<Answer>, run: Run): Promise<Stepped<Answer>> {
  const steps: ExploreStep[] = [];
  let wrong = 0;
  const ended = (rest: Partial<Stepped<Answer>>): Stepped<Answer> => ({
    ...{ steps, answer: null, stopped: null, gaveUp: '' },
    ...rest,
  });

  for (;;) {
    const why = run.budget.stopped() ?? limitOf(question, way, steps.length, run);
    if (why !== null) return ended({ stopped: why });
    const startedAt = now();
    const wasAskedToAnswer = wrong >= mostWrong;
    try {
      const done = await way.take({ steps, wrong });
      steps.push(done.step);
      tell(done.step, question.path, Math.round(now() - startedAt), way.toldResult, run);
      wrong = done.wrong;
      if (done.answer !== null) return ended({ answer: done.answer });
      if (done.stopped !== null) return ended({ stopped: done.stopped });
      if (wasAskedToAnswer && wrong > mostWrong) return ended({ gaveUp: way.gaveUpReason });
    } catch (error) {
      if (!(error instanceof RlmError)) throw error;
      return isForgivable(error) ? ended({ gaveUp: error.message }) : ended({ stopped: error });
    }
  }
}

/** An answer with its assumptions. `error`: why the answer is partial; null if it is complete. */
export interface Concluded extends CheckedAnswer, Partial<Completeness> {
  readonly assumptions: readonly string[];
  readonly error: RlmError | null;
}

/** Asks for the answer in one last call. If it fails, lists what was found. Throws RlmError if nothing was found. */
export async function conclude(
  stopped: RlmError | null,
  ask: () => Promise<Concluded>,
  list: () => CheckedAnswer | null,
  run: Run,
): Promise<Concluded> {
  try {
    return await refitting(run, ask);
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    const listed = list();
    if (listed === null) throw stopped ?? error;
    return { ...listed, assumptions: [], error };
  }
}

/** Creates the draft of a question that was answered in steps. */
export function stepsDraft(
  strategy: StrategyName,
  { question }: Question,
  { steps, stopped }: Stepped<unknown>,
  children: readonly TreeNode[],
  concluded: Concluded,
  seen: readonly Passage[],
  run: Run,
): Draft {
  for (const problem of concluded.problems) run.events.warn('evidence', problem);
  const { assumptions, tells = null, missing = [] } = concluded;
  const isEmpty = concluded.answer.trim() === '';
  const isWhole = concluded.citations.length > 0 && markedIds(concluded.answer).length === 0;
  const said = isEmpty || isWhole ? concluded : citeClaims(concluded, question, seen);
  const { answer, citations } = isEmpty ? { answer: notFound, citations: [] } : said;
  const error = (stopped ?? concluded.error)?.toInfo() ?? null;
  const passages = run.passages.byId([...new Set(citations.map(({ passage }) => passage))]);
  return draftBy(strategy, {
    answer,
    tells: isEmpty ? 'nothing' : tells,
    missing,
    citations,
    assumptions,
    passages,
    steps,
    children,
    error,
  });
}

/** Returns why no steps can be taken; null if steps can be taken. */
export function whyNoSteps(prompt: 'explore' | 'repl', hasText: boolean, path: string, run: Run): string | null {
  if (run.models.info(prompt, path).spends === 'nothing') {
    run.events.warn(
      'answered-directly',
      `--strategy ${prompt} needs a language model; the question is answered directly`,
    );
    return 'there is no language model to take steps';
  }
  return hasText ? null : 'there is no text to explore';
}
