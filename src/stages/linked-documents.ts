import type { ContextStore } from '../context/document.ts';

/** Files of the text that refer to each other. */
export interface Links {
  /** Number of documents that refer to another one, or are referred to. */
  readonly documents: number;
  /** An example to show: a document and what it refers to. */
  readonly example: string;
}

/** Documents that are read, at most, and bytes of each: imports are at the beginning of a file. */
const mostDocuments = 300;
const headBytes = 4_096;

/** Linked documents, at least: fewer are read without following links. */
const fewestLinked = 3;

/** References between files: imports of the common languages, and links of Markdown. */
const references: readonly RegExp[] = [
  /\b(?:from|import|require|export)\s*\(?\s*["']([^"'\n]{1,200})["']/g,
  /^\s*#\s*include\s+"([^"\n]{1,200})"/gm,
  /^\s*(?:from|import|use|mod|pub mod)\s+([\w.:]{1,200})/gm,
  /\]\(([^)\s]{1,200}\.\w{1,5})(?:#[^)\s]{0,200})?\)/g,
];

/** Returns the stem of a path: `store` for `src/context/store.ts`. */
const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '');

/**
 * Returns the stems that a reference may mean: the file of `./a/store.ts`, and the last two names of
 * `app.context.store`.
 */
function namedBy(reference: string): string[] {
  if (/["']|:\/\//.test(reference)) return [];
  if (reference.includes('/')) return [stemOf(reference)];
  return [stemOf(reference), ...reference.split(/\.|::/).slice(-2)];
}

const head = (store: ContextStore, document: number): string => {
  const { bytes } = store.documents[document]!;
  return new TextDecoder().decode(store.read(document, 0, Math.min(bytes, headBytes)));
};

/** Results per text: the facts are measured both before and after the planner is asked. */
const known = new WeakMap<ContextStore, { readonly links: Links | null }>();

/** Finds files that refer to each other, by their beginnings; null where fewer than three do. The work is bounded. */
export function linkedDocuments(store: ContextStore): Links | null {
  const found = known.get(store) ?? { links: findLinks(store) };
  known.set(store, found);
  return found.links;
}

function findLinks(store: ContextStore): Links | null {
  const { documents } = store;
  if (documents.length < fewestLinked) return null;
  const looked = documents.slice(0, mostDocuments);
  const byStem = new Map(looked.map(({ name }) => [stemOf(name), name]));
  const linked = new Set<string>();
  let example = '';
  for (const [index, { name }] of looked.entries()) {
    const text = head(store, index);
    const found = references.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, one = '']) => namedBy(one)));
    for (const stem of found) {
      const other = byStem.get(stem);
      if (other === undefined || other === name) continue;
      linked.add(name).add(other);
      example ||= `${name} to ${other}`;
    }
  }
  return linked.size < fewestLinked ? null : { documents: linked.size, example };
}
