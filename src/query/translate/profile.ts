import { writtenSql } from '../records/times.ts';
import { placeColumns, sqlName } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import { type ColumnFacts, columnFacts, isOneLine, isSpread } from '../tables/column-facts.ts';
import * as named from '../tables/column-names.ts';
import { wordsIn } from '../tables/column-names.ts';
import { columnPeople } from '../tables/column-people.ts';
import { copyFields } from '../tables/copy-fields.ts';
import type { FilledTable } from '../tables/fill-table.ts';
import { type Moment, yearStart } from '../tables/moment.ts';
import { othersNote, type PlannedTable } from '../tables/plan-tables.ts';
import { isYear } from './tokens.ts';
import { type Dimension, stemOf, unitOf, type WordUnit } from './words.ts';

/** `number`: a quantity. `code`: a number that identifies or ranks something. `time`: ISO 8601 or a time of day. */
type ColumnKind = 'number' | 'code' | 'text' | 'flag' | 'time';

/** Words that people use for the rows and columns of tables in known formats. */
const formatWords: Readonly<Record<string, { readonly rows: string } & Readonly<Record<string, string>>>> = {
  access: {
    rows: 'request,requested,hit,response,access',
    client: 'ip,ip address,address,visitor',
    path: 'url,page,endpoint',
    status: 'status code,return,returned',
    bytes: 'size',
  },
  log: { rows: 'event,message', level: 'severity' },
  packages: { rows: 'action' },
  mail: {
    rows: 'message,mail,email,e-mail',
    sender: 'send,sent,write,wrote,author,from,by',
    recipients: 'recipient,get,got,receive,received,to,for',
  },
  changes: { rows: 'change', version: 'release', time: 'released,date' },
  releases: { rows: 'release,version', version: 'release', time: 'released,date' },
  chat: { rows: 'message', speaker: 'person,people,participant,write,wrote,send,sent,say,said' },
};

/** Columns that only repeat other columns, or have no meaning for a question. */
const hidden: readonly string[] = ['timeText', 'fields', 'rest', 'messageId', 'inReplyTo'];
const rowWords = 'row,record,entry';

/** Returns the words for rows and columns that come from rlm, not from the text. */
export const otherNamesOf = ({ name }: PlannedTable): string[] => [rowWords, 'line', JSON.stringify(formatWords[name])];
const phrasesOf = (names: string): string[][] => names.split(',').map((name) => name.split(' '));

const measured: readonly (readonly [RegExp, Dimension])[] = [
  [/duration|elapsed|latency|runtime|^ms$/i, 'duration'],
  [/weight/i, 'weight'],
  [/^age$/i, 'age'],
  [/price|cost/i, 'price'],
  [/amount|fee\b|salary|revenue|charge|paid|payment|spent|tip\b|tax\b|fare\b|rent\b/i, 'money'],
];

function dimensionOf(name: string, kind: ColumnKind, unit: WordUnit | null): Dimension | null {
  if (kind === 'time') return 'time';
  if (kind !== 'number' || named.isRate.test(name)) return null;
  const of = measured.find(([pattern]) => pattern.test(name))?.[1];
  return of ?? (['EUR', 'USD'].includes(unit?.of ?? '') ? 'money' : null);
}

/** Returns the unit that ends a name (`weight_kg`), and the other words. Beside `temp_max`, `temp_min` has no unit. */
function unitAtEnd(name: string, all: readonly string[][]): { unit: WordUnit | null; rest: readonly string[] } {
  const words = wordsIn(name);
  const begins = (other: string[]) => words.slice(0, -1).every((word, at) => word === other[at]);
  if (all.filter(begins).length > 1) return { unit: null, rest: words };
  const unit = words.length > 1 && !named.isRate.test(name) ? unitOf(words.at(-1)!) : null;
  return unit === null ? { unit: null, rest: words } : { unit, rest: words.slice(0, -1) };
}

const isTitle = /^(?:title|subject)$/i;
const leastNumbers = 0.75;

