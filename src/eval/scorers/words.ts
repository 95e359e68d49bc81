/** Normalises text for scorers. */

/** Marks of citations, such as `[1]` and `[P12]`, and of emphasis. */
const marks = /\[(?:P?\d+)(?:\s*,\s*P?\d+)*\]|\*\*|__|`/g;

/** Returns a reply without the marks that this program and models add. */
export const plainAnswer = (reply: string): string => reply.replace(marks, '').trim();

const punctuation = /[\p{P}\p{S}]/gu;
const articles = /^(?:a|an|the)$/;

/**
 * Returns words for comparison: lower case, without punctuation and articles, as in SQuAD, HotpotQA and MuSiQue
 * (Rajpurkar et al., arXiv 1606.05250).
 */
export function wordsOf(text: string): readonly string[] {
  const words = text.normalize('NFKC').toLowerCase().replace(punctuation, '').split(/\s+/);
  return words.filter((word) => word !== '' && !articles.test(word));
}

/**
 * Returns the index in `words` at which all words of `part` follow each other; -1: none. Parts of words do not match.
 */
export function indexOfWords(words: readonly string[], part: readonly string[]): number {
  if (part.length === 0) return -1;
  const last = words.length - part.length;
  for (let at = 0; at <= last; at++) if (part.every((word, index) => words[at + index] === word)) return at;
  return -1;
}

/** Returns the words of a right answer; one that consists of articles or signs alone is its own word. */
export function goldWords(text: string): readonly string[] {
  const words = wordsOf(text);
  return words.length > 0 ? words : [text.trim().toLowerCase()];
}

/**
 * Whether a reply contains a right answer: compares words without articles, or as written where the answer consists of
 * articles or signs alone.
 */
export function replyHolds(reply: string, gold: string): boolean {
  const part = goldWords(gold);
  if (indexOfWords(wordsOf(reply), part) >= 0) return true;
  return wordsOf(gold).length === 0 && ` ${reply.toLowerCase()} `.includes(` ${part[0]} `);
}

const label = /(?:^|\n)[ \t*#>-]{0,20}(?:the )?(?:final )?answer(?: is)? ?: ?/gi;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Words of a reply, at most: a longer one repeats the text, and states nothing unless it labels its answer. */
const mostWords = 400;

/** Whether a reply is too long to state anything. */
export const isRepetition = (reply: string): boolean => reply.split(/\s+/, mostWords + 1).length > mostWords;

/**
 * Returns the answer that a reply states: the text after its last `Answer:`, else its first sentence. The strict
 * scores use it, since a long reply may contain anything.
 */
export function statedAnswer(reply: string): string {
  const text = plainAnswer(reply);
  const labels = [...text.matchAll(label)];
  const last = labels.at(-1);
  const rest = (last === undefined ? text : text.slice(last.index + last[0].length)).trim();
  const [line = ''] = rest.split('\n');
  if (last !== undefined) return line.trim() === '' ? rest : line.trim();
  if (isRepetition(text)) return '';
  const [sentence] = segmenter.segment(line);
  return sentence?.segment.trim() ?? '';
}

/**
 * Words of a stated answer, at most, besides three per word of the right answer; a longer one is a list of guesses.
 */
const freeWords = 25;

/** Whether a stated answer is short enough to be one. */
export const isBrief = (stated: string, gold: string): boolean =>
  wordsOf(stated).length <= freeWords + 3 * goldWords(gold).length;
