import type { ContextStore } from '../document.ts';
import { searchPlaces } from '../search/search.ts';
import { readBuffer } from '../shown-text.ts';

/** A heading that names a version. */
export interface VersionHeading {
  readonly document: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly version: string;
}

const heading =
  /^(?:#{1,4}[ \t]+|\*\*|={1,3} ?)?(?:\[|<a [^>]*><\/a>)*[ \t]*(?:(?:version|release|ver\.?)[ \t]+)?v?(\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?)(?=[\])*:,\s]|$)/i;
/** A pattern for `searchPlaces`, which has no look-ahead: a line that matches may be a heading. */
const candidate = '^(#{1,4}[ \\t]+|\\*\\*|={1,3} ?)?[^\\d\\n]{0,40}\\d+\\.\\d+';
const mostLineBytes = 400;

/** Finds version headings by their marks; where a document has none with marks, lines that begin with a version. */
export async function findVersions(store: ContextStore, signal: AbortSignal): Promise<readonly VersionHeading[]> {
  const options = { ignoreCase: true, limit: Number.MAX_SAFE_INTEGER };
  const { matches } = await searchPlaces(store, candidate, options, signal);
  const found = matches.flatMap(({ document, startByte }) => {
    const end = Math.min(store.documents[document]!.bytes, startByte + mostLineBytes);
    const [line = ''] = readBuffer(store, document, startByte, end).toString('utf8').split('\n');
    const version = heading.exec(line)?.[1];
    const isMarked = /^(?:#|\*\*|=)/.test(line);
    const endByte = startByte + Buffer.byteLength(line);
    return version === undefined ? [] : [{ document, startByte, endByte, version, isMarked }];
  });
  const marked = new Set(found.filter(({ isMarked }) => isMarked).map(({ document }) => document));
  return found.filter(({ isMarked, document }) => isMarked || !marked.has(document));
}

/**
 * Compares two versions; negative where the first is older. A version with a suffix, such as `-beta.1`, is older than
 * the same version without one.
 */
export function compareVersions(one: string, other: string): number {
  const [[left, leftSuffix], [right, rightSuffix]] = [one, other].map((version) => {
    const at = version.indexOf('-');
    return at === -1 ? [version, null] : [version.slice(0, at), version.slice(at + 1)];
  }) as [[string, string | null], [string, string | null]];
  const [a, b] = [left, right].map((numbers) => numbers.split('.').map(Number)) as [number[], number[]];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (leftSuffix === rightSuffix) return 0;
  if (leftSuffix === null || rightSuffix === null) return leftSuffix === null ? 1 : -1;
  return leftSuffix.localeCompare(rightSuffix, 'en', { numeric: true });
}
