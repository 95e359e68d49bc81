import type { Passage, ToolUse } from '../state.ts';
import { answer, idsOf } from './answer.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface ReviseVariables {
  readonly question: string;
  /** The answer to revise, with its citation marks. */
  readonly draft: string;
  readonly results: readonly ToolUse[];
  readonly passages: readonly Passage[];
}

/** Renders results between tags that their own words cannot close. */
const renderResults = (results: readonly ToolUse[]): string =>
  results
    .map(({ tool, arguments: given, result }) => {
      const shown = result.replace(/<(\/?)result/gi, '<$1\u200bresult');
      return `<result of="${tool}">\n${JSON.stringify(given)}\n${shown}\n</result>`;
    })
    .join('\n');

/** Revises an answer with the results of the tools that it requested. */
export const revise = definePrompt<ReviseVariables>()({
  name: 'revise',
  render: { question: asIs, draft: asIs, results: renderResults, passages: renderPassages },
  required: ['question', 'draft', 'results', 'passages'],
  fields: answer.fields,
  plain: { marks: null },
  passageIds: idsOf,
});
