import { nearest } from '../../base/nearest.ts';
import { RlmError } from '../../errors.ts';
import { asObject, type Json } from '../../providers/wire/json.ts';
import type { ServerParts } from './opened-server.ts';

/** Names that a message lists, at most. */
const mostListed = 20;

/** Returns the names of fields in a mapping, including paths into objects and sub-fields. */
function namesIn(mapping: Json, prefix = ''): string[] {
  const inner = { ...asObject(mapping['properties']), ...asObject(mapping['fields']) };
  return Object.entries(inner).flatMap(([name, field]) => {
    const below = namesIn(asObject(field), `${prefix}${name}.`);
    return below.length > 0 && !('type' in asObject(field)) ? below : [`${prefix}${name}`, ...below];
  });
}

/** Returns the fields that are searched, without their weights (`title^2`) and without patterns. */
function searchedFields({ options }: ServerParts['address']): { option: string; field: string }[] {
  const [option, named] = options.get('search') ? ['search', options.get('search')!] : ['text', options.get('text')!];
  const words = named.split(',').map((field) => ({ option, field: field.trim().replace(/\^.*$/, '') }));
  const vector = options.get('vector');
  const all = vector ? [...words, { option: 'vector', field: vector }] : words;
  return all.filter(({ field }) => field !== '' && !field.includes('*'));
}

/** Requests the mapping; null where the server refuses it: permission to search an index does not include it. */
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
    { hint: `Name one that it has: ${address.display}?${option}=${instead}` },
  );
}

/**
 * Checks that the index has the searched fields: for the server, a search in a missing field is no error and finds
 * nothing.
 * @throws RlmError `config-invalid` with the existing fields.
 */
export async function checkFields(parts: ServerParts, signal: AbortSignal): Promise<void> {
  const names = await readNames(parts, signal);
  const missing = names && searchedFields(parts.address).find(({ field }) => !names.includes(field));
  if (missing) throw noField(missing.option, missing.field, names, parts);
}
