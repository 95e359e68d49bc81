/** All scores are 0–1. */

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

/** Returns the index in `words` at which the words of `part` occur in sequence; -1 if they do not. */
export function indexOfWords(words: readonly string[], part: readonly string[]): number {
  if (part.length === 0) return -1;
  const last = words.length - part.length;
  for (let at = 0; at <= last; at++) if (part.every((word, index) => words[at + index] === word)) return at;
  return -1;
}

/** Returns the words of a right answer; an answer of articles or signs alone, such as `the`, is one word. */
export function goldWords(text: string): readonly string[] {
  const words = wordsOf(text);
  return words.length > 0 ? words : [text.trim().toLowerCase()];
}

/** Whether a reply has the words of a right answer. A right answer of articles or signs alone is compared as text. */
export function replyHolds(reply: string, gold: string): boolean {
  const part = goldWords(gold);
  if (indexOfWords(wordsOf(reply), part) >= 0) return true;
  return wordsOf(gold).length === 0 && ` ${reply.toLowerCase()} `.includes(` ${part[0]} `);
}

const label = /(?:^|\n)[ \t*#>-]{0,20}(?:the )?(?:final )?answer(?: is)? ?: ?/gi;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A reply with more words than this repeats the text. Such a reply states an answer only after a label. */
const mostWords = 400;

/** Whether a reply is too long to state an answer without a label. */
export const isRepetition = (reply: string): boolean => reply.split(/\s+/, mostWords + 1).length > mostWords;

/** Returns the answer that a reply states: the text after its last `Answer:`, else its first sentence. */
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

/** A stated answer with more words than this, plus three for each word of the right answer, is a list of guesses. */
const freeWords = 25;

const isBrief = (stated: string, gold: string): boolean =>
  wordsOf(stated).length <= freeWords + 3 * goldWords(gold).length;

const best = (golds: readonly string[], score: (gold: string) => number): number => Math.max(...golds.map(score));

const verdicts = ['yes', 'no'];

const verdictsIn = (text: string): readonly string[] => wordsOf(text).filter((word) => verdicts.includes(word));

const asVerdict = (text: string): string | null => (wordsOf(text).length === 1 ? (verdictsIn(text)[0] ?? null) : null);

const isSame = (a: string, b: string): boolean => wordsOf(a).join(' ') === wordsOf(b).join(' ');

/** Returns 1 if the whole reply or its labelled answer equals a right answer after normalisation, else 0. */
export function exactScore(reply: string, golds: readonly string[]): number {
  const replies = [plainAnswer(reply), ...(/answer(?:\s+is)?\s*:/i.test(reply) ? [statedAnswer(reply)] : [])];
  return best(golds, (gold) => Number(replies.some((one) => isSame(one, gold) && one.trim() !== '')));
}

function overlap(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  const common = a.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return common.length;
}

/** Returns F1 of words; 0 if `reply` or `gold` is yes or no, and they differ (HotpotQA, arXiv 1809.09600). */
function f1Of(reply: string, gold: string): number {
  const [said, right] = [wordsOf(reply), wordsOf(gold)];
  if ((asVerdict(reply) ?? asVerdict(gold)) !== null && !isSame(reply, gold)) return 0;
  if (said.length === 0 || right.length === 0) return Number(said.length === right.length);
  return (2 * overlap(said, right)) / (said.length + right.length);
}

/** Returns the best F1 of the words that the reply shares with a right answer (arXiv 1606.05250). */
export const f1Score = (reply: string, golds: readonly string[]): number =>
  best(golds, (gold) => f1Of(plainAnswer(reply), gold));

export const statedF1 = (reply: string, golds: readonly string[]): number =>
  best(golds, (gold) => Math.max(f1Of(plainAnswer(reply), gold), f1Of(statedAnswer(reply), gold)));

/** Scores whether the reply contains the answer as whole words. For a yes or no answer, the first yes or no counts. */
export function holdsScore(reply: string, golds: readonly string[]): number {
  const text = plainAnswer(reply);
  return best(golds, (gold) => {
    const verdict = asVerdict(gold);
    return Number(verdict === null ? replyHolds(text, gold) : verdictsIn(text)[0] === verdict);
  });
}

/** Returns 1 if the answer that the reply states contains a right answer and is not a list of guesses; else 0. */
export function statesScore(reply: string, golds: readonly string[]): number {
  const stated = statedAnswer(reply);
  const given = verdictsIn(stated);
  const isOnly = (verdict: string) => given.length > 0 && given.every((one) => one === verdict);
  return best(golds, (gold) => {
    const verdict = asVerdict(gold);
    return Number(isBrief(stated, gold) && (verdict === null ? replyHolds(stated, gold) : isOnly(verdict)));
  });
}

function chosenIn(text: string, choices: readonly string[]): string | null {
  const words = wordsOf(text);
  const named = choices
    .map((choice) => ({ choice, at: indexOfWords(words, goldWords(choice)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return named[0]?.choice ?? null;
}

/** Scores whether the first named choice is right. `lenient`: in the whole reply. `strict`: in the stated answer. */
export function choiceScores(reply: string, golds: readonly string[], choices: readonly string[]) {
  const isRight = (text: string) => Number(golds.includes(chosenIn(text, choices) ?? ''));
  return { lenient: isRight(plainAnswer(reply)), strict: isRight(statedAnswer(reply)) };
}

/**
 * Returns the share of right answers that the reply contains as whole words. The similar score of RULER (arXiv
 * 2404.06654) also accepts parts of words.
 */
export function allScore(reply: string, golds: readonly string[]): number {
  const text = plainAnswer(reply);
  return golds.filter((gold) => replyHolds(text, gold)).length / golds.length;
}
