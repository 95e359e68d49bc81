/** The documents of the text, as the guest knows them. */

interface HostDocument {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

let known: readonly HostDocument[] | null = null;

/** Returns all documents, requested once. */
export function allDocuments(): readonly HostDocument[] {
  known ??= JSON.parse(host.documents()) as HostDocument[];
  return known;
}

/** Returns the document that holds an offset of the whole text. */
export const documentAt = (offset: number): HostDocument => allDocuments().findLast(({ from }) => from <= offset)!;
