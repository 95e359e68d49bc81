import type { ToolCall } from '../prompt.ts';
import { coerce, emptyValue } from './coerce.ts';
import { toCall } from './coerce-parts.ts';
import type { Action, Field, Fields, ReplyForm, ReplyOf } from './fields.ts';
import { topLevelValues, tryParse } from './json-reply.ts';
import { fieldsByName, plainName, readLabelled, splitBelow } from './labelled-reply.ts';
import { cutProblem, type ParsedReply, parseReply, wholeSentences, withoutThinking } from './parse-reply.ts';

/**
 * Characters that are kept of words without a call: the rest of a reply that repeats itself until its limit is
 * useless.
 */
const longestWords = 1_000;

/** An unparsed reply. */
interface RawReply {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish: 'stop' | 'length';
}

const entriesOf = (fields: Fields, wanted: (field: Field) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => wanted(field)));

/** Reads text verbatim, without thinking. A text that was cut off is unusable. */
function readVerbatim(name: string, { text, finish }: RawReply): ParsedReply<Fields> {
  const said = withoutThinking(text);
  if (said === '') return { class: 'failed', problem: 'it was empty' };
  if (finish === 'length') return { class: 'failed', problem: cutProblem };
  return { class: 'ok', reply: { [name]: said } };
}

/** Whether a text is JSON that has the field, or is no answer: it is empty, or reports an error instead. */
function isReplyJson(said: string, name: string): boolean {
  const value = tryParse(said);
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === 0 || 'error' in value || name in value;
}

/**
 * Whether a reply has a form although none was requested: it contains its first field as JSON, or begins with its
 * label.
 */
function hasForm(fields: Fields, said: string): boolean {
  const [name] = Object.keys(fields);
  if (new RegExp(`\\{\\s{0,9}"${name}"\\s{0,9}:`).test(said) || isReplyJson(said, name!)) return true;
  const label = /^[\s*_#`]*([\p{L} -]{1,30}?)[\s*_`]*[:：]/u.exec(said.slice(0, 60))?.[1];
  return label !== undefined && fieldsByName({ [name!]: fields[name!]! }).has(plainName(label));
}

/** Reads the fields below an answer in prose; those that are missing or unreadable have their empty value. */
function readBelow(fields: Fields, below: string): Record<string, unknown> {
  const raw = below === '' ? {} : (readLabelled(fields, below) ?? {});
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, coerce(field, raw[name]) ?? emptyValue(field)]),
  );
}

/** Reads an answer in prose, and the fields below it. If it was cut off, its complete sentences are usable. */
function readProse(fields: Fields, said: RawReply): ParsedReply<Fields> {
  const text = withoutThinking(said.text);
  if (hasForm(fields, text)) return parseReply(fields, said.text, said.finish === 'length');
  const [name] = Object.keys(fields);
  const { [name!]: _, ...others } = fields;
  const { above, below } = splitBelow(others, text);
  const replyOf = (answer: string) => ({ ...readBelow(others, below), [name!]: answer }) as ReplyOf<Fields>;
  // A reply that was cut off below its answer is whole as far as it matters.
  if (above === '' && below !== '') return { class: 'ok', reply: replyOf('') };
  const read = readVerbatim(name!, { ...said, text: above, finish: below === '' ? said.finish : 'stop' });
  if (read.class !== 'failed') return { class: 'ok', reply: replyOf(above) };
  const whole = wholeSentences(above);
  return whole === '' ? read : { ...read, partial: replyOf(whole) };
}

/** Reads a choice in one or two words, or with its name; the last option where the choice is optional and missing. */
function readChoice(name: string, field: Field, said: RawReply): ParsedReply<Fields> {
  const chosen = coerce(field, withoutThinking(said.text));
  if (chosen !== undefined) return { class: 'ok', reply: { [name]: chosen } as ReplyOf<Fields> };
  const parsed = parseReply({ [name]: field }, said.text, said.finish === 'length');
  if (parsed.class !== 'failed' || field.required) return parsed;
  return { class: 'ok', reply: { [name]: emptyValue(field) } as ReplyOf<Fields> };
}

/** Reads a reply without a requested form: code or a single field is taken verbatim. */
function readPlain(fields: Fields, said: RawReply): ParsedReply<Fields> {
  const [name, ...others] = Object.keys(fields);
  const field = fields[name!]!;
  if (others.length === 0 && field.kind === 'choice') return readChoice(name!, field, said);
  return others.length === 0 ? readVerbatim(name!, said) : readProse(fields, said);
}

