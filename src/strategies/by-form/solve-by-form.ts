import type { Run } from '../../run/run.ts';
import type { TreeNode } from '../../state.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import type { Form } from './form.ts';
import { solveComparison } from './solve-comparison.ts';
import { solveDocuments } from './solve-documents.ts';
import { solveJoin } from './solve-join.ts';

/**
 * Answers a question by the parts that its form shows. Code writes the questions and combines the answers; a model
 * only answers the parts.
 * @param compose composes answers that code cannot compare.
 */
export function solveByForm(
  asked: Question,
  form: Form,
  run: Run,
  recurse: Recurse,
  compose: (children: readonly TreeNode[]) => Promise<Draft>,
): Promise<Draft> {
  switch (form.kind) {
    case 'compare':
      return solveComparison(asked, form, recurse, compose);
    case 'documents':
      return solveDocuments(asked, form, run, recurse);
    case 'join':
      return solveJoin(asked, form, run, recurse);
  }
}
