import type { CalendarPart } from '../cells/days.ts';
import type { Aggregate, TableRanking } from '../query.ts';
import type { Tag } from './tags.ts';

/** What is aggregated: a named column, by the index of its tag; the measured value of rows; or nothing. */
type Target = { readonly tag: number } | 'measure' | null;

/** What a question asks for, before its columns are resolved. */
export interface Shape {
  readonly aggregate: Aggregate;
  readonly target: Target;
  readonly group: { readonly tag: number } | CalendarPart | null;
  readonly ranking: TableRanking | null;
  /** Whether the things that a column names may be counted, instead of rows. */
  readonly countsThings: boolean;
  /** Whether a single row may be meant, instead of the group with the largest sum. */
  readonly mayBeRow: boolean;
  /** The column that is asked for in the row with the least or the most. */
  readonly label: { readonly tag: number } | null;
}

const words: Readonly<Record<string, string>> = {
  many: 'COUNT',
  number: 'COUNT',
  count: 'COUNT',
  average: 'MEAN',
  mean: 'MEAN',
  avg: 'MEAN',
  total: 'SUM',
  sum: 'SUM',
  combined: 'SUM',
  much: 'SUM',
  highest: 'MAX',
  largest: 'MAX',
  biggest: 'MAX',
  greatest: 'MAX',
  maximum: 'MAX',
  max: 'MAX',
  peak: 'MAX',
  lowest: 'MIN',
  smallest: 'MIN',
  minimum: 'MIN',
  min: 'MIN',
  distinct: 'DISTINCT',
  different: 'DISTINCT',
  unique: 'DISTINCT',
  most: 'MOST',
  fewest: 'LEAST',
  least: 'LEAST',
  common: 'COMMON',
  frequent: 'COMMON',
  often: 'COMMON',
  frequently: 'COMMON',
  commonest: 'MOST COMMON',
  top: 'TOP',
  bottom: 'BOTTOM',
  by: 'BY',
  per: 'BY',
  each: 'BY',
  every: 'BY',
  grouped: '',
  broken: '',
  month: 'month',
  year: 'year',
  day: 'day',
  and: 'and',
};

function wordOf(tag: Tag, index: number): string {
  if (tag.kind === 'column') return `C${index}`;
  if (tag.kind === 'rows') return 'R';
  if (tag.kind === 'number') return `N${tag.number}`;
  return tag.kind === 'word' && Object.hasOwn(words, tag.word) ? words[tag.word]! : '?';
}

const aggregates: Readonly<Record<string, Aggregate>> = {
  COUNT: 'count',
  MEAN: 'mean',
  SUM: 'sum',
  MAX: 'max',
  MIN: 'min',
};

const base: Omit<Shape, 'aggregate' | 'target'> = {
  group: null,
  ranking: null,
  countsThings: false,
  mayBeRow: false,
  label: null,
};

const refOf = (word: string): { readonly tag: number } => ({ tag: Number(word.slice(1)) });
const limitOf = (word: string | undefined): number | null => (word === undefined ? null : Number(word.slice(1)));

function targetOf(word: string | undefined): Target {
  return word?.startsWith('C') && /\d/.test(word) ? refOf(word) : 'measure';
}

const mostFirst = (word: string): TableRanking['order'] =>
  word === 'MAX' || word === 'MOST' || word === 'TOP' ? 'most first' : 'least first';

type Groups = Readonly<Record<string, string | undefined>>;

const column = 'C\\d+';
const C = `(?<column>${column})`;
const G = `(?<group>${column})`;
const A = '(?<aggregate>MEAN|SUM|MAX|MIN)';
const N = '(?<number>N\\d+)';
const E = '(?<extreme>MAX|MIN|MOST|LEAST)';

/** Reads groups that are ranked by an aggregate. */
function ranked({ group, aggregate, column: of, extreme, number, counted }: Groups, one: number | null): Shape {
  const ranking = { order: mostFirst(extreme!), limit: limitOf(number) ?? one };
  if (counted !== undefined) return { ...base, aggregate: 'count', target: null, group: refOf(group!), ranking };
  const said = aggregate === undefined ? 'sum' : aggregates[aggregate]!;
  const mayBeRow = aggregate === undefined && (extreme === 'MAX' || extreme === 'MIN');
  const countsThings = aggregate === undefined && (extreme === 'MOST' || extreme === 'LEAST');
  return { ...base, aggregate: said, target: targetOf(of), group: refOf(group!), ranking, countsThings, mayBeRow };
}

/** Reads the first rows by a column, or by their measured value. */
function firstRows({ column: of, extreme, number }: Groups): Shape {
  const aggregate = mostFirst(extreme!) === 'most first' ? 'max' : 'min';
  const limit = limitOf(number);
  const ranking = limit === null ? null : { order: mostFirst(extreme!), limit };
  return { ...base, aggregate, target: targetOf(of), ranking };
}

