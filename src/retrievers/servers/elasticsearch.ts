import { nearest } from '../../base/nearest.ts';
import { counted } from '../../base/text.ts';
import { forEachWord } from '../../context/words/terms.ts';
import { RlmError } from '../../errors.ts';
import { asObject, type Json } from '../../providers/wire/json.ts';
import { notTheServer } from '../../providers/wire/server-errors.ts';
import { reciprocalRanks } from '../fused.ts';
import { nearBestByWords } from '../lexical/retriever.ts';
import { freeAccess, type Query, type ServerAccess } from '../retriever.ts';
import type { Meaning } from '../vector/retriever.ts';
import type { SearchAddress } from './search-address.ts';
import type { SearchTarget } from './search-client.ts';
import {
  type OpenedServer,
  type ScoredDocument,
  type ServerDocument,
  type ServerParts,
  takePassages,
  toLine,
  toSource,
  wantedFor,
} from './server-passages.ts';

/** Returns the value of a field. The name may be a path into objects: `meta.title`. */
function fieldOf(source: Json, name: string): unknown {
  if (name in source) return source[name];
  return name.split('.').reduce((value: unknown, part) => asObject(value)[part], source);
}

function toDocument(hit: Json, options: ReadonlyMap<string, string | null>): ServerDocument | null {
  const fields = asObject(hit['_source']);
  const fieldFor = (option: string) => fieldOf(fields, options.get(option)!);
  const text = fieldFor('text');
  if (typeof text !== 'string' || text === '') return null;
  const lines = { startLine: toLine(fieldFor('startLine')), endLine: toLine(fieldFor('endLine')) };
  return { id: String(hit['_id']), text, source: toSource(fieldFor('source')), ...lines };
}

const noText = ({ display }: SearchTarget, field: string) =>
  new RlmError('config-invalid', `the passages at ${display} have no text in the field "${field}"`, {
    hint: 'Name the field with the text in retrieval.server: …/INDEX?text=body',
  });

/** Returns hits with text. Warns of other hits and of a partial search. Throws `search-failed`, `config-invalid`. */
function readHits(reply: Json, { address, target }: ServerParts, warn: (message: string) => void): ScoredDocument[] {
  const { hits } = asObject(reply['hits']);
  const { failed } = asObject(reply['_shards']);
  if (!Array.isArray(hits)) throw notTheServer(target, 'the reply lists no hits');
  if (reply['timed_out'] === true || (typeof failed === 'number' && failed > 0)) {
    warn(`${target.words.kind} at ${target.display} searched only a part of ${target.collection}`);
  }
  const found = hits.map(asObject).flatMap((hit) => {
    const document = toDocument(hit, address.options);
    return document ? [{ document, score: Number(hit['_score']) }] : [];
  });
  const field = address.options.get('text')!;
  if (hits.length > 0 && found.length === 0) throw noText(target, field);
  if (found.length < hits.length) {
    const omitted = counted(hits.length - found.length, 'passage');
    warn(`left out ${omitted} of ${target.display}: no text in the field "${field}"`);
  }
  return found.filter(({ score }) => score > 0);
}

const mostListed = 20;

function namesIn(mapping: Json, prefix = ''): string[] {
  const inner = { ...asObject(mapping['properties']), ...asObject(mapping['fields']) };
  return Object.entries(inner).flatMap(([name, field]) => {
    const below = namesIn(asObject(field), `${prefix}${name}.`);
    return below.length > 0 && !('type' in asObject(field)) ? below : [`${prefix}${name}`, ...below];
  });
}

/** Returns the fields of the option `search`, with their weights (`title^2`). */
const namedFields = ({ options }: SearchAddress): string[] =>
  (options.get('search') ?? '').split(',').flatMap((field) => field.trim() || []);

/** Returns the searched fields without weights: `title` for `title^2`. Leaves out patterns such as `title.*`. */
function searchedFields(address: SearchAddress): { option: string; field: string }[] {
  const { options } = address;
  const named = namedFields(address);
  const [option, fields] = named.length > 0 ? ['search', named] : ['text', [options.get('text')!]];
  const words = fields.map((field) => ({ option, field: field.replace(/\^.*$/, '') }));
  const vector = options.get('vector');
  const all = vector ? [...words, { option: 'vector', field: vector }] : words;
  return all.filter(({ field }) => field !== '' && !field.includes('*'));
}

/** Returns the names of all fields; null if the request fails. The request may need more permissions than a search. */
async function readNames({ address, client }: ServerParts, signal: AbortSignal): Promise<string[] | null> {
  try {
    const reply = await client.send(`/${encodeURIComponent(address.collection)}/_mapping`, null, signal);
    const names = Object.values(reply).flatMap((index) => namesIn(asObject(asObject(index)['mappings'])));
    return names.length > 0 ? [...new Set(names)] : null;
  } catch (error) {
    if (error instanceof RlmError && !signal.aborted) return null;
    throw error;
  }
}

