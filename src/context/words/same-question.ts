import { contentTerms } from './terms.ts';

/** `which` asks the same as `what`. */
const questionWords: ReadonlyMap<string, string> = new Map(
  ['what', 'who', 'whom', 'whose', 'when', 'where', 'why', 'how'].map((word) => [word, word] as const),
).set('which', 'what');

/** What tells one question from another. */
interface Fingerprint {
  /** What is asked for, such as `when`; several words where several things are. */
  readonly asked: string;
  readonly words: ReadonlySet<string>;
  /** Words with a digit: years, versions, identifiers. Another one makes another question. */
  readonly numbers: string;
}

const sorted = (words: Iterable<string>): string => [...new Set(words)].sort().join(' ');

function fingerprint(question: string): Fingerprint {
  const said = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const words = contentTerms(question);
  return {
    asked: sorted(said.flatMap((word) => questionWords.get(word) ?? [])),
    words: new Set(words),
    numbers: sorted(words.filter((word) => /\p{N}/u.test(word))),
  };
}

/** The share of words that two questions have in common, 0–1. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}

const enough = 0.8;
const plain = (question: string): string => question.trim().toLowerCase();

/** Words that change nothing in a question. Others, such as "from" and "was", may. */
const fillers: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'please']);

/**
 * A question without its case, its punctuation, its spacing and its articles, in the order of its words. Two questions
 * that give the same are the same question; see `isRepeated` for those that are nearly so.
 */
export function plainWords(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}\p{N}\p{M}+#]+/gu) ?? [];
  return words.filter((word) => !fillers.has(word)).join(' ') || plain(question);
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [fingerprint(a), fingerprint(b)];
  if (one.words.size === 0 || other.words.size === 0) return plain(a) === plain(b);
  return one.asked === other.asked && one.numbers === other.numbers && overlap(one.words, other.words) >= enough;
}

/**
 * Whether a question was asked above already: it asks for the same (who, when, why …) in the same words but for a few,
 * whatever their order, their endings and the small words between them.
 */
export const isRepeated = (question: string, ancestors: readonly string[]): boolean =>
  ancestors.some((ancestor) => isSame(question, ancestor));
