import { contentTerms } from '../context/words/terms.ts';
import type { Citation } from '../state.ts';
import { numbered } from './citations.ts';
import { countMarks, rewriteMarks } from './marks.ts';

const wordsOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Returns the citation whose quote shares the most terms with the line before the mark; null for a tie. */
function mostSimilar(before: string, citations: readonly Citation[]): Citation | null {
  const said = new Set(contentTerms(before.slice(before.lastIndexOf('\n') + 1).slice(-400)));
  const common = ({ quote }: Citation) => new Set(contentTerms(quote ?? '').filter((term) => said.has(term))).size;
  const [best, next] = citations
    .map((citation) => ({ citation, count: common(citation) }))
    .sort((a, b) => b.count - a.count);
  return best!.count > next!.count ? best!.citation : null;
}

/**
 * Chooses the citations of a mark. Tries in this order: the quotes that the line repeats before the mark; those that
 * the answer repeats before it; the nth quote for the nth mark, if the passage has as many marks as quotes; the most
 * similar quote; all citations of the passage.
 */
function createPick(answer: string, citations: readonly Citation[]) {
  const marked = countMarks(answer);
  return (id: string, nth: number, before: string): readonly Citation[] => {
    const ofPassage = citations.filter(({ passage }) => passage === id);
    if (ofPassage.length < 2) return ofPassage;
    for (const text of [before.slice(before.lastIndexOf('\n') + 1), before]) {
      const words = wordsOf(text);
      const quoted = ofPassage.filter(({ quote }) => quote !== null && words.includes(wordsOf(quote).slice(0, 80)));
      if (quoted.length > 0) return quoted;
    }
    if (marked.get(id) === ofPassage.length) return [ofPassage[nth]!];
    const one = mostSimilar(before, ofPassage);
    return one ? [one] : ofPassage;
  };
}

/** Replaces passage ids with citation numbers, in the order of the first marks. Unmarked citations come last. */
export function numberCitations(
  answer: string,
  citations: readonly Citation[],
): { answer: string; citations: Citation[] } {
  const order = new Map<Citation, number>();
  const pick = createPick(answer, citations);
  const seen = new Map<string, number>();
  let [previous, current] = [0, 0];
  const text = rewriteMarks(answer, (id, offset) => {
    if (offset !== current) [previous, current] = [current, offset];
    const before = answer.slice(Math.max(previous, offset - 2_000), offset);
    const nth = seen.get(id) ?? 0;
    seen.set(id, nth + 1);
    return pick(id, nth, before)
      .map((citation) => {
        if (!order.has(citation)) order.set(citation, order.size + 1);
        return `[${order.get(citation)}]`;
      })
      .join('');
  });
  const rest = citations.filter((citation) => !order.has(citation));
  return {
    answer: text,
    citations: numbered([...order.keys(), ...rest].map(({ number: _, ...citation }) => citation)),
  };
}
