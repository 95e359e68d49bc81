/** Words that SQLite reads as keywords, so that a table of that name needs quotes. */
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

/** Quotes a name, whatever it is. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a name as it is written in SQL: in quotes where it needs them. */
export const sqlName = (name: string): string => (plain.test(name) && !isKeyword(name) ? name : quoted(name));

/** Returns a value as it is written in SQL. */
export const literal = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');
