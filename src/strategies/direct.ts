import { checkCitations } from '../evidence/citations.ts';
import { renderKnown } from '../prompts/prompt.ts';
import type { Strategy } from './strategy.ts';

/** The words to search with: the question, and what is known already, since that may name the thing to look for. */
const queryFor = (question: string, known: readonly { answer: string | null }[]): string =>
  [question, ...known.map(({ answer }) => answer?.slice(0, 300) ?? '')].join('\n').trim();

/** Answers from passages, in one call. */
export const direct: Strategy = {
  name: 'direct',
  async solve({ question, path, known, criteria, passages: given }, run) {
    const taken = Buffer.byteLength(renderKnown(known));
    const passages = given ?? (await run.retrieve(queryFor(question, known), known.length > 0 ? taken : 0, path));
    const reply = await run.ask('answer', { question, passages, known, criteria }, { path, share: 'ordinary' });
    const checked = checkCitations(reply.answer, reply.citations, passages);
    for (const problem of checked.problems) run.warn(problem);
    return {
      strategy: 'direct',
      strategyReason: null,
      status: 'answered',
      answer: checked.answer,
      citations: checked.citations,
      assumptions: reply.assumptions,
      passages,
      children: [],
      error: null,
    };
  },
};
