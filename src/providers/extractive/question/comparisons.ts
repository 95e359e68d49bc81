/** A part of a question without the word that joins it to the one before, and without what ends it. */
export function withoutEnd(text: string): string {
  return text
    .replace(/^(?:and|so|then|also|but|und)\s+(?=\S)/iu, '')
    .replace(/[\s?.!,;:？。！]+$/u, '')
    .trim();
}

const compares = /compare|contrast|differ/i;
const comparison = [
  /^(?:please\s+)?(?:compare|contrast)\s+(.+?)\s+(?:and|with|to|against|versus|vs\.?)\s+(.+)$/iu,
  /^(?:what (?:is|are)|explain|describe)?\s*(?:the )?(?:main )?differences? between\s+(.+?)\s+(?:and|versus|vs\.?)\s+(.+)$/iu,
  /^(?:how (?:does|do) )(.+?)\s+(?:compare|differ)\s+(?:to|with|from)\s+(.+)$/iu,
];

/** "the retry policy of A and B": B stands for "the retry policy of B". */
function shareHead(items: readonly string[]): string[] {
  const head = items[0]?.match(/^.*\b(?:of|in|for|between)\s+/iu)?.[0] ?? '';
  return items.map((item, index) => (index === 0 || /\b(?:of|in|for)\b/iu.test(item) ? item : head + item));
}

/** "What is the difference between A and B?" as a question about each; null where nothing is compared. */
export function splitComparison(sentence: string): string[] | null {
  if (!compares.test(sentence)) return null;
  const found = comparison.map((pattern) => withoutEnd(sentence).match(pattern)).find((match) => match !== null);
  if (found === undefined || found === null) return null;
  const [left = '', right = ''] = found.slice(1);
  const [, last = right, aspect = ''] =
    right.match(/^(.+?)(\s+(?:in terms of|with respect to|regarding|with regard to)\s+.+)$/iu) ?? [];
  const items = shareHead([...left.split(/\s*,\s*(?:and\s+)?/u), last].filter((item) => item !== ''));
  return items.map((item) => `What is said about ${item}${aspect}`);
}
