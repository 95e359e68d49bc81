/** Parses replies that are JSON or labelled text, also where they were cut off. */
import type { AnswerSchema } from '../../schema/json-schema.ts';
import { coerce, emptyValue } from './coerce.ts';
import type { Field, Fields, ReplyOf } from './fields.ts';
import { cutTextIn, type JsonReply, readAnyJson, readJson, readWholeJson } from './json-reply.ts';
import { readLabelled } from './labelled-reply.ts';

/** The usable fields of a reply that was cut off. */
interface CutReply {
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
function readCut(fields: Fields, said: string, json: JsonReply | null): CutReply | null {
  const values = json?.values ?? readLabelled(fields, said);
  const last = Object.keys(values ?? {}).at(-1);
  if (values === null || last === undefined || isMissing(fields, values)) return null;
  return cutAt(values, last, fields[last]!, json === null || cutTextIn(fields, said, json.values) !== null);
}

/**
 * ok: in the requested form. repaired: parsed after a repair; `isCut`: it was cut off after the required fields.
 * failed: unusable, with the problem; `partial`: the usable part of a reply that was cut off earlier. Values are never
 * guessed.
 */
export type ParsedReply<F extends Fields> =
  | { readonly class: 'ok' | 'repaired'; readonly reply: ReplyOf<F>; readonly isCut?: true }
  | { readonly class: 'failed'; readonly problem: string; readonly partial?: ReplyOf<F> };

/** Matches the thinking tags that some servers leave in the text, possibly unpaired. */
const thinkTag = /<(\/?)think(?:ing)?>/gi;

/** Returns a reply without the model's thinking. */
export function withoutThinking(text: string): string {
  const said: string[] = [];
  let isThinking = false;
  let from = 0;
  for (const { 0: tag, 1: slash, index } of text.matchAll(thinkTag)) {
    if (slash === '') {
      if (!isThinking) said.push(text.slice(from, index));
      isThinking = true;
    } else {
      if (!isThinking) said.length = 0;
      isThinking = false;
      from = index + tag.length;
    }
  }
  if (!isThinking) said.push(text.slice(from));
  return said.join('').trim();
}

/** Matches colours and cursor movements; some models were trained on terminal sessions. */
const escapeSequence = /\u001b\[[0-9;?]{0,20}[@-~]/g;

/** Every field by its name, or the problem with one. */
type TypedFields = { readonly values: Record<string, unknown> } | { readonly problem: string };

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether none of the given items could be read. A list that is given as empty is not lost. */
function isLost({ kind }: Field, items: unknown, given: unknown): boolean {
  if (!isEmptyList(items) || isEmptyList(given)) return false;
  return kind === 'questions' || (kind === 'findings' && Array.isArray(given));
}

/** Converts every field to its type, or returns the first problem. */
function typedFields(fields: Fields, raw: Readonly<Record<string, unknown>>): TypedFields {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = name in raw ? coerce(field, raw[name]) : undefined;
    const isEmpty = value === undefined || isLost(field, value, raw[name]);
    if (isEmpty && field.required) {
      return {
        problem: name in raw ? `"${name}" (${field.label}) cannot be read` : `"${name}" (${field.label}) is missing`,
      };
    }
    values[name] = value ?? emptyValue(field);
  }
  return { values };
}

/** Whether a label's value is the JSON that follows it, so that the label is only an announcement. */
const announcesJson = (values: Readonly<Record<string, string>>) =>
  Object.values(values).some((value) => /^\s*(?:```[\w-]*\s*)?[{[]\s*["{[]/.test(value));

/** Whether the last text may have been cut off, since the fields that should follow it are missing. */
function mayBeCut(fields: Fields, labelled: Readonly<Record<string, string>>): boolean {
  const last = Object.keys(labelled).at(-1)!;
  const { kind, required } = fields[last]!;
  return kind === 'text' && required && last !== Object.keys(fields).at(-1);
}

/**
 * Returns the readings of a reply, the likeliest first. JSON within other text comes after labels that do not announce
 * it.
 */
function readings(
  fields: Fields,
  said: string,
  json: JsonReply | null,
  isCut: boolean,
): { read: TypedFields; isMended: boolean }[] {
  const labelled = isCut ? null : readLabelled(fields, said);
  const asJson = json ? [{ read: typedFields(fields, json.values), isMended: json.mended }] : [];
  const asLabels = labelled ? [{ read: typedFields(fields, labelled), isMended: mayBeCut(fields, labelled) }] : [];
  const labelsFirst = json?.embedded === true && labelled !== null && !announcesJson(labelled);
  return labelsFirst ? [...asLabels, ...asJson] : [...asJson, ...asLabels];
}

/** The problem of a reply that reached its length limit. */
export const cutProblem = 'it was cut off at its length limit; write less';

function fromCut<F extends Fields>(fields: F, said: string, json: JsonReply | null): ParsedReply<F> {
  const cut = readCut(fields, said, json);
  const typed = cut && typedFields(fields, cut.values);
  if (typed === null || 'problem' in typed) return { class: 'failed', problem: cutProblem };
  const reply = typed.values as ReplyOf<F>;
  return cut!.isWhole
    ? { class: 'repaired', reply, isCut: true }
    : { class: 'failed', problem: cutProblem, partial: reply };
}

/**
 * Parses a reply as JSON or labelled text, leniently; the result is strictly typed.
 * @param isCut whether the length limit ended the reply, so that any part of it may be incomplete.
 */
export function parseReply<F extends Fields>(fields: F, text: string, isCut: boolean): ParsedReply<F> {
  const whole = readWholeJson(fields, text);
  const asAsked = whole ? typedFields(fields, whole.values) : null;
  if (asAsked && 'values' in asAsked) return { class: 'ok', reply: asAsked.values as ReplyOf<F> };
  const said = whole ? text.trim() : withoutThinking(text.replace(escapeSequence, ''));
  if (said === '')
    return { class: 'failed', problem: text.trim() === '' ? 'it was empty' : 'it held nothing but thinking' };
  const json = whole ?? readJson(fields, said);
  if (isCut && (json === null || json.mended)) return fromCut(fields, said, json);
  const cutField = json?.mended ? cutTextIn(fields, said, json.values) : null;
  if (cutField !== null) return { class: 'failed', problem: `it breaks off in the middle of "${cutField}"` };
  const found = readings(fields, said, json, isCut);
  for (const { read, isMended } of found) {
    if ('values' in read) return { class: isMended ? 'repaired' : 'ok', reply: read.values as ReplyOf<F> };
  }
  const [first] = found;
  return {
    class: 'failed',
    problem: first && 'problem' in first.read ? first.read.problem : 'it is neither JSON nor labelled text',
  };
}

/**
 * Reads a reply that is JSON of the user's schema, which becomes its first field. A value within other text is
 * extracted, and broken JSON repaired; a value that does not conform makes the reply unusable, with the reason.
 */
export function readForm<F extends Fields>(
  fields: F,
  schema: AnswerSchema,
  { text, finish }: { readonly text: string; readonly finish: 'stop' | 'length' },
): ParsedReply<F> {
  const found = readAnyJson(withoutThinking(text));
  if (found === null) return { class: 'failed', problem: finish === 'length' ? cutProblem : 'it is no JSON' };
  if (found.isMended && finish === 'length') return { class: 'failed', problem: cutProblem };
  const value = schema.unwrap(found.value);
  const problem = schema.problemOf(value);
  if (problem !== null) return { class: 'failed', problem: `it does not conform to the form: ${problem}` };
  const [name] = Object.keys(fields);
  return { class: found.isMended ? 'repaired' : 'ok', reply: { [name!]: JSON.stringify(value) } as ReplyOf<F> };
}
