/** The loop of explore and repl: takes steps until there is an answer or no further step is possible. */
import { now } from '../base/time.ts';
import { isForgivable, RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import type { ExploreStep } from '../state.ts';
import type { Question } from './strategy.ts';

export interface Stepped<Answer> {
  readonly steps: readonly ExploreStep[];
  /** The answer; null when the steps ended without one. */
  readonly answer: Answer | null;
  /** The error that stopped the steps, or null. */
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
  /** The error that stops further steps, or null. */
  readonly stopped: RlmError | null;
  /** Number of consecutive failures, including the step. */
  readonly wrong: number;
}

/** What explore and repl provide to the loop. */
export interface Steps<Answer> {
  callsLeft(): number;
  /** Returns why no step may be taken, apart from the limits on steps and calls; null: one may. */
  stopped(): RlmError | null;
  outOfSteps(most: number): RlmError;
  outOfCalls(): RlmError;
  take(soFar: StepsSoFar): Promise<StepDone<Answer>>;
  /** Returns the part of a call's result that its event contains. */
  toldResult(result: string): string;
  /** The reason for giving up on a model that fails although it was asked to answer. */
  readonly noMore: string;
}

/** Consecutive wrong calls, or steps, after which a model is asked to answer. */
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

/** Whether another step would leave no call for the answer, where the reserve holds none. */
function isLastCall({ depth }: Question, callsLeft: number, run: Run): boolean {
  if (depth > 0) return callsLeft < 2;
  return callsLeft > 0 && run.budget.callsLeft('kept') < 2;
}

/** Takes steps until there is an answer or no further step is possible. Rejects only on bugs. */
export async function takeSteps<Answer>(question: Question, way: Steps<Answer>, run: Run): Promise<Stepped<Answer>> {
  const { maxIterations } = run.settings.budget;
  const steps: ExploreStep[] = [];
  let wrong = 0;
  const ended = (rest: Partial<Stepped<Answer>>): Stepped<Answer> => ({
    ...{ steps, answer: null, stopped: null, gaveUp: '' },
    ...rest,
  });

  function whyNone(): RlmError | null {
    const stopped = way.stopped();
    if (stopped !== null) return stopped;
    if (steps.length >= maxIterations) return way.outOfSteps(maxIterations);
    return isLastCall(question, way.callsLeft(), run) ? way.outOfCalls() : null;
  }

  for (;;) {
    const why = whyNone();
    if (why !== null) return ended({ stopped: why });
    const startedAt = now();
    const wasTold = wrong >= mostWrong;
    try {
      const done = await way.take({ steps, wrong });
      steps.push(done.step);
      tell(done.step, question.path, Math.round(now() - startedAt), way.toldResult, run);
      wrong = done.wrong;
      if (done.answer !== null) return ended({ answer: done.answer });
      if (done.stopped !== null) return ended({ stopped: done.stopped });
      if (wasTold && wrong > mostWrong) return ended({ gaveUp: way.noMore });
    } catch (error) {
      if (!(error instanceof RlmError)) throw error;
      return isForgivable(error) ? ended({ gaveUp: error.message }) : ended({ stopped: error });
    }
  }
}
