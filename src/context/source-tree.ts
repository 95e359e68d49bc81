import { isCodeName } from './chunkers/languages.ts';

/** Chunks of program code are smaller than others by this factor: a function is described in fewer words. */
export const codeParts = 3;

/** Returns the size of a document's chunks, given the size for ordinary text; in bytes. */
export const chunkBytesOf = (name: string, ordinary: number): number =>
  isCodeName(name) ? Math.ceil(ordinary / codeParts) : ordinary;

/** The least share, and the least number, of code files in a tree of program code. */
const leastShare = 1 / 3;
const fewestDocuments = 20;

/** Whether the documents are a tree of program code, with other files in it. */
export function isSourceTree(documents: readonly { readonly name: string }[]): boolean {
  const code = documents.filter(({ name }) => isCodeName(name)).length;
  return code >= fewestDocuments && code >= leastShare * documents.length;
}
