/** Fills and changes indexes of a real OpenSearch through its HTTP API, for tests and checks. */

/** A passage to index. */
export interface IndexedPassage {
  readonly text: string;
  readonly [field: string]: unknown;
}

const batchSize = 1_000;

async function send(url: string, method: string, body: string, type = 'application/json') {
  const response = await fetch(url, { method, headers: { 'content-type': type }, ...(body && { body }) });
  const said = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${said.slice(0, 300)}`);
  return JSON.parse(said) as { readonly errors?: boolean };
}

/** Creates an index and adds the passages in batches, with the ids `0`, `1` … They are searchable immediately. */
export async function fillIndex(
  url: string,
  name: string,
  passages: readonly IndexedPassage[],
  { settings = {}, mappings = {} }: { readonly settings?: object; readonly mappings?: object } = {},
): Promise<void> {
  await send(`${url}/${name}`, 'PUT', JSON.stringify({ settings: { number_of_replicas: 0, ...settings }, mappings }));
  for (let start = 0; start < passages.length; start += batchSize) {
    const lines = passages
      .slice(start, start + batchSize)
      .flatMap((passage, index) =>
        [{ index: { _id: `${start + index}` } }, passage].map((line) => JSON.stringify(line)),
      );
    const type = 'application/x-ndjson';
    const { errors } = await send(`${url}/${name}/_bulk?refresh=true`, 'POST', `${lines.join('\n')}\n`, type);
    if (errors) throw new Error(`${url}/${name} did not accept all passages`);
  }
}

/** Deletes a passage. Later searches do not find it. */
export async function deletePassage(url: string, name: string, id: string): Promise<void> {
  await send(`${url}/${name}/_doc/${id}?refresh=true`, 'DELETE', '');
}
