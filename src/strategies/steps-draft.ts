import { RlmError } from '../errors.ts';
import { citeClaims } from '../evidence/claims/cite-claims.ts';
import { markedIds } from '../evidence/marks.ts';
import type { Run } from '../run/run.ts';
import type { Citation, ExploreStep, Passage, StrategyName, TreeNode } from '../state.ts';
import { direct } from './direct.ts';
import type { Draft, Question, Recurse } from './strategy.ts';
import { draftBy } from './strategy.ts';

/** The result of a question's steps over the text. */
interface StepsTaken {
  readonly steps: readonly ExploreStep[];
  /** The limit or interruption that ended the steps, or null. */
  readonly stopped: RlmError | null;
  readonly children: readonly TreeNode[];
}

/** The question, and the passages that its steps saw. */
interface SeenPassages {
  readonly question: string;
  readonly seen: readonly Passage[];
}

interface Concluded {
  readonly answer: string | null;
  readonly citations: readonly Citation[];
  readonly assumptions: readonly string[];
  readonly problems: readonly string[];
  readonly error: RlmError | null;
}

/** Cites seen passages for claims without a mark, unless citations without marks support all of the answer. */
function lookUpClaims(concluded: Concluded, { question, seen }: SeenPassages): Pick<Concluded, 'answer' | 'citations'> {
  const { answer, citations } = concluded;
  if (answer === null || (citations.length > 0 && markedIds(answer).length === 0)) return concluded;
  return citeClaims({ ...concluded, answer }, question, seen);
}

/** Creates the draft of a question that was answered in steps. Warns of citations that do not hold. */
export function stepsDraft(
  strategy: StrategyName,
  { steps, stopped, children }: StepsTaken,
  concluded: Concluded,
  asked: SeenPassages,
  run: Run,
): Draft {
  for (const problem of concluded.problems) run.events.warn(problem);
  const { assumptions } = concluded;
  const { answer, citations } = lookUpClaims(concluded, asked);
  const error = (stopped ?? concluded.error)?.toInfo() ?? null;
  const passages = run.passages.byId([...new Set(citations.map(({ passage }) => passage))]);
  return draftBy(strategy, { answer, citations, assumptions, passages, steps, children, error });
}

/** Returns why no steps can be taken, and warns where no language model takes them; null where they can. */
export function whyNoSteps(prompt: 'explore' | 'repl', hasText: boolean, path: string, run: Run): string | null {
  if (run.models.info(prompt, path).spends === 'nothing') {
    run.events.warn(`no language model takes steps for --strategy ${prompt}; the question is answered directly`);
    return 'no language model takes the steps';
  }
  return hasText ? null : 'there is no text to explore';
}

/** Answers directly when steps cannot work. Throws `reply-unusable` when the question was tried already. */
export async function answerAtOnce(question: Question, why: string, run: Run, recurse: Recurse): Promise<Draft> {
  if (question.begun !== null) throw new RlmError('reply-unusable', why);
  return { ...(await direct.solve(question, run, recurse)), strategyReason: why };
}
