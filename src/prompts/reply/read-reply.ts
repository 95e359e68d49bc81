import type { AnswerSchema } from '../../schema/json-schema.ts';
import type { ToolCall } from '../prompt.ts';
import { coerce, emptyValue } from './coerce.ts';
import { toCall } from './coerce-parts.ts';
import type { Action, Field, Fields, ReplyForm, ReplyOf } from './fields.ts';
import {
  changedNumber,
  cutTextIn,
  type JsonReply,
  readAnyJson,
  readJson,
  readWholeJson,
  topLevelValues,
  tryParse,
} from './json-reply.ts';
import { fieldsByName, plainName, readLabelled, splitAbove, splitBelow } from './labelled-reply.ts';

/** Returns the complete sentences at the start of a text, with their citation marks. */
function wholeSentences(text: string): string {
  const end = /^[\s\S]*[.!?。！？](?:[ \t]*\[[\w, ]{1,80}\])*(?=\s|$)/.exec(text);
  return end?.[0].trim() ?? '';
}

/** Removes the incomplete end of the last field; null if that field is required and becomes unusable. */
function cutAt(values: Readonly<Record<string, unknown>>, last: string, field: Field, isTextCut: boolean) {
  const { required, kind } = field;
  const kept = Array.isArray(values[last]) ? values[last].slice(0, -1) : '';
  if (!required) return { values: { ...values, [last]: kept }, isWhole: true };
  if (kind !== 'text') return null;
  if (!isTextCut) return { values, isWhole: true };
  const whole = wholeSentences(String(values[last]));
  return whole === '' ? null : { values: { ...values, [last]: whole }, isWhole: false };
}

function readCut(fields: Fields, said: string, json: JsonReply | null) {
  const values = json?.values ?? readLabelled(fields, said);
  const last = Object.keys(values ?? {}).at(-1);
  if (values === null || last === undefined) return null;
  if (Object.entries(fields).some(([name, { required }]) => required && !(name in values))) return null;
  return cutAt(values, last, fields[last]!, json === null || cutTextIn(fields, said, json.values) !== null);
}

/**
 * ok: the reply was parsed as it is. repaired: it was parsed after a repair, or it may be incomplete; `isCut`: it was
 * cut off after the required fields. failed: it is unusable because of `problem`; `partial`: the usable part of a reply
 * that was cut off.
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

/** Matches the terminal codes for colours and cursor movements, which some models write. */
const escapeSequence = /\u001b\[[0-9;?]{0,20}[@-~]/g;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether none of the given questions or findings could be read. */
const isLost = ({ kind }: Field, items: unknown, given: unknown): boolean =>
  isEmptyList(items) && !isEmptyList(given) && (kind === 'questions' || (kind === 'findings' && Array.isArray(given)));

function typedFields(fields: Fields, raw: Readonly<Record<string, unknown>>) {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = name in raw ? coerce(field, raw[name]) : undefined;
    const isEmpty = value === undefined || isLost(field, value, raw[name]);
    if (isEmpty && field.required)
      return { problem: `"${name}" (${field.label}) ${name in raw ? 'cannot be read' : 'is missing'}` };
    values[name] = value ?? emptyValue(field);
  }
  return { values };
}

