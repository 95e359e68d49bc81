/** Queries of the first look: a reply may ask for SQL over the records of the text before it answers. */
import type { Queried } from '../../prompts/answer.ts';
import type { Run } from '../../run/run.ts';
import { isSmall, testedOf } from '../../run/up-to.ts';
import type { Passage } from '../../state.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { allotmentLeft, type Question } from '../strategy.ts';
import { createToolWorld, givePassages } from '../tool-world.ts';

/** Queries before an answer, at most. */
const mostQueries = 3;
/** Characters that the description of the tables may have. */
const tableCharacters = 2_500;
/** The room for a result. */
export const resultBounds = { characters: 4_000, lines: 80 };

/** Whether a model may query: not a small one, which is no good at it beside an answer, nor without text. */
function mayQuery({ path, begun }: Question, { text, models, settings }: Run): boolean {
  const info = models.info('answer', path);
  const { allow } = settings.tools;
  const isAllowed = allow === null || allow.includes('query');
  return (
    begun === null && isAllowed && info.spends !== 'nothing' && !isSmall(testedOf(info)) && text.store.chunkCount > 0
  );
}

function worldOf(run: Run) {
  return createToolWorld(run, {
    files: null,
    bounds: resultBounds,
    pieceBytes: 0,
    questions: null,
    find: async () => [],
    note: () => '',
  });
}

/** Describes the tables of the text; empty where it is no records, or the model may not query. */
export async function tablesFor(asked: Question, run: Run): Promise<string> {
  if (!mayQuery(asked, run)) return '';
  const [{ hasRecords }, { query }] = await Promise.all([
    import('../../query/has-records.ts'),
    import('../../tools/query.ts'),
  ]);
  if (!hasRecords(run.text.store)) return '';
  try {
    const described = await query.run(
      {},
      { ...worldOf(run), bounds: { ...resultBounds, characters: tableCharacters } },
    );
    return typeof described === 'string' ? described : described(resultBounds).text;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return '';
  }
}

/** Runs a query. A query that fails has its error as the result, which the model can mend. */
async function runOne(
  sql: string,
  run: Run,
): Promise<{ readonly queried: Queried; readonly passages: readonly Passage[] }> {
  const { query } = await import('../../tools/query.ts');
  try {
    const result = await query.run({ sql }, worldOf(run));
    const { text, passages } = typeof result === 'string' ? { text: result, passages: [] } : result(resultBounds);
    givePassages(passages, run);
    return { queried: { sql, result: text, ids: passages.map(({ id }) => id) }, passages };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { queried: { sql, result: `The query failed: ${error.message}`, ids: [] }, passages: [] };
  }
}

/** A reply that may ask for a query. */
interface QueryingReply {
  readonly query: string;
}

/**
 * Asks until a reply asks for no query, at most four times. Each result follows in the same conversation.
 * @param tables as `tablesFor` describes them; empty: no query may be asked for.
 * @param ask asks with the results so far, and with whether one more query may be asked for.
 * @returns the last reply, and the passages of the results.
 */
export async function askQuerying<R extends QueryingReply>(
  asked: Question,
  run: Run,
  tables: string,
  ask: (queried: readonly Queried[], mayAsk: boolean) => Promise<R>,
): Promise<{ readonly reply: R; readonly computed: readonly Passage[] }> {
  const queried: Queried[] = [];
  const computed = new Map<string, Passage>();
  for (;;) {
    const mayAsk = tables !== '' && queried.length < mostQueries && allotmentLeft(asked, run) > 1;
    const reply = await ask(queried, mayAsk);
    if (!mayAsk || reply.query === '') return { reply, computed: [...computed.values()] };
    const done = await runOne(reply.query, run);
    queried.push(done.queried);
    for (const passage of done.passages) computed.set(passage.id, passage);
  }
}
