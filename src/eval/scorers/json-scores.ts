/** Scores JSON in replies. */

/** Returns the first fenced block of a reply; undefined where there is none. */
function fencedIn(reply: string): string | undefined {
  const lines = reply.split('\n');
  const isFence = (line: string) => line.trimStart().startsWith('```');
  const start = lines.findIndex(isFence);
  const length = lines.slice(start + 1).findIndex(isFence);
  return start < 0 || length < 0 ? undefined : lines.slice(start + 1, start + 1 + length).join('\n');
}

/** Reads the JSON value of a reply: of its fenced block, or from its first bracket to its last; undefined: none. */
function jsonIn(reply: string): unknown {
  const fenced = fencedIn(reply);
  const start = reply.search(/[[{]/);
  const end = Math.max(reply.lastIndexOf('}'), reply.lastIndexOf(']'));
  const candidates = [fenced, reply.trim(), start >= 0 && end > start ? reply.slice(start, end + 1) : undefined];
  for (const text of candidates) {
    try {
      if (text !== undefined) return JSON.parse(text);
    } catch {}
  }
  return undefined;
}

/** Returns every scalar value with its path; an empty object or list counts as a scalar. */
function leaves(value: unknown, path = '$'): [string, string][] {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) return [[path, JSON.stringify(value) ?? '']];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`));
}

/** Scores the share of values that the reply has at the same path, and whether the whole value is equal; both 0–1. */
export function jsonScores(reply: string, gold: unknown): { readonly lenient: number; readonly strict: number } {
  const said = jsonIn(reply);
  if (said === undefined) return { lenient: 0, strict: 0 };
  const [found, wanted] = [new Map(leaves(said)), leaves(gold)];
  const right = wanted.filter(([path, value]) => found.get(path) === value).length;
  return { lenient: right / wanted.length, strict: Number(right === wanted.length && found.size === wanted.length) };
}
