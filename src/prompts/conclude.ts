import type { ExploredFinding } from '../state.ts';
import { type AnswerVariables, answer, asksMarks, idsOf } from './answer.ts';
import { bullets, definePrompt } from './prompt.ts';

export interface ConcludeVariables extends AnswerVariables {
  /** Findings whose evidence the text contains. */
  readonly findings: readonly ExploredFinding[];
  /** Thoughts of the steps, one per step that had any. */
  readonly thoughts: readonly string[];
}

/** Answers from the findings of an exploration that ended without an answer. */
export const conclude = definePrompt<ConcludeVariables>()({
  name: 'conclude',
  render: {
    ...answer.render,
    findings: (findings) =>
      bullets(findings.map(({ description, evidence, passage }) => `${description} "${evidence}" [${passage}]`)),
    thoughts: bullets,
  },
  required: ['question', 'passages', 'findings'],
  fields: answer.fields,
  plain: { marks: asksMarks },
  passageIds: (variables) => [...idsOf(variables), ...variables.findings.flatMap(({ passage }) => passage ?? [])],
});