/** Whether a label only announces JSON: its value begins like JSON. */
const announcesJson = (values: Readonly<Record<string, string>>) =>
  Object.values(values).some((value) => /^\s*(?:```[\w-]*\s*)?[{[]\s*["{[]/.test(value));

/** Whether the last text may have been cut off, since the fields that should follow it are missing. */
function mayBeCut(fields: Fields, labelled: Readonly<Record<string, string>>): boolean {
  const last = Object.keys(labelled).at(-1)!;
  const { kind, required } = fields[last]!;
  return kind === 'text' && required && last !== Object.keys(fields).at(-1);
}

function readings(fields: Fields, said: string, json: JsonReply | null, isCut: boolean) {
  const labelled = isCut ? null : readLabelled(fields, said);
  const asJson = json ? [{ read: typedFields(fields, json.values), isMended: json.mended }] : [];
  const asLabels = labelled ? [{ read: typedFields(fields, labelled), isMended: mayBeCut(fields, labelled) }] : [];
  const labelsFirst = json?.embedded === true && labelled !== null && !announcesJson(labelled);
  return labelsFirst ? [...asLabels, ...asJson] : [...asJson, ...asLabels];
}

const neither = 'it is neither JSON nor labelled text';
const cutProblem = 'it was cut off at its length limit; write less';

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
 * Parses a reply as JSON or labelled text, leniently.
 * @param isCut whether the length limit ended the reply.
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
  for (const { read, isMended } of found)
    if ('values' in read) return { class: isMended ? 'repaired' : 'ok', reply: read.values as ReplyOf<F> };
  const first = found[0]?.read;
  return { class: 'failed', problem: first && 'problem' in first ? first.problem : neither };
}

/** Reads a reply as JSON of the user's schema, and returns the JSON as the first field. */
export function readForm<F extends Fields>(
  fields: F,
  schema: AnswerSchema,
  { text, finish }: RawReply,
): ParsedReply<F> {
  // A reply that is valid JSON contains no thinking, but a string in it may contain a thinking tag.
  const said = tryParse(text) === undefined ? withoutThinking(text) : text;
  const found = readAnyJson(said);
  if (found === null) return { class: 'failed', problem: finish === 'length' ? cutProblem : 'it is no JSON' };
  if (found.isMended && finish === 'length') return { class: 'failed', problem: cutProblem };
  const changed = changedNumber(said);
  if (changed !== null) return { class: 'failed', problem: `the number ${changed.slice(0, 40)} would lose digits` };
  const value = schema.unwrap(found.value);
  const problem = schema.problemOf(value);
  if (problem !== null) return { class: 'failed', problem: `it does not conform to the form: ${problem}` };
  const [name] = Object.keys(fields);
  return { class: found.isMended ? 'repaired' : 'ok', reply: { [name!]: JSON.stringify(value) } as ReplyOf<F> };
}

/** Maximum number of characters kept of a reply without a call. A longer reply tends to repeat itself. */
const longestWords = 1_000;

interface RawReply {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish: 'stop' | 'length';
}

const nameOf = (fields: Fields, wanted: Field['kind']): string | undefined =>
  Object.entries(fields).find(([, { kind }]) => kind === wanted)?.[0];

function readVerbatim(name: string, { text, finish }: RawReply): ParsedReply<Fields> {
  const said = withoutThinking(text);
  if (said === '') return { class: 'failed', problem: 'it was empty' };
  if (finish === 'length') return { class: 'failed', problem: cutProblem };
  return { class: 'ok', reply: { [name]: said } };
}

/** Whether a text is JSON that has the field, or that cannot be an answer because it is empty or reports an error. */
function isReplyJson(said: string, name: string): boolean {
  const value = tryParse(said);
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === 0 || 'error' in value || name in value;
}

/** Whether a reply is JSON or begins with a label, although plain text was requested. */
function hasForm(fields: Fields, said: string): boolean {
  const [name] = Object.keys(fields);
  if (new RegExp(`\\{\\s{0,9}"${name}"\\s{0,9}:`).test(said) || isReplyJson(said, name!)) return true;
  const label = /^[\s*_#`]*([\p{L} -]{1,30}?)[\s*_`]*[:：]/u.exec(said.slice(0, 60))?.[1];
  return label !== undefined && fieldsByName({ [name!]: fields[name!]! }).has(plainName(label));
}

function readBelow(fields: Fields, below: string): Record<string, unknown> {
  const raw = below === '' ? {} : (readLabelled(fields, below) ?? {});
  const entryOf = (name: string, field: Field) => [name, coerce(field, raw[name]) ?? emptyValue(field)];
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => entryOf(name, field)));
}

/** Reads an answer that follows the other fields instead of preceding them. */
function readBelowLabels(fields: Fields, others: Fields, said: RawReply): ParsedReply<Fields> {
  const [name] = Object.keys(fields);
  const { labels, rest } = splitAbove(others, said.text);
  const told = readBelow(others, labels);
  if (rest === '') return { class: 'ok', reply: { ...told, [name!]: '' } as ReplyOf<Fields> };
  const read = readProse({ [name!]: fields[name!]! }, { ...said, text: rest });
  return read.class === 'failed' ? read : { ...read, reply: { ...read.reply, ...told } as ReplyOf<Fields> };
}

function readProse(fields: Fields, said: RawReply): ParsedReply<Fields> {
  const text = withoutThinking(said.text);
  if (hasForm(fields, text)) return parseReply(fields, said.text, said.finish === 'length');
  const [name] = Object.keys(fields);
  const { [name!]: _, ...others } = fields;
  const { above, below } = splitBelow(others, text);
  const replyOf = (answer: string) => ({ ...readBelow(others, below), [name!]: answer }) as ReplyOf<Fields>;
  if (above === '' && below !== '') return readBelowLabels(fields, others, { ...said, text: below });
  // If the reply was cut below the answer, the answer is whole.
  const read = readVerbatim(name!, { ...said, text: above, finish: below === '' ? said.finish : 'stop' });
  if (read.class !== 'failed') return { class: 'ok', reply: replyOf(above) };
  const whole = wholeSentences(above);
  return whole === '' ? read : { ...read, partial: replyOf(whole) };
}

function readChoice(name: string, field: Field, said: RawReply): ParsedReply<Fields> {
  const chosen = coerce(field, withoutThinking(said.text));
  if (chosen !== undefined) return { class: 'ok', reply: { [name]: chosen } as ReplyOf<Fields> };
  const parsed = parseReply({ [name]: field }, said.text, said.finish === 'length');
  if (parsed.class !== 'failed' || field.required) return parsed;
  return { class: 'ok', reply: { [name]: emptyValue(field) } as ReplyOf<Fields> };
}

function readPlain(fields: Fields, said: RawReply): ParsedReply<Fields> {
  const [name, ...others] = Object.keys(fields);
  const field = fields[name!]!;
  if (others.length === 0 && field.kind === 'choice') return readChoice(name!, field, said);
  return others.length === 0 ? readVerbatim(name!, said) : readProse(fields, said);
}

/** Reads called tools as the reply's actions; the text besides the calls may contain the other fields. */
function readCalls(fields: Fields, text: string, actions: readonly Action[]): ParsedReply<Fields> {
  const others = Object.entries(fields).filter(([, { kind }]) => kind !== 'actions');
  const optional = Object.fromEntries(others.map(([name, field]) => [name, { ...field, required: false }]));
  const parsed = parseReply(optional, text, false);
  const empty = Object.fromEntries(others.map(([name, field]) => [name, emptyValue(field)]));
  const first = nameOf(fields, 'text');
  const said =
    parsed.class === 'failed' ? { ...empty, ...(first && { [first]: withoutThinking(text) }) } : parsed.reply;
  return { class: 'ok', reply: { ...said, [nameOf(fields, 'actions')!]: actions } as ReplyOf<Fields> };
}

/** Reads calls that the text contains as JSON: small models often write a call instead of using the tool interface. */
function readWrittenCalls(fields: Fields, { text }: RawReply): ParsedReply<Fields> | null {
  const said = withoutThinking(text);
  const written = topLevelValues(said).closed.filter((json) => toCall(tryParse(json)) !== null);
  const rest = written.reduce((words, json) => words.replace(json, ''), said);
  const words = rest.replace(/<\/?tool_call>|^[ \t]*```.*$/gm, '').trim();
  const actions = written.flatMap((json) => toCall(tryParse(json)) ?? []);
  return actions.length === 0 ? null : readCalls(fields, words, actions);
}

function readWords(fields: Fields, { text }: RawReply): ParsedReply<Fields> | null {
  const said = withoutThinking(text).slice(0, longestWords).toWellFormed();
  const mustCall = Object.values(fields).some(({ kind, required }) => kind === 'actions' && required);
  return mustCall || said === '' ? null : readCalls(fields, said, []);
}

function readToolReply(fields: Fields, said: RawReply): ParsedReply<Fields> {
  const calls = (said.toolCalls ?? []).map((call) => ({ tool: call.name, arguments: call.arguments }));
  if (calls.length > 0) return readCalls(fields, said.text, calls);
  const parsed = parseReply(fields, said.text, said.finish === 'length');
  if (parsed.class !== 'failed' && (parsed.reply[nameOf(fields, 'actions')!] as readonly Action[]).length > 0)
    return parsed;
  const written = readWrittenCalls(fields, said);
  return written ?? (parsed.class === 'failed' ? (readWords(fields, said) ?? parsed) : parsed);
}

/** Parses a reply in the requested form. */
export function readReplyInForm<F extends Fields>(fields: F, form: ReplyForm, said: RawReply): ParsedReply<F> {
  if (form === 'plain') return readPlain(fields, said) as ParsedReply<F>;
  if (form === 'tools' || said.toolCalls?.length) return readToolReply(fields, said) as ParsedReply<F>;
  return parseReply(fields, said.text, said.finish === 'length');
}

/** Matches an incomplete tag at the end of a text. It may become a thinking tag. */
const openTag = /<\/?[a-z]{0,8}$/i;
/** Matches the beginning of JSON, fenced or not, or an empty reply. */
const json = /^(?:`{3}(?:json)?\s*)?(?:\{|\[\s*[{"]|$)/;
/** Matches the beginning of labelled text: `ANSWER:`. */
const label = /^[*_#` ]{0,9}\p{Lu}[\p{Lu} -]{2,29}[*_` ]{0,9}[:：]/u;

/** Matches the last line while it may still become a label. */
const openLabel = /\n[ \t*_#`]{0,9}[\p{Lu} ]{0,30}$/u;

/** Returns the part of an unfinished prose reply that can be shown, without thinking or labelled fields. */
export function proseSoFar(text: string, below: Fields): string {
  const said = withoutThinking(text.replace(openTag, ''));
  if (json.test(said) || label.test(said)) return '';
  const { above, below: rest } = splitBelow(below, said);
  return rest === '' && Object.keys(below).length > 0 ? said.replace(openLabel, '') : above;
}
