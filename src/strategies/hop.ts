import { contentTerms } from '../context/words/terms.ts';
import { RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import { allotmentLeft, type Question } from './strategy.ts';

const mostQueries = 3;
const longestQuery = 200;
/** Calls that a hop needs: itself and the answer. */
const callsWorthHopping = 2;

/** Whether a hop may find more: not where the whole text is read. */
export const mayHop = (asked: Question, run: Run): boolean =>
  !run.text.fits && run.text.store.chunkCount > 0 && allotmentLeft(asked, run) >= callsWorthHopping;

function newQueries(reply: string, question: string): readonly string[] {
  const own = new Set(contentTerms(question));
  const lines = reply.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim());
  const fresh = lines.filter((line) => contentTerms(line).some((term) => !own.has(term)));
  return fresh.slice(0, mostQueries).map((line) => line.slice(0, longestQuery));
}

/** Has the model name searches for what the `shown` passages do not tell, and makes them; null where none find any. */
export async function hop(asked: Question, shown: readonly Passage[], run: Run) {
  if (!mayHop(asked, run)) return null;
  const { question, path, passages } = asked;
  try {
    const { searches } = await run.ask('hop', { question, passages: shown }, { path, share: 'ordinary' });
    const queries = newQueries(searches, question);
    const known = new Set((passages ?? []).map(({ id }) => id));
    const found: Passage[] = [];
    for (const query of queries) {
      const exclude = new Set([...known, ...found.map(({ id }) => id)]);
      found.push(...(await run.passages.findMore({ query, focus: question, path, exclude })));
    }
    return found.length === 0 ? null : { queries, passages: found };
  } catch (error) {
    // An error that ends the run recurs in the answering call; the previous step's answer is kept either way.
    if (!(error instanceof RlmError)) throw error;
    return null;
  }
}
