import { contentTerms } from './terms.ts';

/** Maps each question word to itself. `which` maps to `what`, because both ask for the same thing. */
const questionWords: ReadonlyMap<string, string> = new Map(
  ['what', 'who', 'whom', 'whose', 'when', 'where', 'why', 'how'].map((word) => [word, word] as const),
).set('which', 'what');

const sorted = (words: Iterable<string>): string => [...new Set(words)].sort().join(' ');

function fingerprint(question: string) {
  const said = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const words = contentTerms(question);
  return {
    asked: sorted(said.flatMap((word) => questionWords.get(word) ?? [])),
    words: new Set(words),
    numbers: sorted(words.filter((word) => /\p{N}/u.test(word))),
  };
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}

const enough = 0.8;
const plain = (question: string): string => question.trim().toLowerCase();

/** Words that do not change the meaning of a question. Other words, such as "from" and "was", can change it. */
const fillers: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'please']);

/** Returns a question's words in order, in lower case, without punctuation and fillers. */
export function plainWords(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}\p{N}\p{M}+#]+/gu) ?? [];
  return words.filter((word) => !fillers.has(word)).join(' ') || plain(question);
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [fingerprint(a), fingerprint(b)];
  if (one.words.size === 0 || other.words.size === 0) return plain(a) === plain(b);
  return one.asked === other.asked && one.numbers === other.numbers && overlap(one.words, other.words) >= enough;
}

/** Whether an ancestor asked the same question: same question words and numbers, and nearly the same other words. */
export const isRepeated = (question: string, ancestors: readonly string[]): boolean =>
  ancestors.some((ancestor) => isSame(question, ancestor));
