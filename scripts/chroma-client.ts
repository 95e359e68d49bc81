/** Fills collections of a real Chroma server through its HTTP API v2, for tests and checks. */

/** A passage to add. */
export interface NewRecord {
  readonly id: string;
  readonly document: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly embedding?: readonly number[];
}

const batchSize = 500;

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/**
 * Creates a collection and adds the passages in batches. Chroma requires a vector for each passage, so passages without
 * one all get the same vector.
 */
export async function fillCollection(url: string, name: string, records: readonly NewRecord[]): Promise<void> {
  const collections = `${url}/api/v2/tenants/default_tenant/databases/default_database/collections`;
  const { id } = await post(collections, { name });
  for (let start = 0; start < records.length; start += batchSize) {
    const batch = records.slice(start, start + batchSize);
    await post(`${collections}/${id}/add`, {
      ids: batch.map((record) => record.id),
      documents: batch.map(({ document }) => document),
      metadatas: batch.map(({ metadata }) => metadata ?? null),
      embeddings: batch.map(({ embedding }) => embedding ?? [1, 0]),
    });
  }
}
