/** Words of which one denies the other. */
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

/** The words with which two texts say the opposite, one of each; null where they do not. */
export function oppositesIn(one: string, other: string): readonly [string, string] | null {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  for (const [word, opposite] of pairs) {
    if (a.has(word) && b.has(opposite) && !a.has(opposite) && !b.has(word)) return [word, opposite];
    if (a.has(opposite) && b.has(word) && !a.has(word) && !b.has(opposite)) return [opposite, word];
  }
  return null;
}