function noField(option: string, field: string, names: readonly string[], { address, target }: ServerParts): RlmError {
  const shown = names.slice(0, mostListed).join(', ');
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  const instead = nearest(field, names) ?? names[0]!;
  return new RlmError(
    'config-invalid',
    `${target.collection} at ${target.display} has no field "${field}" (option ${option}); it has ${shown}${more}`,
    { hint: `Name a field that exists: ${address.display}?${option}=${instead}` },
  );
}

async function checkFields(parts: ServerParts, signal: AbortSignal): Promise<void> {
  const names = await readNames(parts, signal);
  const missing = names && searchedFields(parts.address).find(({ field }) => !names.includes(field));
  if (missing) throw noField(missing.option, missing.field, names, parts);
}

/** Maximum number of words in a query. The servers refuse more than about a thousand clauses. */
const maxWords = 256;

/** Maximum number of candidates in a search by vector. Elasticsearch and OpenSearch refuse more. */
const mostCandidates = 10_000;
const leastCandidates = 1_000;

/** Sends all searches to the same copies of the index. Other copies may order equal scores differently. */
const preference = 'preference=rlm';

function wordsOf(text: string): string {
  const words = new Set<string>();
  forEachWord(text, (word) => {
    words.add(word);
  });
  return [...words].slice(0, maxWords).join(' ');
}

function matchClause(query: Query, address: SearchAddress): object {
  const words = wordsOf(query.text);
  const fields = namedFields(address);
  if (fields.length > 0) return { query: { multi_match: { query: words, fields } } };
  return { query: { match: { [address.options.get('text')!]: { query: words } } } };
}

/**
 * OpenSearch expects the clause within `query`, and the number of candidates as `k`. Elasticsearch expects the
 * clause beside `query`, and the number as `num_candidates`. With only as many candidates as wanted passages, a search
 * misses one in six of the nearest passages. With 100 candidates, it misses one in 50, or one in five after deletions
 * (`npm run test:opensearch`).
 */
function nearClause(field: string, vector: readonly number[], wanted: number, { kind }: SearchAddress): object {
  const candidates = Math.min(mostCandidates, Math.max(leastCandidates, wanted * 5));
  if (kind === 'opensearch') return { query: { knn: { [field]: { vector, k: candidates } } } };
  return { knn: { field, query_vector: vector, k: wanted, num_candidates: candidates } };
}

/** Opens an index of Elasticsearch or OpenSearch. Word and vector results are fused by rank. Throws RlmError. */
export async function openElasticsearch(parts: ServerParts, signal: AbortSignal): Promise<OpenedServer> {
  const { address, target, client } = parts;
  const path = `/${encodeURIComponent(address.collection)}`;
  const vectorField = address.options.get('vector') ?? null;
  const _source = ['text', 'source', 'startLine', 'endLine'].map((name) => address.options.get(name));

  const { count } = await client.send(`${path}/_count`, null, signal);
  if (typeof count !== 'number') throw notTheServer(target, 'the reply has no number of passages');
  /** The check of the fields, made once, after the first search that finds nothing or is refused. */
  let checking: Promise<void> | null = null;
  const check = (): Promise<void> => {
    checking ??= checkFields(parts, signal);
    return checking;
  };

  async function search(query: Query, clause: object, access: ServerAccess, signal: AbortSignal) {
    const body = { ...clause, size: wantedFor(query), _source };
    const send = () => client.send(`${path}/_search?${preference}`, body, signal);
    const reply = await access.request(send).catch(async (error: unknown) => {
      if (error instanceof RlmError && error.code === 'request-refused') await check();
      throw error;
    });
    const found = readHits(reply, parts, access.warn);
    if (found.length === 0 && count !== 0) await check();
    return found;
  }

  async function searchAll(query: Query, meaning: Meaning | null, access: ServerAccess, signal: AbortSignal) {
    const vector = vectorField === null ? null : ((await meaning?.vectorOf(query.text, signal)) ?? null);
    const words = matchClause(query, address);
    if (vectorField === null || vector === null) return search(query, words, access, signal);
    const near = nearClause(vectorField, [...vector], wantedFor(query), address);
    const clauses = meaning?.isAlone ? [near] : [words, near];
    const lists = await Promise.all(clauses.map((clause) => search(query, clause, access, signal)));
    const fused = reciprocalRanks(lists, ({ document }) => document.id);
    return [...fused.values()].map(({ item, score }): ScoredDocument => ({ document: item.document, score }));
  }

  return {
    passages: count,
    takesVectors: vectorField !== null,
    createRetriever: (meaning) => ({
      name: address.kind,
      nearBest: meaning === null ? nearBestByWords : undefined,
      retrieve: async (query, signal, access = freeAccess) => {
        signal.throwIfAborted();
        if (query.limit < 1 || query.maxBytes < 1 || wordsOf(query.text) === '') return [];
        return takePassages(await searchAll(query, meaning, access, signal), query, access.warn);
      },
    }),
  };
}