/** Reads called tools as the reply's actions; the text besides them may contain the other fields. */
function readCalls(fields: Fields, text: string, actions: readonly Action[]): ParsedReply<Fields> {
  const others = entriesOf(fields, ({ kind }) => kind !== 'actions');
  const optional = Object.fromEntries(
    Object.entries(others).map(([name, field]) => [name, { ...field, required: false }]),
  );
  const parsed = parseReply(optional, text, false);
  const empty = Object.fromEntries(Object.entries(others).map(([name, field]) => [name, emptyValue(field)]));
  const [first] = Object.keys(entriesOf(fields, ({ kind }) => kind === 'text'));
  const beside =
    parsed.class === 'failed' ? { ...empty, ...(first && { [first]: withoutThinking(text) }) } : parsed.reply;
  const [name] = Object.keys(entriesOf(fields, ({ kind }) => kind === 'actions'));
  return { class: 'ok', reply: { ...beside, [name!]: actions } as ReplyOf<Fields> };
}

/** Reads calls that the text contains as JSON: small models write them instead of making them. */
function readWrittenCalls(fields: Fields, { text }: RawReply): ParsedReply<Fields> | null {
  const said = withoutThinking(text);
  const written = topLevelValues(said).closed.filter((json) => toCall(tryParse(json)) !== null);
  const rest = written.reduce((words, json) => words.replace(json, ''), said);
  const words = rest.replace(/<\/?tool_call>|^[ \t]*```.*$/gm, '').trim();
  const actions = written.flatMap((json) => toCall(tryParse(json)) ?? []);
  return actions.length === 0 ? null : readCalls(fields, words, actions);
}

/** Reads words without a call as the first text, where a call is optional. */
function readWords(fields: Fields, { text }: RawReply): ParsedReply<Fields> | null {
  const said = withoutThinking(text).slice(0, longestWords).toWellFormed();
  const mustCall = Object.values(fields).some(({ kind, required }) => kind === 'actions' && required);
  return mustCall || said === '' ? null : readCalls(fields, said, []);
}

/** Reads a reply of a model that could call tools: it called them, wrote the calls as text, or said something else. */
function readToolReply(fields: Fields, said: RawReply): ParsedReply<Fields> {
  const calls = (said.toolCalls ?? []).map((call) => ({ tool: call.name, arguments: call.arguments }));
  if (calls.length > 0) return readCalls(fields, said.text, calls);
  const parsed = parseReply(fields, said.text, said.finish === 'length');
  const [actions] = Object.keys(entriesOf(fields, ({ kind }) => kind === 'actions'));
  if (parsed.class !== 'failed' && (parsed.reply[actions!] as readonly Action[]).length > 0) return parsed;
  const written = readWrittenCalls(fields, said);
  return written ?? (parsed.class === 'failed' ? (readWords(fields, said) ?? parsed) : parsed);
}

/** Parses a reply in the requested form. Tool calls that are written as text are read too. */
export function readReplyInForm<F extends Fields>(fields: F, form: ReplyForm, said: RawReply): ParsedReply<F> {
  const read =
    form === 'plain'
      ? readPlain(fields, said)
      : (said.toolCalls ?? []).length > 0 || form === 'tools'
        ? readToolReply(fields, said)
        : parseReply(fields, said.text, said.finish === 'length');
  return read as ParsedReply<F> & { reply: ReplyOf<F> };
}

/** Matches an incomplete tag at the end, which may begin thinking. */
const openTag = /<\/?[a-z]{0,8}$/i;
/** Matches the beginning of JSON, fenced or not, or an empty reply. */
const json = /^(?:`{3}(?:json)?\s*)?(?:\{|\[\s*[{"]|$)/;
/** Matches the beginning of labelled text: `ANSWER:`. */
const label = /^[*_#` ]{0,9}\p{Lu}[\p{Lu} -]{2,29}[*_` ]{0,9}[:：]/u;

/** Matches the last line while it may still become a label. */
const openLabel = /\n[ \t*_#`]{0,9}[\p{Lu} ]{0,30}$/u;

/**
 * Returns the part of an unfinished reply in prose that can be shown: without thinking and the labelled fields below
 * it, and empty where the reply seems to have a form although none was requested.
 * @param below the fields that the prompt asks for below the text.
 */
export function proseSoFar(text: string, below: Fields): string {
  const said = withoutThinking(text.replace(openTag, ''));
  if (json.test(said) || label.test(said)) return '';
  const { above, below: rest } = splitBelow(below, said);
  return rest === '' && Object.keys(below).length > 0 ? said.replace(openLabel, '') : above;
}
