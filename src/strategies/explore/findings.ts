import { checkCitation, type Uncounted } from '../../evidence/citations.ts';
import type { Fact } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { ExploredFinding, Passage } from '../../state.ts';
import { chunksOfLines, stretchesOf } from '../../tools/places.ts';
import { ToolError } from '../../tools/tool-error.ts';

/** A finding with the citation that it becomes; null when its evidence does not stand in the text. */
export interface Checked {
  readonly finding: ExploredFinding;
  readonly citation: Uncounted | null;
}

/** A finding names lines, and its quote is looked for in the passages that they touch. */
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
 * Where the quote may stand: at the lines that are named, then in what was shown of the document, then in all that
 * was.
 */
function* candidates(fact: Fact, seen: ReadonlyMap<string, Passage>, run: Run): Generator<Passage> {
  const id = /^\[?(P\d+)\]?$/.exec(fact.source)?.[1];
  if (id !== undefined && seen.has(id)) yield seen.get(id)!;
  if (fact.source !== '' && fact.startLine > 0) yield* atItsPlace(fact, run);
  const shown = [...seen.values()];
  yield* shown.filter(({ source }) => source === fact.source || source.endsWith(`/${fact.source}`));
  yield* shown;
}

/** Holds a finding against the text: its evidence has to stand there, word for word. */
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
