/** Translates a question to SQL. Answers only if a reading uses all words, and all readings give the same answer. */
import type { CitedLines, QueryLimits, TranslatedQuestion, Translation } from '../query-result.ts';
import type { QueryText } from '../run-query.ts';
import { type Database, openDatabase } from '../sqlite/database.ts';
import type { Sqlite } from '../sqlite/start.ts';
import { mayMiscount } from '../tables/column-facts.ts';
import { createReading, fillTable } from '../tables/fill-table.ts';
import { isToldBeside, tablesHolding } from '../tables/hold-texts.ts';
import { hasSibling, linesName, planTables, sharesWord, tableBytes } from '../tables/plan-tables.ts';
import { takeDocumentNames } from '../tables/take-document-names.ts';
import { otherNamesOf, type ProfiledColumn, profileTable } from './profile.ts';
import { isMisled, pathsOf, type QueryReading, readingsOf } from './readings.ts';
import { findSenses, isLevel } from './senses.ts';
import { momentAt, questionTokensOf, type Words } from './tokens.ts';
import { asksToCompute, letterStart } from './words.ts';
import { leftOutNotes, placesSql, sqlOf, state, valueNames } from './write-sql.ts';

const noRecords: readonly string[] = [linesName, 'headings', 'paths'];
const mostTables = 50;
/** Maximum size of the text whose tables are profiled, in MB. Profiling takes several times as long as a query. */
const mostMegabytes = 50;
const [mostReadings, mostCited, mostWords] = [12, 5, 40];

function compute(database: Database, reading: QueryReading) {
  const sql = sqlOf(reading);
  const stated = state(reading, database.rows(sql));
  return stated && { reading, sql, stated };
}

const hasDoubts = ({ filtered, computation: { column, group } }: QueryReading): boolean =>
  filtered.some((one) => one.isDoubtful) || [column, group].some((one) => one?.isDoubtful || one?.areApart === false);

type Computed = NonNullable<ReturnType<typeof compute>>;

function placesOf(database: Database, { reading, stated }: Computed): CitedLines[] {
  return database
    .rows(placesSql(reading, stated, mostCited))
    .map(([document, line]) => ({ document: String(document), startLine: Number(line), endLine: Number(line) }));
}

function agreed(database: Database, readings: readonly QueryReading[]): Computed | null {
  const unique = [...new Map(readings.map((reading) => [sqlOf(reading), reading])).values()];
  if (unique.length === 0 || unique.length > mostReadings) return null;
  // Several tables without a known format may each hold a part of the rows.
  if (new Set(unique.flatMap(({ table }) => (table.isOwn ? table.name : []))).size > 1) return null;
  if (unique.some((reading) => isMisled(reading) || hasDoubts(reading))) return null;
  const computed = unique.map((reading) => compute(database, reading));
  const first = computed.find((one) => one?.reading.table.name === 'releases') ?? computed[0];
  const values = new Set(computed.map((one) => JSON.stringify(one?.stated.values)));
  if (first === null || first === undefined || values.size > 1) return null;
  // Equal numbers from different rows are different answers.
  const { table, computation } = first.reading;
  const isAlike = ({ reading }: Computed) => reading.table === table && reading.computation.kind === computation.kind;
  const alike = computed.filter((one) => one !== null && isAlike(one));
  const placed = (one: Computed) => [one.reading.computation.column?.sql, placesOf(database, one)];
  const rows = new Set(alike.map((one) => JSON.stringify(placed(one!))));
  return ['count', 'distinct', 'aggregate'].includes(computation.kind) && rows.size > 1 ? null : first;
}

/** Matches words that make a time the start or the end of a period: "by June", "from June". */
const openEnded = /^(?:by|from|to|through)$/i;
/** Matches a reason, an ordinal before a superlative ("second highest"), and "it" in the first sentence. */
const unfit = /^[^.?!]*\b[Ii]ts?\b|\b[Ww]hy\b|\b(?:second|third|fourth|fifth|next|last)[\s-]+(?:\w+est|most|least)\b/;
const isUnfit = (question: string, tokens: Words): boolean =>
  tokens.some(({ text }, at) => openEnded.test(text) && momentAt(tokens, at + 1) !== null) || unfit.test(question);

/** Matches questions about the present state, such as "are installed". A package log has only past actions. */
const asksForState = /\b(?:is|are)\s+(?:\w+\s+)?\w+ed\b/i;
const asksForNow = /\b(?:is|are|has|have)\b/i;

/** Matches questions about what somebody did: "How many lamps did Kim order?", "hours spent by Kim". */
const asksVerb =
  /^(?!\W*when\b).*(?:\b(?:do|does|did)\b(?!.*\b(?:take|last|weigh|cost|pay|spend|have|go|come|occur|happen)\b)|(?:ed|ade|ent|old|ught|en|one) by\b)/is;

/**
 * Whether a result is the answer. A format, such as that of a log, tells what a row is, but not what a field means. In
 * other tables a row may be a total, void, or the same thing at another time, so only single cells are stated.
 */
