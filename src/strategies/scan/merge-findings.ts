import { terms } from '../../context/words/terms.ts';
import type { Uncounted } from '../../evidence/citations.ts';

/** A finding whose place in the text was checked. */
export interface Located {
  readonly finding: string;
  /** What distinguishes it from other findings; empty where the reply did not say. */
  readonly key: string;
  readonly citation: Uncounted;
}

/** Equal findings: the first wording, and each place in the text, in order. */
export interface Merged {
  readonly finding: string;
  readonly places: readonly Uncounted[];
}

/** Normalises a key: removes case, hyphens, quotation marks and a leading article. */
function plainKey(key: string): string {
  return key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=[\p{L}\p{N}])[\s_–—-]+(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/^[\s"'`“”‘’*]+|[\s"'`“”‘’*.,;:]+$/gu, '')
    .replace(/^(?:the|an?) (?=\S)/, '');
}

/** Returns a key that is equal for sentences with the same words in any order and form. */
const wordsOf = (text: string): string => [...new Set(terms(text))].sort().join(' ') || text.trim().toLowerCase();

const placeOf = ({ source, startByte, endByte }: Uncounted): string => `${startByte} ${endByte} ${source}`;

/**
 * Returns the labels by which findings are equal: the key, or without one the words; and the words at the same place.
 */
function labelsOf({ finding, key, citation }: Located): [string, string] {
  const words = wordsOf(finding);
  const plain = plainKey(key);
  return [plain === '' ? `words ${words}` : `key ${plain}`, `place ${placeOf(citation)} ${words}`];
}

const numberOf = ({ passage }: Uncounted): number => Number(passage.slice(1));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares findings by their place in the text; a total order, so that their order of arrival does not matter. */
function byPlace(a: Located, b: Located): number {
  return (
    numberOf(a.citation) - numberOf(b.citation) ||
    a.citation.startByte - b.citation.startByte ||
    a.citation.endByte - b.citation.endByte ||
    compareTexts(a.finding, b.finding) ||
    compareTexts(a.key, b.key)
  );
}

/** Groups findings that share a label, directly or through others. */
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

/** Merges equal findings, and returns them in text order. The result does not depend on the order of the findings. */
export function mergeFindings(findings: readonly Located[]): readonly Merged[] {
  return groupByLabels(findings)
    .map(mergeGroup)
    .sort((a, b) => byPlace(a.first, b.first))
    .map(({ merged }) => merged);
}
