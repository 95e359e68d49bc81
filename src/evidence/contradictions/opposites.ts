/** Pairs of words with opposite meanings. */
const pairs: readonly (readonly [string, string])[] = [
  ['enabled', 'disabled'],
  ['on', 'off'],
  ['true', 'false'],
  ['yes', 'no'],
  ['allowed', 'forbidden'],
  ['allowed', 'prohibited'],
  ['permitted', 'forbidden'],
  ['required', 'optional'],
  ['mandatory', 'optional'],
  ['open', 'closed'],
  ['always', 'never'],
  ['accepted', 'rejected'],
  ['approved', 'rejected'],
  ['increased', 'decreased'],
  ['rose', 'fell'],
  ['won', 'lost'],
  ['public', 'private'],
  ['supported', 'unsupported'],
  ['succeeded', 'failed'],
  ['before', 'after'],
  ['all', 'none'],
  ['synchronous', 'asynchronous'],
  ['encrypted', 'unencrypted'],
  ['alive', 'dead'],
  ['safe', 'unsafe'],
];

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}]+/gu) ?? []);

/** Returns the pair of words with which two texts say the opposite; null where there is none. */
export function oppositesIn(one: string, other: string): readonly [string, string] | null {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  for (const [word, opposite] of pairs) {
    if (a.has(word) && b.has(opposite) && !a.has(opposite) && !b.has(word)) return [word, opposite];
    if (a.has(opposite) && b.has(word) && !a.has(word) && !b.has(opposite)) return [opposite, word];
  }
  return null;
}
