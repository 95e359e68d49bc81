import { weigh } from '../context/text-size.ts';
import { checkCitations } from '../evidence/citations.ts';
import { citeClaims } from '../evidence/claims/cite-claims.ts';
import { completenessOf } from '../prompts/completeness.ts';
import type { Run } from '../run/run.ts';
import { isComputed } from '../run/text/computed-passage.ts';
import { refitting } from '../run/text/refit.ts';
import type { Passage } from '../state.ts';
import { askQuerying, resultBounds, tablesFor } from './direct/records.ts';
import type { Answered } from './direct/search-further.ts';
import { draftBy } from './draft.ts';
import { shownTo } from './excerpts.ts';
import { type Question, type Strategy, takenBy } from './strategy.ts';

/** Returns the search query: the question, and known answers, which may name the thing to find. */
export const queryFor = (question: string, known: readonly { answer: string | null }[]): string =>
  [question, ...known.map(({ answer }) => answer?.slice(0, 300) ?? '')].join('\n').trim();

/** Returns how a question below the root may find passages. */
function toolsFor({ depth }: Question, { settings }: Run) {
  const { childTools, fullToolsDepth } = settings.reasoner;
  return childTools === 'full' && depth > fullToolsDepth ? 'passages' : childTools;
}

/** Returns the inherited passages, or those that match the question best. */
async function passagesFor(asked: Question, run: Run): Promise<readonly Passage[]> {
  const { question, path, known, ancestors, inHand } = asked;
  const takenBytes = takenBy(asked);
  if (asked.depth > 0 && toolsFor(asked, run) === 'off' && !asked.hasOwnText)
    return run.passages.fit([inHand], takenBytes, path);
  return run.passages.find({
    query: queryFor(question, known),
    focus: ancestors.at(-1) ?? '',
    takenBytes,
    path,
    inHand,
  });
}

/** Stands in place of an answer where the reply only says by its fields that nothing is there. */
const notFound = 'Not found: the passages that were read do not hold the answer.';

/** Room for the results of queries, in bytes. */
const resultBytes = 2 * resultBounds.characters;

/** Asks the model; in a text of records also with what queries of its own compute. */
async function answerFrom(asked: Question, passages: readonly Passage[], run: Run): Promise<Answered> {
  const { question, path, known, criteria } = asked;
  const mayNeedAll = asked.depth === 0;
  let shown = shownTo(asked, passages, run);
  const tables = await tablesFor(asked, run);
  if (tables !== '') shown = run.passages.fit([shown], takenBy(asked) + weigh(tables) + resultBytes, path);
  const { reply, computed } = await askQuerying(asked, run, tables, (queried, mayQuery) => {
    const variables = { question, passages: shown, known, criteria, tables, queried, mayQuery, mayNeedAll };
    const part = queried.length === 0 ? {} : { part: `query-${queried.length}` };
    return run.ask('answer', variables, { path, share: 'ordinary', ...part });
  });
  const ids = new Set(shown.map(({ id }) => id));
  const own = [...passages.filter(({ id }) => ids.has(id)), ...computed.filter(({ id }) => !ids.has(id))];
  return { reply, passages: own, shown, searches: [] };
}

/** Answers with the root's retrieved passages; searches again where they turn out not to fit. */
function answerQuestion(asked: Question, run: Run) {
  let found = asked.passages;
  return refitting(run, async () => {
    const passages = found ?? (await passagesFor(asked, run));
    found = null;
    if (asked.passages !== null || toolsFor(asked, run) !== 'full') return answerFrom(asked, passages, run);
    const { answerSearching } = await import('./direct/search-further.ts');
    return answerSearching(asked, passages, run, (all) => answerFrom(asked, all, run));
  });
}

/** Answers from passages: in one call, unless the model may request further searches. */
export const direct: Strategy = {
  name: 'direct',
  async solve(asked, run) {
    const { reply, passages, shown, searches } = await answerQuestion(asked, run);
    const checked = checkCitations(reply.answer === '' ? notFound : reply.answer, reply.citations, passages);
    const told = completenessOf(reply);
    const { answer, citations, problems } =
      told.tells === 'nothing' ? checked : citeClaims(checked, asked.question, passages);
    for (const problem of problems) run.events.warn(problem);
    const { assumptions } = reply;
    const isCounted = citations.some(isComputed);
    const needsAll = asked.depth === 0 && reply.needsAll === 'yes' && !(isCounted && told.tells === 'all');
    return draftBy('direct', { answer, ...told, needsAll, citations, assumptions, passages, shown, searches });
  },
};
