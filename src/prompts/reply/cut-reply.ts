/** Reads what is usable of a reply that was cut off, by its length limit or because the model stopped sending. */
import type { Field, Fields } from './fields.ts';
import { cutTextIn, type JsonReply } from './json-reply.ts';
import { readLabelled } from './labelled-reply.ts';

/** The usable fields of a reply that was cut off. */
export interface CutReply {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether all required fields are complete; else a required text ends with its last complete sentence. */
  readonly isWhole: boolean;
}

/** Returns the complete sentences at the start of a text, with their citation marks; empty where there are none. */
export function wholeSentences(text: string): string {
  const end = /^[\s\S]*[.!?。！？](?:[ \t]*\[[\w, ]{1,80}\])*(?=\s|$)/.exec(text);
  return end?.[0].trim() ?? '';
}

/** Removes what was cut: the last item of a list, or the whole of a text. */
const withoutEnd = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, -1) : '');

const isMissing = (fields: Fields, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(fields).some(([name, { required }]) => required && !(name in values));

/** @param isTextCut whether the last field, a required text, was cut. */
function cutAt(values: Readonly<Record<string, unknown>>, last: string, field: Field, isTextCut: boolean) {
  const { required, kind } = field;
  if (!required) return { values: { ...values, [last]: withoutEnd(values[last]) }, isWhole: true };
  if (kind !== 'text') return null;
  if (!isTextCut) return { values, isWhole: true };
  const whole = wholeSentences(String(values[last]));
  return whole === '' ? null : { values: { ...values, [last]: whole }, isWhole: false };
}

/**
 * Reads the fields of a reply that was cut off; null where a required field is missing.
 * @param json the reply as repaired JSON, or null where it is not JSON.
 */
export function readCut(fields: Fields, said: string, json: JsonReply | null): CutReply | null {
  const values = json?.values ?? readLabelled(fields, said);
  const last = Object.keys(values ?? {}).at(-1);
  if (values === null || last === undefined || isMissing(fields, values)) return null;
  return cutAt(values, last, fields[last]!, json === null || cutTextIn(fields, said, json.values) !== null);
}
