/** Scores a reply against an answer, or several alternatives. All scores are 0–1. */
import { goldWords, indexOfWords, isBrief, plainAnswer, replyHolds, statedAnswer, wordsOf } from './words.ts';

const best = (golds: readonly string[], score: (gold: string) => number): number => Math.max(...golds.map(score));

const verdicts = ['yes', 'no'];

/** Returns the first yes or no of a text, or null. */
const verdictOf = (words: readonly string[]): string | null => words.find((word) => verdicts.includes(word)) ?? null;

const verdictGold = (gold: string): string | null => {
  const words = wordsOf(gold);
  return words.length === 1 && verdicts.includes(words[0]!) ? words[0]! : null;
};

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, index) => word === b[index]);

/** Scores exact match: the same words after normalisation, in the whole reply or its labelled answer. */
export function exactScore(reply: string, golds: readonly string[]): number {
  const replies = [plainAnswer(reply), ...(/answer(?:\s+is)?\s*:/i.test(reply) ? [statedAnswer(reply)] : [])];
  return best(golds, (gold) =>
    Number(replies.some((one) => sameWords(wordsOf(one), wordsOf(gold)) && one.trim() !== '')),
  );
}

function overlap(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a) {
    const count = left.get(word) ?? 0;
    if (count > 0) common += 1;
    left.set(word, count - 1);
  }
  return common;
}

/** Returns F1 of words; 0 where one of the two is yes or no and they differ (HotpotQA, arXiv 1809.09600). */
function f1Of(reply: string, gold: string): number {
  const [said, right] = [wordsOf(reply), wordsOf(gold)];
  const isVerdict = (words: readonly string[]) => words.length === 1 && verdicts.includes(words[0]!);
  if ((isVerdict(said) || isVerdict(right)) && !sameWords(said, right)) return 0;
  if (said.length === 0 || right.length === 0) return Number(said.length === right.length);
  const common = overlap(said, right);
  return (2 * common) / (said.length + right.length);
}

/** Returns F1 of the words that reply and answer share, the best over all answers (arXiv 1606.05250). */
export const f1Score = (reply: string, golds: readonly string[]): number =>
  best(golds, (gold) => f1Of(plainAnswer(reply), gold));

/** Returns F1 of the answer that the reply states. */
export const statedF1 = (reply: string, golds: readonly string[]): number =>
  best(golds, (gold) => Math.max(f1Of(plainAnswer(reply), gold), f1Of(statedAnswer(reply), gold)));

/** Scores whether the reply contains the answer as whole words; of yes and no, the first in the reply counts. */
export function holdsScore(reply: string, golds: readonly string[]): number {
  const text = plainAnswer(reply);
  return best(golds, (gold) => {
    const verdict = verdictGold(gold);
    return Number(verdict === null ? replyHolds(text, gold) : verdictOf(wordsOf(text)) === verdict);
  });
}

/** Scores the same for the answer that the reply states, unless that is a list of guesses. */
export function statesScore(reply: string, golds: readonly string[]): number {
  const stated = statedAnswer(reply);
  return best(golds, (gold) => {
    if (!isBrief(stated, gold)) return 0;
    const verdict = verdictGold(gold);
    if (verdict !== null) {
      const words = wordsOf(stated);
      return Number(verdictOf(words) === verdict && !words.some((word) => verdicts.includes(word) && word !== verdict));
    }
    return Number(indexOfWords(wordsOf(stated), goldWords(gold)) >= 0 || replyHolds(stated, gold));
  });
}

/** Returns the choice that a text names first; null where it names none. */
function chosenIn(text: string, choices: readonly string[]): string | null {
  const words = wordsOf(text);
  const named = choices
    .map((choice) => ({ choice, at: indexOfWords(words, goldWords(choice)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return named[0]?.choice ?? null;
}

/** Scores whether the choice that the reply names first is right; strictly, in what it states. */
export function choiceScores(reply: string, golds: readonly string[], choices: readonly string[]) {
  const isRight = (text: string) => Number(golds.includes(chosenIn(text, choices) ?? ''));
  return { lenient: isRight(plainAnswer(reply)), strict: isRight(statedAnswer(reply)) };
}

/**
 * Returns the share of words, or groups of words, that the reply contains (RULER, arXiv 2404.06654, but as whole
 * words).
 */
export function allScore(reply: string, golds: readonly string[]): number {
  const text = plainAnswer(reply);
  return golds.filter((gold) => replyHolds(text, gold)).length / golds.length;
}
