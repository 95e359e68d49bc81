import { checkCitation, type Uncounted } from '../../evidence/citations.ts';
import type { Fact } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { ExploredFinding, Passage } from '../../state.ts';
import { chunksOfLines, stretchesOf } from '../../tools/places.ts';
import { ToolError } from '../../tools/tool-error.ts';

/** A finding with its citation; null when the text does not contain its evidence. */
export interface Checked {
  readonly finding: ExploredFinding;
  readonly citation: Uncounted | null;
}

/** Passages that a finding's lines touch and that are searched for its quote, at most. */
const mostLooked = 50;

function atItsPlace({ source, startLine, endLine }: Fact, { text: { store } }: Run): Passage[] {
  try {
    const indexes = stretchesOf(store, source).flatMap((one) => chunksOfLines(store, one, startLine, endLine));
    return indexes.slice(0, mostLooked).map((index) => store.plainPassage(store.chunk(index)));
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/**
 * Yields the passages that may contain the quote: those at the named lines, then those shown of the document, then all
 * that were shown.
 */
function* candidates(fact: Fact, seen: ReadonlyMap<string, Passage>, run: Run): Generator<Passage> {
  const id = /^\[?(P\d+)\]?$/.exec(fact.source)?.[1];
  if (id !== undefined && seen.has(id)) yield seen.get(id)!;
  if (fact.source !== '' && fact.startLine > 0) yield* atItsPlace(fact, run);
  const shown = [...seen.values()];
  yield* shown.filter(({ source }) => source === fact.source || source.endsWith(`/${fact.source}`));
  yield* shown;
}

/** Checks a finding against the text, which has to contain its evidence verbatim. */
export function checkFact(fact: Fact, seen: ReadonlyMap<string, Passage>, run: Run): Checked {
  const { evidence: quote } = fact;
  for (const passage of quote === '' ? [] : candidates(fact, seen, run)) {
    const checked = checkCitation({ passage: passage.id, quote }, [passage], 0);
    if (!('citation' in checked)) continue;
    const { citation } = checked;
    const { source, startLine, endLine } = citation;
    const place = { source, startLine, endLine, passage: passage.id, evidence: citation.quote ?? quote };
    return { finding: { ...fact, ...place }, citation };
  }
  return { finding: { ...fact, passage: null }, citation: null };
}
