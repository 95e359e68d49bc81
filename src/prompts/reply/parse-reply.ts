import { readCut } from './cut-reply.ts';
import type { Field, Fields, ReplyOf } from './fields.ts';
import { cutTextIn, type JsonReply, readJson, readWholeJson } from './json-reply.ts';
import { readLabelled } from './labelled-reply.ts';
import { coerce, emptyValue } from './values/coerce.ts';

/**
 * ok: as asked. repaired: readable after mending; `isCut`: it was cut off behind what is needed. failed: unusable, and
 * why; `partial`: what came of a reply that was cut within that. Never guessed.
 */
export type ParsedReply<F extends Fields> =
  | { readonly class: 'ok' | 'repaired'; readonly reply: ReplyOf<F>; readonly isCut?: true }
  | { readonly class: 'failed'; readonly problem: string; readonly partial?: ReplyOf<F> };

/** What some servers leave in the text: `<think>…</think>`, never closed, or only closed. */
const thinkTag = /<(\/?)think(?:ing)?>/gi;

/** A reply without the model's thinking. */
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

/** Colours and cursor movements; some models were trained on terminal sessions. */
const escapeSequence = /\u001b\[[0-9;?]{0,20}[@-~]/g;

/** Every field by its name, or what is wrong with one. */
type TypedFields = { readonly values: Record<string, unknown> } | { readonly problem: string };

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether items were given of which none could be read. A list that is said to be empty is just that. */
function isLost({ kind }: Field, items: unknown, given: unknown): boolean {
  if (!isEmptyList(items) || isEmptyList(given)) return false;
  return kind === 'questions' || (kind === 'findings' && Array.isArray(given));
}

/** Every field as its type, or the first problem found. */
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

/** Whether nothing follows a text that others should follow: it may have been cut there, so it is not as asked. */
function mayBeCut(fields: Fields, labelled: Readonly<Record<string, string>>): boolean {
  const last = Object.keys(labelled).at(-1)!;
  const { kind, required } = fields[last]!;
  return kind === 'text' && required && last !== Object.keys(fields).at(-1);
}

/** The readings of a reply, the likeliest first. JSON among other words comes after labels that do not announce it. */
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

/** Why a reply that reached its limit cannot be used. */
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
 * Reads a reply, as JSON or as labelled text, leniently; the result is strictly typed.
 * @param isCut whether the reply was stopped by its length limit: then nothing in it is trusted to be whole.
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
