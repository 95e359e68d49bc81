/** Chooses the parts of passages that a claim is checked against: a model reads a few hundred tokens at once. */
import { splitSentences } from '../../context/sentences/split.ts';
import { contentTerms } from '../../context/words/terms.ts';

/** A sentence of a passage, or a part of a long one. */
interface SentencePart {
  readonly text: string;
  /** Size in tokens, plus one for the space to the next part. */
  readonly tokens: number;
  /** Number of the claim's terms in it. */
  readonly shared: number;
}

/** Windows per claim, at most; each costs a run of the model. */
const mostWindows = 4;

/** Halves a text until each part fits `room` tokens; a part of a few characters is kept. */
function inPieces(
  text: string,
  room: number,
  countTokens: (text: string) => number,
): { text: string; tokens: number }[] {
  const tokens = countTokens(text);
  if (tokens <= room || text.length < 8) return [{ text, tokens }];
  const middle = text.indexOf(' ', text.length / 2);
  const cut = middle > 0 && middle < text.length - 1 ? middle : Math.ceil(text.length / 2);
  return [text.slice(0, cut), text.slice(cut)].flatMap((half) => inPieces(half, room, countTokens));
}

function readPieces(text: string, claim: ReadonlySet<string>, room: number, countTokens: (text: string) => number) {
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end).trim());
  return sentences.filter(Boolean).flatMap((sentence) =>
    inPieces(sentence, room - 1, countTokens).map(
      ({ text, tokens }): SentencePart => ({
        text,
        tokens: tokens + 1,
        shared: contentTerms(text).filter((term) => claim.has(term)).length,
      }),
    ),
  );
}

/** Groups consecutive sentences, as many as fit. */
function inRuns(pieces: readonly SentencePart[], room: number): SentencePart[][] {
  const runs: SentencePart[][] = [];
  let taken = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    if (taken + piece.tokens > room) {
      runs.push([]);
      taken = 0;
    }
    runs.at(-1)!.push(piece);
    taken += piece.tokens;
  }
  return runs;
}

/** Returns the sentences with most of the claim's terms, in text order, as many as fit. */
function bestPieces(pieces: readonly SentencePart[], room: number): SentencePart[] {
  const chosen = new Set<SentencePart>();
  let taken = 0;
  for (const piece of [...pieces].sort((one, other) => other.shared - one.shared)) {
    if (piece.shared === 0 || taken + piece.tokens > room) continue;
    chosen.add(piece);
    taken += piece.tokens;
  }
  return pieces.filter((piece) => chosen.has(piece));
}

const wordsOf = (pieces: readonly SentencePart[]): string => pieces.map(({ text }) => text).join(' ');
const sharedIn = (pieces: readonly SentencePart[]): number => pieces.reduce((sum, { shared }) => sum + shared, 0);

/**
 * Returns the texts that a claim is checked against, at most four: the whole text where it fits, else the best
 * sentences together and the groups of sentences with most of the claim's words.
 * @param room room for text, in tokens.
 */
export function windowsFor(
  texts: readonly string[],
  claim: string,
  room: number,
  countTokens: (text: string) => number,
): string[] {
  const terms = new Set(contentTerms(claim));
  const byText = texts.map((text) => readPieces(text, terms, room, countTokens));
  const all = byText.flat();
  const whole = inRuns(all, room);
  if (whole.length <= 1) return [...new Set(whole.map(wordsOf))];
  const runs = byText.flatMap((pieces) => inRuns(pieces, room)).sort((one, other) => sharedIn(other) - sharedIn(one));
  const best = [bestPieces(all, room), ...runs].filter((pieces) => pieces.length > 0).map(wordsOf);
  return [...new Set(best)].slice(0, mostWindows);
}
