/** Answers from passages and, if the text has records, from queries over them. */

import { isComputed, outputOf } from '../context/computed-passage.ts';
import { weigh } from '../context/text-size.ts';
import { RlmError } from '../errors.ts';
import { checkCitations } from '../evidence/citations.ts';
import { citeClaims } from '../evidence/claims/cite-claims.ts';
import { markedIds } from '../evidence/marks.ts';
import { createValueSources, readValues } from '../evidence/values.ts';
import { completenessOf, type Queried } from '../prompts/answer.ts';
import { isSmall } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import { refitting } from '../run/text/refit.ts';
import type { Passage } from '../state.ts';
import { ToolError } from '../tools/tool-error.ts';
import { shownTo } from './excerpts.ts';
import { allotmentLeft, type Draft, draftBy, type Question, takenBy } from './strategy.ts';
import { givePassages, queryWorld, tablesOf } from './tool-world.ts';

const mostQueries = 3;
const resultBounds = { characters: 4_000, lines: 80 };

/** Whether the answer may request queries. Small models may not, because they write poor queries while they answer. */
function hasQueries({ path, earlierStep }: Question, { text, models }: Run): boolean {
  const info = models.info('answer', path);
  return earlierStep === null && info.spends !== 'nothing' && !isSmall(info) && text.store.chunkCount > 0;
}

interface RunQuery {
  readonly queried: Queried;
  readonly passages: readonly Passage[];
}

/** Runs a query. If it fails, the result is the error, so that the model can correct the query. */
async function runOne(sql: string, run: Run): Promise<RunQuery> {
  const { queryForModel } = await import('../tools/query.ts');
  try {
    const result = await queryForModel(sql, run.text.store, queryWorld(run, resultBounds));
    const { text, passages } = result(resultBounds);
    givePassages(passages, run);
    return { queried: { sql, result: text, ids: passages.map(({ id }) => id) }, passages };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { queried: { sql, result: `The query failed: ${error.message}`, ids: [] }, passages: [] };
  }
}

/** For a small model, translates the root's question to SQL and runs it. */
async function translatedFor({ question, path, depth, earlierStep }: Question, run: Run): Promise<readonly RunQuery[]> {
  const info = run.models.info('answer', path);
  if (depth > 0 || earlierStep !== null || info.spends === 'nothing' || !isSmall(info)) return [];
  const { translatedQuery } = await import('./computed.ts');
  const found = await translatedQuery(question, run);
  return found === null ? [] : [found];
}

/** Returns the search query: the question, and the known answers, which may name what to find. */
export const queryFor = (question: string, known: readonly { answer: string | null }[]): string =>
  [question, ...known.map(({ answer }) => answer?.slice(0, 300) ?? '')].join('\n').trim();

async function passagesFor(asked: Question, run: Run): Promise<readonly Passage[]> {
  const { question, path, known, ancestors, inHand } = asked;
  const takenBytes = takenBy(asked);
  if (asked.depth > 0 && run.settings.reasoner.childTools === 'off' && !asked.hasOwnText)
    return run.passages.fit([inHand], takenBytes, path);
  return run.passages.find({
    query: queryFor(question, known),
    focus: ancestors.at(-1) ?? '',
    takenBytes,
    path,
    inHand,
  });
}

/** The answer if nothing was found. */
export const notFound = 'Not found: the passages that were read do not hold the answer.';

const resultBytes = 2 * resultBounds.characters;

/** Returns the passages that fit beside the tables and query results; if none fits, drops the tables. */
function besideTables(
  asked: Question,
  passages: readonly Passage[],
  tables: string,
  begun: readonly RunQuery[],
  run: Run,
) {
  const fitting = (bytes: number) => run.passages.fit([passages], takenBy(asked) + bytes, asked.path);
  try {
    return { tables, shown: fitting(weigh(tables) + resultBytes) };
  } catch (error) {
    if (!(error instanceof RlmError) || error.code !== 'prompt-too-long') throw error;
    const shown = fitting(weigh(begun.map(({ queried }) => queried.sql + queried.result).join('')));
    if (tables !== '')
      run.events.warn('left-out', 'the window has too little room to query the records; only passages are read');
    return { tables: '', shown };
  }
}

