/** Text as scorers compare it. */

/** Marks of citations, such as `[1]` and `[P12]`, and of emphasis. */
const marks = /\[(?:P?\d+)(?:\s*,\s*P?\d+)*\]|\*\*|__|`/g;

/** A reply without the marks that this program and models put into it. */
export const withoutMarks = (reply: string): string => reply.replace(marks, '').trim();

const punctuation = /[\p{P}\p{S}]/gu;
const articles = /^(?:a|an|the)$/;

/**
 * Words for comparison: lower case, without punctuation and articles, as SQuAD, HotpotQA and MuSiQue have it
 * (Rajpurkar et al., arXiv 1606.05250).
 */
export function wordsOf(text: string): readonly string[] {
  const words = text.normalize('NFKC').toLowerCase().replace(punctuation, '').split(/\s+/);
  return words.filter((word) => word !== '' && !articles.test(word));
}

/** Where the words of `part` stand in `words` in a row, from 0; -1: nowhere. No part of a word matches. */
export function indexOfWords(words: readonly string[], part: readonly string[]): number {
  if (part.length === 0) return -1;
  const last = words.length - part.length;
  for (let at = 0; at <= last; at++) if (part.every((word, index) => words[at + index] === word)) return at;
  return -1;
}

/** The words of a text that is nothing but articles or signs are itself. */
export function goldWords(text: string): readonly string[] {
  const words = wordsOf(text);
  return words.length > 0 ? words : [text.trim().toLowerCase()];
}

/**
 * Words of a reply in which a right answer is looked for: those without articles, and as they stand where the answer
 * is nothing but articles or signs.
 */
export function replyHolds(reply: string, gold: string): boolean {
  const part = goldWords(gold);
  if (indexOfWords(wordsOf(reply), part) >= 0) return true;
  return wordsOf(gold).length === 0 && ` ${reply.toLowerCase()} `.includes(` ${part[0]} `);
}

const label = /(?:^|\n)[ \t*#>-]{0,20}(?:the )?(?:final )?answer(?: is)? ?: ?/gi;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A reply with more words repeats the text, and states nothing unless it labels its answer. */
const mostWords = 400;

/** Whether a reply is too long to state anything. */
export const isRepetition = (reply: string): boolean => reply.split(/\s+/, mostWords + 1).length > mostWords;

/**
 * What a reply states as its answer: what follows its last `Answer:`, else its first sentence. It is what the strict
 * scores look at, since a long reply may hold anything.
 */
export function statedAnswer(reply: string): string {
  const text = withoutMarks(reply);
  const labels = [...text.matchAll(label)];
  const last = labels.at(-1);
  const rest = (last === undefined ? text : text.slice(last.index + last[0].length)).trim();
  const [line = ''] = rest.split('\n');
  if (last !== undefined) return line.trim() === '' ? rest : line.trim();
  if (isRepetition(text)) return '';
  const [sentence] = segmenter.segment(line);
  return sentence?.segment.trim() ?? '';
}

/** A stated answer with more words than that, and three for each of the right answer, is a list of guesses. */
const freeWords = 25;

/** Whether a stated answer is short enough to be one. */
export const isBrief = (stated: string, gold: string): boolean =>
  wordsOf(stated).length <= freeWords + 3 * goldWords(gold).length;
