import { counted } from '../../base/counted.ts';
import { RlmError } from '../../errors.ts';
import { asObject, type Json } from '../../providers/wire/json.ts';
import type { ServerParts } from './opened-server.ts';
import { notTheServer, type SearchTarget } from './search-errors.ts';
import { type ScoredDocument, type ServerDocument, toLine, toSource } from './server-passages.ts';

/** Returns a field by its name, which may be a path into objects. */
function fieldOf(source: Json, name: string): unknown {
  if (name in source) return source[name];
  return name.split('.').reduce((value: unknown, part) => asObject(value)[part], source);
}

/** Converts a hit to a passage; null for one without text. */
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
    hint: 'Name the field that has it in retrieval.server: …/INDEX?text=body',
  });

/**
 * Reads the hits of a reply that have text. Warns about hits without text, and when only a part of the index, which
 * may be on several machines, answered.
 * @throws RlmError `search-failed` for a reply of another kind; `config-invalid` when no hit has a text.
 */
export function readHits(
  reply: Json,
  { address, target }: ServerParts,
  warn: (message: string) => void,
): ScoredDocument[] {
  const { hits } = asObject(reply['hits']);
  const { failed } = asObject(reply['_shards']);
  if (!Array.isArray(hits)) throw notTheServer(target, 'the reply lists no hits');
  if (reply['timed_out'] === true || (typeof failed === 'number' && failed > 0)) {
    warn(`${target.kind} at ${target.display} searched only a part of ${target.collection}`);
  }
  const found = hits.map(asObject).flatMap((hit) => {
    const document = toDocument(hit, address.options);
    return document ? [{ document, score: Number(hit['_score']) }] : [];
  });
  const field = address.options.get('text')!;
  if (hits.length > 0 && found.length === 0) throw noText(target, field);
  if (found.length < hits.length) {
    const without = counted(hits.length - found.length, 'passage');
    warn(`left out ${without} of ${target.display}, without text in "${field}"`);
  }
  return found.filter(({ score }) => score > 0);
}
