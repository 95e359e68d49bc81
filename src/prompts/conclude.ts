import type { ExploredFinding } from '../state.ts';
import { answer, idsOf, type PassagesVariables, passagesRender } from './answer.ts';
import { bullets, definePrompt } from './prompt.ts';

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
    tells: {
      kind: 'choice',
      label: 'TELLS',
      about: 'how much of the question the answer tells',
      required: false,
      options: ['all', 'part', 'nothing', 'unknown'],
    },
    missing: {
      kind: 'list',
      label: 'MISSING',
      about: 'what was not found, as short questions that stand by themselves',
      required: false,
    },
  },
  passageIds: (variables) => [...idsOf(variables), ...variables.findings.flatMap(({ passage }) => passage ?? [])],
});