/** Asks for the answer, and runs the queries that replies request, until a reply requests none. */
async function answerFrom(asked: Question, passages: readonly Passage[], run: Run) {
  const { question, path, known, criteria } = asked;
  const mayNeedAll = asked.depth === 0;
  const all = shownTo(asked, passages, run);
  const [found, begun] = await Promise.all([hasQueries(asked, run) ? tablesOf(run) : '', translatedFor(asked, run)]);
  const { tables, shown } =
    found !== '' || begun.length > 0 ? besideTables(asked, all, found, begun, run) : { tables: '', shown: all };
  const ids = new Set(shown.map(({ id }) => id));
  const made = [...begun];
  for (;;) {
    const queried = made.map((one) => one.queried);
    const mayQuery = tables !== '' && made.length < mostQueries && allotmentLeft(asked, run) > 1;
    const variables = { question, passages: shown, known, criteria, tables, queried, mayQuery, mayNeedAll };
    const part = made.length === 0 ? {} : { part: `query-${made.length}` };
    const reply = await run.ask('answer', variables, { path, share: 'ordinary', ...part });
    if (mayQuery && reply.query !== '') {
      made.push(await runOne(reply.query, run));
      continue;
    }
    const computed = new Map(made.flatMap((one) => one.passages.map((passage) => [passage.id, passage])));
    const more = [...computed.values()].filter(({ id }) => !ids.has(id));
    const own = [...passages.filter(({ id }) => ids.has(id)), ...more];
    return { reply, passages: own, shown: begun.length > 0 ? [...more, ...shown] : shown };
  }
}

/** Answers from the question's passages. Searches for passages if it has none, or if they do not fit the prompt. */
function answerQuestion(asked: Question, run: Run) {
  let found = asked.passages;
  return refitting(run, async () => {
    const passages = found ?? (await passagesFor(asked, run));
    found = null;
    return answerFrom(asked, passages, run);
  });
}

/** If an answer has no marks, adds the marks of the computed passages whose numbers and identifiers it states. */
function markComputed(answer: string, passages: readonly Passage[]): string {
  if (markedIds(answer).length > 0) return answer;
  const said = createValueSources([answer]);
  const stated = passages.filter((passage) => {
    if (!isComputed(passage)) return false;
    const { numbers, identifiers } = readValues(outputOf(passage));
    return numbers.size + identifiers.size > 0 && said.missing(outputOf(passage)).length === 0;
  });
  return [answer.trimEnd(), ...stated.map(({ id }) => `[${id}]`)].join(' ');
}

/** Answers from passages. */
export async function direct(asked: Question, run: Run): Promise<Draft> {
  const { reply, passages, shown } = await answerQuestion(asked, run);
  const marked = reply.answer === '' ? notFound : markComputed(reply.answer, passages);
  const checked = checkCitations(marked, reply.citations, passages);
  const told = completenessOf(reply);
  const { answer, citations, problems } =
    told.tells === 'nothing' ? checked : citeClaims(checked, asked.question, passages);
  for (const problem of problems) run.events.warn('evidence', problem);
  const { assumptions } = reply;
  const isCounted = citations.some(isComputed);
  const needsAll = asked.depth === 0 && reply.needsAll === 'yes' && !(isCounted && told.tells === 'all');
  return draftBy('direct', { answer, ...told, needsAll, citations, assumptions, passages, shown });
}

/** Answers directly because another strategy cannot answer. After an earlier step, throws `reply-unusable` instead. */
export async function answerAtOnce(question: Question, why: string, run: Run): Promise<Draft> {
  if (question.earlierStep !== null) throw new RlmError('reply-unusable', why);
  return { ...(await direct(question, run)), strategyReason: why };
}
