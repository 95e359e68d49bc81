import { coerce, emptyValue } from './coerce.ts';
import type { Fields, ReplyOf } from './fields.ts';
import { readJson } from './json-reply.ts';
import { readLabelled } from './labelled-reply.ts';

/** ok: as asked. repaired: readable after mending. failed: unusable, and why. Never guessed. */
export type ParsedReply<F extends Fields> =
  | { readonly class: 'ok' | 'repaired'; readonly reply: ReplyOf<F> }
  | { readonly class: 'failed'; readonly problem: string };

/** A reply without the model's thinking, which some servers leave in the text. */
function withoutThinking(text: string): string {
  const closed = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '');
  const headless = closed.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  return headless.replace(/<think(?:ing)?>[\s\S]*$/i, '').trim();
}

type Read = { readonly values: Record<string, unknown> } | { readonly problem: string };

/** Every field as its type, or the first problem found. */
function typedFields(fields: Fields, raw: Readonly<Record<string, unknown>>): Read {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = name in raw ? coerce(field, raw[name]) : undefined;
    const isEmpty = value === undefined || (field.kind === 'questions' && (value as unknown[]).length === 0);
    if (isEmpty && field.required) {
      return {
        problem: name in raw ? `"${name}" (${field.label}) cannot be read` : `"${name}" (${field.label}) is missing`,
      };
    }
    values[name] = value ?? emptyValue(field);
  }
  return { values };
}

/**
 * Reads a reply, as JSON or as labelled text, leniently; the result is strictly typed.
 * @param isCut whether the reply was stopped by its length limit: then nothing in it is trusted to be whole.
 */
export function parseReply<F extends Fields>(fields: F, text: string, isCut: boolean): ParsedReply<F> {
  const said = withoutThinking(text);
  if (said === '')
    return { class: 'failed', problem: text.trim() === '' ? 'it was empty' : 'it held nothing but thinking' };
  const json = readJson(fields, said);
  if (isCut && (json === null || json.mended)) {
    return { class: 'failed', problem: 'it was cut off at its length limit; write less' };
  }
  const readings: Read[] = [];
  if (json) readings.push(typedFields(fields, json.values));
  const labelled = readLabelled(fields, said);
  if (labelled) readings.push(typedFields(fields, labelled));
  const usable = readings.find((reading) => 'values' in reading);
  if (usable && 'values' in usable) {
    const mended = json?.mended === true && usable === readings[0];
    return { class: mended ? 'repaired' : 'ok', reply: usable.values as ReplyOf<F> };
  }
  const [first] = readings;
  return {
    class: 'failed',
    problem: first && 'problem' in first ? first.problem : 'it is neither JSON nor labelled text',
  };
}
