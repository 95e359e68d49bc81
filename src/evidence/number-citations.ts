import { contentTerms } from '../context/words/terms.ts';
import type { Citation } from '../state.ts';
import { numbered } from './citations.ts';
import { countMarks, rewriteMarks } from './marks.ts';

const wordsOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** The citations of the passage that a mark names, for the `nth` of its marks in the answer. */
type Pick = (passage: string, nth: number, before: string) => readonly Citation[];

function groupByPassage(citations: readonly Citation[]): ReadonlyMap<string, readonly Citation[]> {
  const groups = new Map<string, Citation[]>();
  for (const citation of citations) {
    const group = groups.get(citation.passage);
    if (group) group.push(citation);
    else groups.set(citation.passage, [citation]);
  }
  return groups;
}

/** The one quote that has the most terms of the words before the mark; null where none has or several have as many. */
function likest(before: string, citations: readonly Citation[]): Citation | null {
  const said = new Set(contentTerms(before.slice(before.lastIndexOf('\n') + 1).slice(-400)));
  const common = ({ quote }: Citation) => new Set(contentTerms(quote ?? '').filter((term) => said.has(term))).size;
  const [best, next] = citations
    .map((citation) => ({ citation, count: common(citation) }))
    .sort((a, b) => b.count - a.count);
  return best!.count > next!.count ? best!.citation : null;
}

/**
 * Among several quotes from one passage, those that stand in the words before the mark; else, with a mark for each
 * quote, the quote in its turn; else the one that has most of those words; else all of them.
 */
function createPick(answer: string, citations: readonly Citation[]): Pick {
  const marked = countMarks(answer);
  const byPassage = groupByPassage(citations);
  return (passage, nth, before) => {
    const ofPassage = byPassage.get(passage) ?? [];
    if (ofPassage.length < 2) return ofPassage;
    const words = wordsOf(before);
    const quoted = ofPassage.filter(({ quote }) => quote !== null && words.includes(wordsOf(quote).slice(0, 80)));
    if (quoted.length > 0) return quoted;
    if (marked.get(passage) === ofPassage.length) return [ofPassage[nth]!];
    const one = likest(before, ofPassage);
    return one ? [one] : ofPassage;
  };
}

/**
 * The answer as people read it: passage ids become citation numbers, counted in the order in which they appear;
 * citations without a mark come last.
 */
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