/** The forms of a question without its filters, and what each asks for. */
const shapes: readonly (readonly [pattern: string, read: (groups: Groups) => Shape])[] = [
  ['COUNT', () => ({ ...base, aggregate: 'count', target: null })],
  [`COUNT DISTINCT ${C}`, ({ column: of }) => ({ ...base, aggregate: 'distinct', target: refOf(of!) })],
  [`DISTINCT ${C} COUNT`, ({ column: of }) => ({ ...base, aggregate: 'distinct', target: refOf(of!) })],
  ['SUM COUNT', () => ({ ...base, aggregate: 'count', target: null })],
  [
    `(?:SUM )?COUNT ${C}`,
    ({ column: of }) => ({ ...base, aggregate: 'distinct', target: refOf(of!), countsThings: true }),
  ],
  [`${C} COUNT`, ({ column: of }) => ({ ...base, aggregate: 'distinct', target: refOf(of!), countsThings: true })],
  [
    `${A}(?: ${C})?`,
    ({ aggregate, column: of }) => ({ ...base, aggregate: aggregates[aggregate!]!, target: targetOf(of) }),
  ],
  [`${C} ${A}`, ({ aggregate, column: of }) => ({ ...base, aggregate: aggregates[aggregate!]!, target: targetOf(of) })],
  [`(?:TOP )?(?:${N} )?(?<extreme>MOST|LEAST) COMMON ${G}`, (groups) => ranked({ ...groups, counted: 'R' }, 1)],
  [`(?:${N} )?${G} (?<extreme>MOST|LEAST) COMMON`, (groups) => ranked({ ...groups, counted: 'R' }, 1)],
  [`(?:${N} )?${G} ${E} (?:COUNT )?(?<counted>R)`, (groups) => ranked(groups, 1)],
  [`(?:${N} )?${G} ${E}(?: ${A})? ${C}`, (groups) => ranked(groups, 1)],
  [`(?:${N} )?(?<extreme>MAX|MIN) ${A} ${C} BY ${G}`, (groups) => ranked(groups, 1)],
  [`(?<extreme>TOP|BOTTOM)(?: ${N})? ${G} BY (?<counted>COUNT|R|COUNT R)`, (groups) => ranked(groups, null)],
  [`(?<extreme>TOP|BOTTOM)(?: ${N})? ${G} BY (?:${A} )?${C}`, (groups) => ranked(groups, null)],
  [`(?<extreme>TOP|BOTTOM)(?: ${N})? R BY ${C}`, firstRows],
  [`(?<extreme>TOP|BOTTOM) ${N} (?:${C}|R)`, firstRows],
  [`${N} (?<extreme>MAX|MIN) (?:${C}|R)`, firstRows],
  [`(?:${N} )?R ${E} (?:COUNT )?${C}`, firstRows],
  [`(?:${N} )?${G} (?<extreme>MAX|MIN) SUM`, (groups) => ranked({ ...groups, aggregate: 'SUM' }, 1)],
  [`(?<extreme>MAX|MIN) COUNT ${C}`, firstRows],
  [`(?<extreme>MAX|MIN) COUNT R BY ${G}`, (groups) => ranked({ ...groups, counted: 'R' }, 1)],
  [
    `(?:COUNT ${C}(?: R)? (?<aggregate>MEAN)|MEAN COUNT (?<counted>${column})(?: BY R)?)`,
    ({ column: of, counted }) => ({ ...base, aggregate: 'mean', target: targetOf(of ?? counted) }),
  ],
  [
    `(?<aggregate>MEAN) ${C} BY R`,
    ({ aggregate, column: of }) => ({
      ...base,
      aggregate: aggregates[aggregate!]!,
      target: targetOf(of),
    }),
  ],
];

const parsed = shapes.map(([pattern, read]) => ({ pattern: new RegExp(`^${pattern}$`), read }));

/** Removes `R` where it only names the rows that everything is about, as in `total of all orders`. */
const withoutRows = (text: string): string => text.replace(/(?<!COUNT) R\b|^R /g, '').replace(/COUNT R$/, 'COUNT');

function match(text: string): Shape | null {
  for (const one of [text, withoutRows(text)]) {
    for (const { pattern, read } of parsed) {
      const groups = pattern.exec(one)?.groups;
      if (groups !== undefined || pattern.test(one)) return read(groups ?? {});
    }
  }
  return null;
}

const grouping = new RegExp(`^(?<head>.+?) BY (?<by>${column}|month|year|day)(?<tail>(?: R)*)$`);
const leading = new RegExp(`^BY (?<by>${column}|month|year|day) (?<head>.+)$`);

/** Reads what the tags without filters ask for; null where code cannot answer it. */
export function readShape(tags: readonly Tag[]): Shape | null {
  const text = tags
    .map(wordOf)
    .filter((word) => word !== '')
    .join(' ')
    .replace(/ and (?:R|row)$/, '');
  const whole = match(text);
  if (whole !== null) return whole;
  const { head, by } = (grouping.exec(text) ?? leading.exec(text))?.groups ?? {};
  const shape = head === undefined ? null : match(head);
  if (shape === null || shape.group !== null || shape.ranking !== null) return null;
  return { ...shape, group: by!.startsWith('C') ? refOf(by!) : (by as CalendarPart) };
}