/** Unique whole numbers in the first column are a code if they measure nothing and the column's name is singular. */
function kindOf(name: string, facts: ColumnFacts, isFirst: boolean, unit: WordUnit | null): ColumnKind {
  const { told, numbers, times, dayless, zones, flags } = facts;
  // Times in several zones are not in order of time when they are sorted as texts.
  // A column `last_visit` lacks the times of earlier visits.
  const isEdge = wordsIn(name).some((word) => named.eventWords.includes(word));
  if (told > 0 && (times === told || dayless === told)) return zones > 1 || isEdge ? 'text' : 'time';
  if (told > 0 && flags === told && numbers === 0) return 'flag';
  if (numbers === 0 || numbers < leastNumbers * told) return 'text';
  const isMeasured = unit !== null || dimensionOf(name, 'number', unit) !== null;
  const isNaming = isFirst && !isMeasured && facts.decimals === 0 && facts.distinct === told && !/[^su]s$/i.test(name);
  return named.isCodeColumn.test(name) || isNaming ? 'code' : 'number';
}

/** @param cells the place to read. A key of a log's JSON column `fields` is read from a copy, for speed. */
function profileColumn(
  database: Database,
  table: FilledTable,
  name: string,
  sql: string,
  cells: { readonly table: string; readonly sql: string },
  { nouns, isFirst, all }: Readonly<{ nouns: string[][]; isFirst: boolean; all: string[][] }>,
) {
  const facts = columnFacts(database, cells, table.rows);
  const { unit, rest } = unitAtEnd(name, all);
  const isZoneOpen = sql === 'time' && table.zones.has('?');
  const kind = isZoneOpen ? 'text' : kindOf(name, facts, isFirst, unit);
  const isPerson = named.isPersonName.test(name);
  const ofMail = table.name === 'mail' ? ['sender', 'recipients'] : [];
  const isOfPeople = kind === 'text' && (isPerson || ofMail.includes(name));
  const people = isOfPeople ? columnPeople(database, cells.table, cells.sql, ofMail) : null;
  const isOfDates = facts.dates * 2 > facts.told || named.isDateName.test(name);
  const isOfTime =
    kind === 'time' || (kind === 'text' && isOfDates) || (kind === 'code' && named.isYearName.test(name));
  const isOfIds = named.isIdName.test(name) || !named.isCodeColumn.test(name);
  const isProse = named.isProseName.test(name);
  const others = formatWords[table.name]?.[name];
  const names = [...named.namesOf(name, rest), ...(others ? phrasesOf(others) : [])];
  const roots = nouns.map((noun) => noun.map(stemOf).join(' '));
  const written = sql === 'time' ? writtenSql(sql, table.zones) : sql;
  return {
    ...facts,
    ...{ name, sql, cells, kind, unit },
    /** Names that may refer to the column, each as lower-case words, the whole name first. */
    names,
    /** Whether the rows have the same name as the column. */
    isOfRows: names.some((words) => roots.includes(words.map(stemOf).join(' '))),
    /** Whether a question means these cells only if it names the column: ids and short numbers, but not status 404. */
    needsName: (values: readonly (string | number)[]): boolean =>
      (kind === 'code' || kind === 'text') &&
      !named.isYearName.test(name) &&
      values.map(String).some((cell) => /^\d+$/.test(cell) && (cell.length < 3 || isOfIds || isYear(cell))),
    namesRows: kind === 'code' && isOfIds,
    isOfTime,
    measures: dimensionOf(name, kind, unit),
    counts: kind === 'number' && named.isQuantity.test(name),
    isPerson,
    people,
    isFlag: kind === 'flag' || (kind === 'number' && facts.flags === facts.told),
    /** Whether `F` may be `Female`, or numbers are uncertain: texts with digits, or points between thousands. */
    isDoubtful: kind === 'number' ? facts.digits > 0 || table.doubtful.has(name) : kind === 'text' && facts.hasInitials,
    /** Whether different cells surely mean different words, persons or pages, and no text is a blank such as `n/a`. */
    areApart:
      !facts.isFolded &&
      (people?.areApart ?? (facts.queries === 0 && !facts.areLists && (kind !== 'text' || facts.blanks === 0))),
    isAmount: facts.amounts > 0,
    /** SQL of its times in the zone of the text. Questions use this zone. Null for several or ambiguous zones. */
    written,
    /** Whether a part of a time, such as 23:00 or May, occurs on several days or in several years. */
    isSpread: ({ from }: Moment): boolean =>
      from > yearStart && written !== null && isSpread(database, table.name, written, from),
    isProse,
    isLabel: facts.isUnique && (!isProse || isTitle.test(name)) && !isOfTime && (kind === 'text' || kind === 'code'),
  };
}

