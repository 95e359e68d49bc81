import { asList, asObject, type Json } from '../../providers/wire/json.ts';
import { freeAccess, type Query, type ServerAccess } from '../retriever.ts';
import { findByWords } from './chroma-words.ts';
import type { OpenedServer, ServerParts } from './opened-server.ts';
import { notTheServer } from './search-errors.ts';
import {
  type ScoredDocument,
  type ServerDocument,
  takePassages,
  toLine,
  toSource,
  wantedFor,
} from './server-passages.ts';

interface Collection {
  readonly path: string;
  readonly passages: number;
}

const segment = encodeURIComponent;

/** Looks up the id of a collection by its name, since requests need the id. */
async function openCollection({ address, target, client }: ServerParts, signal: AbortSignal): Promise<Collection> {
  const { collection, options } = address;
  const database = `/api/v2/tenants/${segment(options.get('tenant')!)}/databases/${segment(options.get('database')!)}`;
  const { id } = await client.send(`${database}/collections/${segment(collection)}`, null, signal);
  if (typeof id !== 'string') throw notTheServer(target, 'the reply names no collection');
  const path = `${database}/collections/${segment(id)}`;
  const { value } = await client.send(`${path}/count`, null, signal);
  return { path, passages: typeof value === 'number' ? value : 0 };
}

/** Reads documents as Chroma lists them: ids, texts and metadata in parallel; null for one without text. */
function readDocuments(reply: Json, parts: ServerParts): (ServerDocument | null)[] {
  const { options } = parts.address;
  if (!Array.isArray(reply['ids']) || !Array.isArray(reply['documents'])) {
    throw notTheServer(parts.target, 'the reply lists no documents');
  }
  const { ids, documents, metadatas } = reply as { ids: unknown[]; documents: unknown[]; metadatas: unknown };
  return ids.map((id, index) => {
    const text = documents[index];
    if (typeof text !== 'string' || text === '') return null;
    const fields = asObject(asList(metadatas)[index]);
    return {
      id: String(id),
      text,
      source: toSource(fields[options.get('source')!]),
      startLine: toLine(fields[options.get('startLine')!]),
      endLine: toLine(fields[options.get('endLine')!]),
    };
  });
}

const withText = (documents: readonly (ServerDocument | null)[]): ServerDocument[] =>
  documents.filter((document) => document !== null);

/**
 * Converts a distance to a score; the larger the distance, the lower. With inner products, distances may be negative.
 */
const nearness = (distance: number): number => (distance >= 0 ? 1 / (1 + distance) : 1 - distance);

/** Returns the first row of the reply to a query by several vectors. */
const firstRow = (reply: Json): Json =>
  Object.fromEntries(Object.entries(reply).map(([name, rows]) => [name, asList(rows)[0]]));

/**
 * Opens a collection of a Chroma server (its HTTP API v2). With vectors it finds the passages nearest to the query,
 * and the collection must have vectors of the same model; without, those with its words, which are ranked locally.
 * @throws RlmError; the signal's reason.
 */
export async function openChroma(parts: ServerParts, signal: AbortSignal): Promise<OpenedServer> {
  const { client } = parts;
  const { path, passages } = await openCollection(parts, signal);

  async function byWords(query: Query, access: ServerAccess, signal: AbortSignal): Promise<ScoredDocument[]> {
    const find = async (patterns: readonly string[], limit: number) => {
      const clauses = patterns.map((pattern) => ({ $regex: pattern }));
      const where = clauses.length === 1 ? clauses[0] : { $and: clauses };
      const body = { where_document: where, include: ['documents', 'metadatas'], limit };
      const reply = await access.request(() => client.send(`${path}/get`, body, signal));
      return withText(readDocuments(reply, parts));
    };
    return findByWords(query.text, passages, find);
  }

  async function byVector(query: Query, vector: Float32Array, access: ServerAccess, signal: AbortSignal) {
    const wanted = { n_results: wantedFor(query), include: ['documents', 'metadatas', 'distances'] };
    const body = { query_embeddings: [[...vector]], ...wanted };
    const row = firstRow(await access.request(() => client.send(`${path}/query`, body, signal)));
    const documents = readDocuments(row, parts);
    const distances = asList(row['distances']);
    return documents.flatMap((document, index): ScoredDocument[] => {
      const distance = distances[index];
      return document && typeof distance === 'number' ? [{ document, score: nearness(distance) }] : [];
    });
  }

  return {
    passages,
    takesVectors: true,
    createRetriever: (meaning) => ({
      name: 'chroma',
      retrieve: async (query, signal, access = freeAccess) => {
        signal.throwIfAborted();
        if (query.limit < 1 || query.maxBytes < 1 || query.text.trim() === '') return [];
        const vector = (await meaning?.vectorOf(query.text, signal)) ?? null;
        const found = await (vector === null
          ? byWords(query, access, signal)
          : byVector(query, vector, access, signal));
        return takePassages(found, query, access.warn);
      },
    }),
  };
}
