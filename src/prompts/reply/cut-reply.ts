/** What is left of a reply that was cut off: by its length limit, or since the model fell silent. */
import type { Field, Fields } from './fields.ts';
import { cutTextIn, type JsonReply } from './json-reply.ts';
import { readLabelled } from './labelled-reply.ts';

/** Fields of a reply that was cut off. */
export interface CutReply {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether all that is needed came whole; else a needed text ends with its last whole sentence. */
  readonly isWhole: boolean;
}

/** As far as whole sentences go, with the marks behind them; empty where there is none. */
export function wholeSentences(text: string): string {
  const end = /^[\s\S]*[.!?。！？](?:[ \t]*\[[\w, ]{1,80}\])*(?=\s|$)/.exec(text);
  return end?.[0].trim() ?? '';
}

/** A list without its last item, and a text as nothing: the cut is in there. */
const withoutEnd = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, -1) : '');

const isMissing = (fields: Fields, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(fields).some(([name, { required }]) => required && !(name in values));

/** @param isTextCut whether the last field, which is a needed text, was cut. */
function cutAt(values: Readonly<Record<string, unknown>>, last: string, field: Field, isTextCut: boolean) {
  const { required, kind } = field;
  if (!required) return { values: { ...values, [last]: withoutEnd(values[last]) }, isWhole: true };
  if (kind !== 'text') return null;
  if (!isTextCut) return { values, isWhole: true };
  const whole = wholeSentences(String(values[last]));
  return whole === '' ? null : { values: { ...values, [last]: whole }, isWhole: false };
}

/**
 * The fields of a reply that was cut off, where those that are needed are among them; null where they are not.
 * @param json the reply as JSON that was mended, or null where it is none.
 */
export function readCut(fields: Fields, said: string, json: JsonReply | null): CutReply | null {
  const values = json?.values ?? readLabelled(fields, said);
  const last = Object.keys(values ?? {}).at(-1);
  if (values === null || last === undefined || isMissing(fields, values)) return null;
  return cutAt(values, last, fields[last]!, json === null || cutTextIn(fields, said, json.values) !== null);
}
