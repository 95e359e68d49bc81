import { RlmError } from '../errors.ts';
import { citeClaims } from '../evidence/claims/cite-claims.ts';
import { markedIds } from '../evidence/marks.ts';
import type { Run } from '../run/run.ts';
import type { Citation, ExploreStep, Passage, StrategyName, TreeNode } from '../state.ts';
import { direct } from './direct.ts';
import { draftBy } from './draft.ts';
import type { Draft, Question, Recurse } from './strategy.ts';

/** What a question's steps over the text came to. */
interface StepsTaken {
  readonly steps: readonly ExploreStep[];
  /** The limit or interruption that ended it, or null. */
  readonly stopped: RlmError | null;
  /** Questions that were asked on the way. */
  readonly children: readonly TreeNode[];
}

/** The question, and the passages that its steps have seen. */
interface SeenPassages {
  readonly question: string;
  readonly seen: readonly Passage[];
}

/** What is answered in the end. */
interface Concluded {
  readonly answer: string | null;
  readonly citations: readonly Citation[];
  readonly assumptions: readonly string[];
  readonly problems: readonly string[];
  readonly error: RlmError | null;
}

/** Looks up claims without a mark; findings that stand behind an answer without any mark bear out all of it. */
function lookUpClaims(concluded: Concluded, { question, seen }: SeenPassages): Pick<Concluded, 'answer' | 'citations'> {
  const { answer, citations } = concluded;
  if (answer === null || (citations.length > 0 && markedIds(answer).length === 0)) return concluded;
  return citeClaims({ ...concluded, answer }, question, seen);
}

/**
 * The draft of a question that was answered in steps. Claims that cite nothing are looked up in the passages that were
 * seen. Warns of citations that do not hold.
 */
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

/**
 * Answers directly where there is no text to look into, no model that can look, or no room for it.
 * @throws RlmError where it was answered directly before.
 */
export async function answerAtOnce(question: Question, why: string, run: Run, recurse: Recurse): Promise<Draft> {
  if (question.tried !== null) throw new RlmError('reply-unusable', why);
  return { ...(await direct.solve(question, run, recurse)), strategyReason: why };
}
