/** Answers a question that compares things: asks the same question about each, and compares the answers. */
import { carryCitations } from '../../evidence/citations.ts';
import { tellsNothing } from '../../evidence/claims/tells-nothing.ts';
import { rewriteMarks } from '../../evidence/marks.ts';
import type { TreeNode } from '../../state.ts';
import { draftBy } from '../draft.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import type { Comparison } from './comparison.ts';
import { valuesOf } from './measured.ts';

const plain = (answer: string): string =>
  rewriteMarks(answer, () => '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the result of the comparison as a sentence; null where code cannot compare the answers. */
export function verdictOf({ parts, picks, isYesNo }: Comparison, answers: readonly string[]): string | null {
  const values = valuesOf(parts.map(({ question }, at) => ({ question, answer: answers[at]! })));
  if (picks === 'same') {
    const isSame = values === null ? new Set(answers.map(plain)).size === 1 : new Set(values).size === 1;
    return values === null && !isSame ? null : isSame ? 'Yes, it is the same.' : 'No, they differ.';
  }
  if (values === null) return null;
  const best = picks === 'most' ? Math.max(...values) : Math.min(...values);
  const chosen = parts.filter((_, at) => values[at] === best).map(({ thing }) => thing);
  if (chosen.length > 1) return `${chosen.join(' and ')}: there is no difference.`;
  if (isYesNo) return values[0] === best ? 'Yes.' : 'No.';
  return `${chosen[0]!.charAt(0).toUpperCase()}${chosen[0]!.slice(1)}.`;
}

const isAnswered = ({ answer }: TreeNode): boolean => answer !== null && !tellsNothing(answer);

/** Asks about each thing separately. Where code cannot compare the answers, `compose` combines them. */
export async function solveComparison(
  asked: Question,
  form: Comparison,
  recurse: Recurse,
  compose: (children: readonly TreeNode[]) => Promise<Draft>,
): Promise<Draft> {
  const { path, known, passages, inHand } = asked;
  const allotment = Math.max(1, Math.floor(asked.allotment / form.parts.length));
  const found = passages ?? inHand;
  const children = await Promise.all(
    form.parts.map(({ question }, at) =>
      recurse({ question, path: `${path}.${at + 1}`, known, inHand: found, allotment, isPlain: true }),
    ),
  );
  const error = children.find((child) => child.error !== null)?.error ?? null;
  if (!children.some(isAnswered)) return draftBy('decompose', { status: 'unanswered', children, error });
  const verdict = children.every(isAnswered)
    ? verdictOf(
        form,
        children.map(({ answer }) => answer!),
      )
    : null;
  if (verdict === null) return compose(children);
  const lines = form.parts.map(({ thing }, at) => `- ${thing}: ${children[at]!.answer}`);
  const { answer, citations } = carryCitations([verdict, ...lines].join('\n'), children);
  const assumptions = [...new Set(children.flatMap((child) => child.assumptions))];
  return draftBy('decompose', { answer, citations, assumptions, children, error });
}
