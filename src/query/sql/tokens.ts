/** A part of SQL. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign';
  /** A word in lower case, a quoted name without its quotes, else as it is written. */
  readonly text: string;
  /** Offset in the SQL. */
  readonly at: number;
  /** Brackets that are open around it. */
  readonly depth: number;
}

const pattern =
  /(?<skipped>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>'(?:[^']|'')*'?)|(?<name>"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?)|(?<number>\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<sign>[\s\S])/gu;

function unquoted(name: string): string {
  const quote = name[0]!;
  const inner = name.slice(1, name.length > 1 ? -1 : undefined);
  return quote === '"' ? inner.replaceAll('""', '"') : inner;
}

/** Splits SQL into tokens, without comments. */
export function sqlTokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { groups, index: at } of sql.matchAll(pattern)) {
    const { text, name, number, word, sign } = groups as Record<string, string | undefined>;
    if (sign === ')') depth--;
    if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase(), at, depth });
    else if (name !== undefined) tokens.push({ kind: 'name', text: unquoted(name), at, depth });
    else if (text !== undefined) tokens.push({ kind: 'text', text, at, depth });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at, depth });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at, depth });
    if (sign === '(') depth++;
  }
  return tokens;
}
