import { checkCitations } from '../evidence/citations.ts';
import { renderKnown } from '../prompts/prompt.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import type { Question, Strategy } from './strategy.ts';

/** The words to search with: the question, and what is known already, since that may name the thing to look for. */
const queryFor = (question: string, known: readonly { answer: string | null }[]): string =>
  [question, ...known.map(({ answer }) => answer?.slice(0, 300) ?? '')].join('\n').trim();

/** What the prompt holds besides: only what is known already can be of any length. */
const takenBy = ({ known }: Question): number => (known.length > 0 ? Buffer.byteLength(renderKnown(known)) : 0);

/** The passages that came with the question, else those that suit it best. */
async function passagesFor(asked: Question, run: Run): Promise<readonly Passage[]> {
  const { question, path, known, ancestors, inHand, passages } = asked;
  if (passages !== null) return passages;
  const query = queryFor(question, known);
  return run.retrieve({ query, focus: ancestors.at(-1) ?? '', takenBytes: takenBy(asked), path, inHand });
}

/** Answers from passages, in one call. */
export const direct: Strategy = {
  name: 'direct',
  async solve(asked, run) {
    const { question, path, known, criteria } = asked;
    const passages = await passagesFor(asked, run);
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