export type ProfiledColumn = Readonly<ReturnType<typeof profileColumn>>;

function nounsOf({ name, parts }: PlannedTable, isLine: boolean): string[][] {
  const format = formatWords[name];
  if (format !== undefined && parts[0]!.records.table === name)
    return phrasesOf(`${rowWords},${format.rows}${isLine ? ',line' : ''}`);
  const [, heading] = /"(.*)"/.exec(parts[0]!.records.about ?? '') ?? [];
  const words = wordsIn(heading ?? name.replace(/_\d+$/, '')).filter((word) => /\p{L}{2}/u.test(word));
  const plurals = words.filter((word) => /[^su]s$/.test(word)).map((word) => [word]);
  return [...phrasesOf(rowWords), words, words.slice(-1), ...plurals];
}

export function profileTable(database: Database, planned: PlannedTable, filled: FilledTable) {
  const nouns = nounsOf(planned, isOneLine(database, filled));
  const isOwn = planned.parts[0]!.records.table === null;
  const own = filled.columns.slice(placeColumns).filter(({ name, type }) => !hidden.includes(name) && type !== 'JSON');
  const lists = isOwn ? filled.columns.filter(({ type }) => type === 'JSON') : [];
  const found = [
    ...own.map(({ name }) => ({ key: name, sql: sqlName(name), cells: { table: filled.name, sql: sqlName(name) } })),
    ...copyFields(database, filled),
  ];
  const all = found.map(({ key }) => wordsIn(key));
  const columns = found
    .map(({ key, sql, cells }, at) =>
      profileColumn(database, filled, key, sql, cells, { nouns, isFirst: isOwn && at === 0, all }),
    )
    .filter(({ distinct }) => distinct > 0 || filled.rows === 0)
    // The header of a column may also span an unnamed column to its right.
    .map((one, at, others) => {
      const isOther = one.kind === 'number' && all.some((words) => named.aggregates(words, one.names[0]!));
      return isOther || /^column \d+$/.test(others[at + 1]?.name ?? '') ? { ...one, isDoubtful: true } : one;
    });
  const has = (name: string) => columns.some((column) => column.name === name);
  // In a Debian changelog, the column `section` may also hold authors.
  const isOfAuthors = filled.name === 'changes' && has('author') && has('section');
  return {
    name: filled.name,
    documents: planned.parts.map(({ document }) => document.index).join(),
    rows: filled.rows,
    /** Whether the table has no known format, so that its names come from the text. */
    isOwn,
    columns: isOfAuthors ? columns.filter(({ name }) => name !== 'author' && name !== 'section') : columns,
    /** The first text column: it may say what a row is. Null for tables of known formats. */
    subject: (isOwn && columns.find(({ kind }) => kind === 'text')) || null,
    nouns,
    key: (isOwn && columns.find(({ name }) => named.isKey.test(name))) || null,
    /** Words that prevent a translation: names of JSON columns, and "get" for requests, whose method may be `GET`. */
    unread: [...lists.map(({ name }) => wordsIn(name)), ...(filled.name === 'access' ? [['get'], ['got']] : [])],
    hasQuantities: columns.some(({ counts }) => counts),
    hasEnded: isOwn && columns.some((one) => one.isOfTime && !one.isFull && named.isEndName.test(one.name)),
    hasProse: columns.some(({ sentences, told }) => sentences * 2 > told),
    notes: [...filled.notes, ...othersNote(planned)],
  };
}

export type ProfiledTable = Readonly<ReturnType<typeof profileTable>>;