function isExact({ table, filtered, namesRows, computation: { kind, column, group } }: QueryReading): boolean {
  if (table.isOwn) return kind === 'cells' && filtered.every((one) => one.kind !== 'number' && one.isFull);
  // "How often was Kim in?" does not mean each line with this name. Lines `Name: text` may be no chat.
  const isNamed = table.name === 'log' ? namesRows || filtered.some(isLevel) : table.name !== 'chat';
  if (kind !== 'cells' && (!isNamed || column?.sql.includes('->>'))) return false;
  // A level that some lines lack may be a word of the message. `/login` and `/Login` may be different pages.
  const isOpen = ({ name, isFull, isFolded, kind: of, written }: ProfiledColumn) => {
    const isOfAll = ['level', group?.name, kind === 'distinct' && 'source'].includes(name) || of === 'time';
    const needsAll = kind === 'aggregate' || (kind !== 'cells' && isOfAll);
    return (needsAll && !isFull) || (name !== 'level' && isFolded) || (of === 'time' && written === null);
  };
  return ![...filtered, column, group].some((one) => one !== null && isOpen(one));
}

function toQuestion(database: Database, computed: Computed): TranslatedQuestion {
  const { sql, stated, reading } = computed;
  const { name, notes } = reading.table;
  const leftOut = leftOutNotes(reading, database.rows);
  const lacking = notes.filter((note) => note.startsWith(`${name} lacks`));
  // "The bonus of Ola" is open if two rows have this name and one has no bonus.
  const isLeft = reading.computation.kind === 'cells' ? leftOut.length > 0 : lacking.length > 0;
  return {
    ...{ sql, words: stated.words, values: stated.values, isExact: reading.isClear && !isLeft && isExact(reading) },
    columns: valueNames(reading),
    places: placesOf(database, computed),
    notes: [...lacking, ...leftOut],
  };
}

const lettersOf = (tokens: Words): readonly string[] =>
  tokens.flatMap(({ text, isQuoted }, at) => (isQuoted || momentAt(tokens, at) ? [] : (letterStart(text) ?? [])));

export function translate(sqlite: Sqlite, text: QueryText, asked: string, limits: QueryLimits): Translation {
  const question = asked.normalize('NFC');
  const { tokens, isMeant } = takeDocumentNames(text.source, questionTokensOf(question));
  const isOpen = tokens.length <= mostWords && !isUnfit(question, tokens);
  const planned = isOpen ? planTables(text.source).filter((one) => !noRecords.includes(one.name) && isMeant(one)) : [];
  const asksNumber = asksToCompute.test(question) && (planned.length > 0 || !isOpen);
  if (planned.length === 0 || planned.length > mostTables) return { translated: null, asksNumber };
  const most = Math.min(limits.megabytes, mostMegabytes);
  if (tableBytes(planned) > most * 1_000_000) return { translated: null, asksNumber, limitMb: most };
  const database = openDatabase(sqlite);
  // Whether the question is ambiguous for a table, or names its columns or cells but has no reading for it.
  let isRefused = false;
  // The year of another document may be another year.
  const reading = createReading([], () => true);
  const readings = tablesHolding(planned, lettersOf(tokens), otherNamesOf).flatMap((table) => {
    const profiled = profileTable(database, table, fillTable(database, table, text.origins, reading));
    const paths = pathsOf(findSenses(database, profiled, question, tokens));
    const mayBeOver = (profiled.hasEnded ? asksForNow : asksForState).test(question);
    const isPast = (profiled.hasEnded || table.name === 'packages') && mayBeOver;
    const isVerb = (profiled.isOwn || !asksNumber) && asksVerb.test(question);
    const isOpen = hasSibling(table, planned) || isPast || isVerb;
    const found = isOpen ? [] : paths.map((path) => readingsOf(path, profiled));
    const isAsked = paths.some((path) => path.some(({ role }) => role === 'column' || role === 'value'));
    const usable = found.flatMap((of) => of ?? []);
    isRefused ||= found.includes(null) || (usable.length === 0 && isAsked);
    return usable;
  });
  // Two documents may hold different rows or the same rows; the question does not say which document it means.
  const isOfOne = new Set(readings.map(({ table }) => table.documents)).size <= 1;
  const computed = isOfOne && !isRefused ? agreed(database, readings) : null;
  if (computed === null) return { translated: null, asksNumber };
  const { table, computation } = computed.reading;
  const isOfCount = computation.kind === 'count' || computation.kind === 'distinct';
  const isTold = isOfCount && planned.some((one) => one.name === table.name && isToldBeside(one, lettersOf(tokens)));
  const words = tokens.map((token) => token.text.toLowerCase());
  // "What is the average price?" may mean the price in another table.
  const { name = '' } = computation.column ?? {};
  const isShared = name !== '' && planned.some((one) => one.name !== table.name && sharesWord(one, name, words));
  const isClear = !isTold && !isShared && !readings.some((one) => mayMiscount(database, one.table));
  return { translated: isClear ? toQuestion(database, computed) : null, asksNumber };
}
