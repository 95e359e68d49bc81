import { compileGlob } from '../../base/glob.ts';
import { tell } from './problems.ts';
import { create, type TextPlace } from './text.ts';

type HostDocument = Omit<TextPlace, 'isFolded'>;

let known: readonly HostDocument[] | null = null;

export function allDocuments(): readonly HostDocument[] {
  known ??= JSON.parse(host.documents()) as HostDocument[];
  return known;
}

export const documentAt = (offset: number): HostDocument => allDocuments().findLast(({ from }) => from <= offset)!;

/** Finds the documents that match `wanted`: a name, a folder or a glob. */
function documentsLike(wanted: string): readonly HostDocument[] {
  const name = wanted.replace(/^\.?\/+/, '');
  const exact = allDocuments().filter((one) => one.name === wanted || one.name === name);
  if (exact.length > 0 || name === '') return exact;
  const folder = `${name.replace(/\/+$/, '')}/`;
  const isName = !name.includes('/');
  const matches = globOf(name);
  return allDocuments().filter(
    (one) =>
      one.name.startsWith(folder) ||
      one.name.endsWith(`/${name}`) ||
      matches(isName ? one.name.slice(one.name.lastIndexOf('/') + 1) : one.name),
  );
}

/** Returns a function that matches paths against a glob. A glob with too many alternatives matches nothing. */
function globOf(glob: string): (path: string) => boolean {
  try {
    return compileGlob(glob);
  } catch {
    return () => false;
  }
}

export const asText = ({ name, from, to }: HostDocument) => create({ name, from, to, isFolded: false });

export const emptyText = (name: string) => create({ name, from: 0, to: 0, isFolded: false });

/** Returns a document by its name, or a list for a glob, a name that ends in `/`, or several matches. */
export function doc(wanted: unknown): unknown {
  const found = documentsLike(String(wanted));
  const isMany = /[*?{]|\/$/.test(String(wanted));
  if (found.length === 0) {
    const last = String(wanted)
      .toLowerCase()
      .split('/')
      .at(-1)!
      .replace(/[*?{}]/g, '')
      .slice(0, 12);
    const near = allDocuments().filter(({ name }) => last !== '' && name.toLowerCase().includes(last));
    const other = (near.length > 0 ? near : allDocuments()).slice(0, 5).map(({ name }) => name);
    tell(`doc: no document is called ${JSON.stringify(wanted)}; there are ${other.join(', ')}, … (contexts.names)`);
    return isMany ? [] : emptyText(String(wanted));
  }
  return isMany || found.length > 1 ? found.map(asText) : asText(found[0]!);
}

/** Returns the parts of a text that lie in the documents that match `path`. Without `path`, returns the text itself. */
export function partsOf(place: TextPlace, path: unknown): readonly TextPlace[] {
  if (path === undefined || path === null) return [place];
  return documentsLike(String(path)).flatMap(({ name, from, to }) => {
    const part = { ...place, name, from: Math.max(from, place.from), to: Math.min(to, place.to) };
    return part.from < part.to ? [part] : [];
  });
}
