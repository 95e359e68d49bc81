import { RlmError } from '../errors.ts';

const kinds = ['word', 'name', 'text', 'number', 'sign'] as const;

export interface Token {
  readonly kind: (typeof kinds)[number];
  /** Words are in lower case, quoted names are without quotes; other tokens are as written. */
  readonly text: string;
  readonly at: number;
  /** Number of open brackets around the token. */
  readonly depth: number;
}

const pattern =
  /(?:\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>'(?:[^']|'')*'?)|(?<name>"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?)|(?<number>\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<sign>[\s\S])/gu;

function unquoted(name: string): string {
  const quote = name[0]!;
  const inner = name.slice(1, name.length > 1 ? -1 : undefined);
  return quote === '"' ? inner.replaceAll('""', '"') : inner;
}

/** Splits SQL into tokens, without comments. */
export function sqlTokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { groups, index: at, 0: written } of sql.matchAll(pattern)) {
    const kind = kinds.find((one) => groups![one] !== undefined);
    if (kind === undefined) continue;
    if (written === ')') depth--;
    const text = kind === 'word' ? written.toLowerCase() : kind === 'name' ? unquoted(written) : written;
    tokens.push({ kind, text, at, depth });
    if (written === '(') depth++;
  }
  return tokens;
}

/** Keywords of SQLite. */
const keywords = new Set(
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case
  cast check collate column commit conflict constraint create cross current database default deferrable deferred delete
  desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following
  for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner insert
  instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null
  nulls of offset on or order others outer over partition plan pragma preceding primary query raise range recursive
  references regexp reindex release rename replace restrict returning right rollback row rows savepoint select set table
  temp temporary then ties to transaction trigger unbounded union unique update using vacuum values view virtual when
  where window with without`.split(/\s+/),
);

export const isKeyword = (name: string): boolean => keywords.has(name.toLowerCase());

const plain = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a name for use in SQL, in quotes if it needs them. */
export const sqlName = (name: string): string => (plain.test(name) && !isKeyword(name) ? name : quoted(name));

const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns a value as SQL. SQL text ends at a NUL, so a NUL in a value becomes a call of `char`. */
export function literal(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? 'NULL');
  return value.includes('\0') ? `(${value.split('\0').map(textLiteral).join(' || char(0) || ')})` : textLiteral(value);
}

const beforeStar = new Set(['select', 'distinct', 'all', ',', '.']);

/** Whether a statement uses columns without naming them: `SELECT *`, `IN table` and NATURAL JOIN do. */
const usesUnnamed = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }, index) => {
    if (text === '*') return beforeStar.has(tokens[index - 1]?.text ?? '');
    return text === 'natural' || (text === 'in' && tokens[index + 1]?.text !== '(');
  });

/**
 * Collects the names in a statement, because only tables and columns that it names are read from the documents. `has`:
 * whether the statement may name a table or column. `isAll`: whether it may use columns without naming them.
 */
export function mentionsOf(tokens: readonly Token[]) {
  const names = new Set(
    tokens.filter(({ kind }) => kind === 'word' || kind === 'name').map(({ text }) => text.toLowerCase()),
  );
  return { has: (name: string) => names.has(name.toLowerCase()), isAll: usesUnnamed(tokens) };
}

const numeric = new Set(['sum', 'avg', 'total', 'min', 'max', 'cast']);
const isPath = /^(?:distinct|\.|[\p{L}_].*)$/u;

/** Returns the columns, in lower case, that a statement uses as numbers, and whether it adds or compares them. */
export function aggregatedIn(tokens: readonly Token[]): ReadonlyMap<string, 'adds' | 'compares'> {
  const found = new Map<string, 'adds' | 'compares'>();
  for (const [index, { text, depth }] of tokens.entries()) {
    if (!numeric.has(text) || tokens[index + 1]?.text !== '(') continue;
    const isEnd = (token: Token) =>
      text === 'cast' ? token.text === 'as' && token.depth === depth + 1 : token.text === ')' && token.depth === depth;
    const end = tokens.findIndex((token, at) => at > index && isEnd(token));
    const inner = tokens.slice(index + 2, end);
    const name = inner.at(-1)?.text.toLowerCase();
    if (name === undefined || !inner.every((token) => isPath.test(token.text)) || tokens[end + 1]?.text === 'text')
      continue;
    const adds = (text !== 'min' && text !== 'max') || found.get(name) === 'adds';
    found.set(name, adds ? 'adds' : 'compares');
  }
  return found;
}

/** Words of statements that combine rows: their result rows are not rows of a table. */
const combining = new Set(['group', 'having', 'union', 'intersect', 'except', 'distinct']);

/** Number of columns for document and line. Every table begins with them, and `withPlaces` adds them. */
export const placeColumns = 2;

/**
 * Returns the SELECT with document and line of each row as additional last columns. Null if the statement is not a
 * SELECT, has no FROM or combines rows. Does not detect aggregate functions, so the caller has to exclude them.
 */
export function withPlaces(sql: string, tokens: readonly Token[], line: 'line' | 'number'): string | null {
  const outer = tokens.filter(({ depth, kind }) => depth === 0 && kind === 'word');
  const from = outer.find(({ text }) => text === 'from');
  if (outer[0]?.text !== 'select' || from === undefined) return null;
  if (outer.some(({ text }) => combining.has(text))) return null;
  return `${sql.slice(0, from.at)}, document, ${line} ${sql.slice(from.at)}`;
}

const allowed: readonly string[] = ['select', 'with', 'values', 'explain'];

/** Throws RlmError for empty SQL, for several statements, and for a first word that is not in `allowed`. */
export function checkStatement(tokens: readonly Token[]): void {
  const invalid = (message: string, hint: string): RlmError => new RlmError('query-invalid', message, { hint });
  const first = tokens.find(({ text }) => text !== '(');
  if (first === undefined) throw invalid('the SQL is empty', 'Write a SELECT statement.');
  if (!allowed.includes(first.text))
    throw invalid(
      `${first.text.slice(0, 40).toUpperCase()} is not allowed: a query only reads`,
      'Write one statement that begins with SELECT, WITH, VALUES or EXPLAIN.',
    );
  const end = tokens.findIndex(({ text, kind }) => kind === 'sign' && text === ';');
  if (end !== -1 && tokens.slice(end).some(({ text }) => text !== ';'))
    throw invalid('there is more than one statement', 'Write one statement without ; in it.');
}
