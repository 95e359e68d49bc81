import { terms } from '../../context/words/terms.ts';
import type { Uncounted } from '../../evidence/citations.ts';

/** A finding whose place in the text was checked. */
export interface Located {
  readonly finding: string;
  /** What tells it from other findings; empty where the reply did not say. */
  readonly key: string;
  readonly citation: Uncounted;
}

/** Findings that are the same thing: its first wording, and each place where the text says it, in order. */
export interface Merged {
  readonly finding: string;
  readonly places: readonly Uncounted[];
}

/** A key without what writing it down differently changes: case, hyphens for spaces, quotation marks, an article. */
function plainKey(key: string): string {
  return key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=[\p{L}\p{N}])[\s_–—-]+(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/^[\s"'`“”‘’*]+|[\s"'`“”‘’*.,;:]+$/gu, '')
    .replace(/^(?:the|an?) (?=\S)/, '');
}

/** The same for sentences that say the same in the same words, whatever their order and endings. */
const wordsOf = (text: string): string => [...new Set(terms(text))].sort().join(' ') || text.trim().toLowerCase();

const placeOf = ({ source, startByte, endByte }: Uncounted): string => `${startByte} ${endByte} ${source}`;

/** What makes findings the same: the key, or without one the words; and the words at one and the same place. */
function labelsOf({ finding, key, citation }: Located): [string, string] {
  const words = wordsOf(finding);
  const plain = plainKey(key);
  return [plain === '' ? `words ${words}` : `key ${plain}`, `place ${placeOf(citation)} ${words}`];
}

const numberOf = ({ passage }: Uncounted): number => Number(passage.slice(1));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** In the order of the text; a total order, so that it does not matter in which order the findings came in. */
function byPlace(a: Located, b: Located): number {
  return (
    numberOf(a.citation) - numberOf(b.citation) ||
    a.citation.startByte - b.citation.startByte ||
    a.citation.endByte - b.citation.endByte ||
    compareTexts(a.finding, b.finding) ||
    compareTexts(a.key, b.key)
  );
}

/** Groups of findings that share a label, also through others. */
function groupByLabels(findings: readonly Located[]): Located[][] {
  const groupOf = new Map<string, Located[]>();
  const groups = new Set<Located[]>();
  for (const finding of findings) {
    const labels = labelsOf(finding);
    const met = new Set(labels.map((label) => groupOf.get(label)).filter((group) => group !== undefined));
    const [into = [], ...others] = met;
    for (const other of others) {
      groups.delete(other);
      for (const member of other) {
        into.push(member);
        for (const label of labelsOf(member)) groupOf.set(label, into);
      }
    }
    into.push(finding);
    groups.add(into);
    for (const label of labels) groupOf.set(label, into);
  }
  return [...groups];
}

function mergeGroup(group: readonly Located[]): { first: Located; merged: Merged } {
  const ordered = group.toSorted(byPlace);
  const places = new Map(ordered.map(({ citation }) => [placeOf(citation), citation]));
  const [first] = ordered;
  return { first: first!, merged: { finding: first!.finding, places: [...places.values()] } };
}

/**
 * Findings without double ones, in the order of the text. The same findings give the same result, in whatever order
 * they come in.
 */
export function mergeFindings(findings: readonly Located[]): readonly Merged[] {
  return groupByLabels(findings)
    .map(mergeGroup)
    .sort((a, b) => byPlace(a.first, b.first))
    .map(({ merged }) => merged);
}
