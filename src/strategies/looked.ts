import type { RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import type { Citation, ExploreStep, StrategyName } from '../state.ts';
import { direct } from './direct.ts';
import type { Draft, Question, Recurse } from './strategy.ts';

/** What looking into a text, step by step, came to. */
interface Looked {
  readonly steps: readonly ExploreStep[];
  /** The limit or interruption that ended it, or null. */
  readonly stopped: RlmError | null;
}

/** What is answered in the end. */
interface Concluded {
  readonly answer: string | null;
  readonly citations: readonly Citation[];
  readonly assumptions: readonly string[];
  readonly problems: readonly string[];
  readonly error: RlmError | null;
}

/**
 * The draft of a question that was looked into, but for its parts; tells what was wrong with the answer's citations.
 */
export function lookedDraft(
  strategy: StrategyName,
  { steps, stopped }: Looked,
  concluded: Concluded,
  run: Run,
): Omit<Draft, 'children'> {
  for (const problem of concluded.problems) run.warn(problem);
  const { answer, citations, assumptions } = concluded;
  const error = stopped ?? concluded.error;
  return {
    strategy,
    strategyReason: null,
    status: error === null ? 'answered' : 'partial',
    answer,
    citations,
    assumptions,
    passages: run.passages([...new Set(citations.map(({ passage }) => passage))]),
    shown: [],
    searches: [],
    steps,
    certainty: null,
    error: error?.toInfo() ?? null,
  };
}

/** What is left where there is nothing to look into, nobody to look, or no room for it. */
export async function answerAtOnce(question: Question, why: string, run: Run, recurse: Recurse): Promise<Draft> {
  return { ...(await direct.solve(question, run, recurse)), strategyReason: why };
}
