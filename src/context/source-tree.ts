import { isCodeName } from './chunkers/languages.ts';

/** A chunk of program code is this part of one of other text: what a function does takes fewer words. */
export const codeParts = 3;

/** The size of a document's chunks, where those of ordinary text have that size; in bytes. */
export const chunkBytesOf = (name: string, ordinary: number): number =>
  isCodeName(name) ? Math.ceil(ordinary / codeParts) : ordinary;

/** The share of a text's documents, and their number, from which on it is held to be a tree of program code. */
const leastShare = 1 / 3;
const fewestDocuments = 20;

/** Whether the documents are a tree of program code, with what else lies there. */
export function isSourceTree(documents: readonly { readonly name: string }[]): boolean {
  const code = documents.filter(({ name }) => isCodeName(name)).length;
  return code >= fewestDocuments && code >= leastShare * documents.length;
}
