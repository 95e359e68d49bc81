import type { ExploredFinding } from '../state.ts';
import { answer, idsOf, type PassagesVariables, passagesRender } from './answer.ts';
import { bullets, definePrompt } from './prompt.ts';
import { choice, field } from './reply/fields.ts';

export interface ConcludeVariables extends PassagesVariables {
  /** Findings whose evidence the text contains. */
  readonly findings: readonly ExploredFinding[];
  /** Thoughts of the steps, one per step that had any. */
  readonly thoughts: readonly string[];
}

/** Answers from the findings of an exploration that ended without an answer. */
export const conclude = definePrompt<ConcludeVariables>()({
  name: 'conclude',
  render: {
    ...passagesRender,
    findings: (findings) =>
      bullets(findings.map(({ description, evidence, passage }) => `${description} "${evidence}" [${passage}]`)),
    thoughts: bullets,
  },
  required: ['question', 'passages', 'findings'],
  fields: {
    answer: answer.fields.answer,
    citations: answer.fields.citations,
    assumptions: answer.fields.assumptions,
    // The last option is what a reply without this field gets: it does not say.
    tells: choice(['all', 'part', 'nothing', 'unknown'], 'TELLS', 'how much of the question the answer tells'),
    missing: field('list', 'MISSING', 'what was not found, as short questions that stand by themselves'),
  },
  passageIds: (variables) => [...idsOf(variables), ...variables.findings.flatMap(({ passage }) => passage ?? [])],
});
