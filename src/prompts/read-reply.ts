import { emptyValue } from './coerce.ts';
import type { Field, Fields, ReplyForm, ReplyOf } from './fields.ts';
import type { ToolCall } from './message.ts';
import { type ParsedReply, parseReply, withoutThinking } from './parse-reply.ts';

/** What a model has said. */
interface Said {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish: 'stop' | 'length';
}

const entriesOf = (fields: Fields, wanted: (field: Field) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => wanted(field)));

/** Text as it is, without thinking. One that was cut is not what the model wanted to say. */
function readPlain(fields: Fields, { text, finish }: Said): ParsedReply<Fields> {
  const said = withoutThinking(text);
  const [name] = Object.keys(fields);
  if (said === '') return { class: 'failed', problem: 'it was empty' };
  if (finish === 'length') return { class: 'failed', problem: 'it was cut off at its length limit; write less' };
  return { class: 'ok', reply: { [name!]: said } };
}

/** Tools that were called are the reply's actions; the text beside them may hold the other fields, and need not. */
function readCalls(fields: Fields, { text }: Said, calls: readonly ToolCall[]): ParsedReply<Fields> {
  const others = entriesOf(fields, ({ kind }) => kind !== 'actions');
  const optional = Object.fromEntries(
    Object.entries(others).map(([name, field]) => [name, { ...field, required: false }]),
  );
  const parsed = parseReply(optional, text, false);
  const empty = Object.fromEntries(Object.entries(others).map(([name, field]) => [name, emptyValue(field)]));
  const [first] = Object.keys(entriesOf(fields, ({ kind }) => kind === 'text'));
  const beside =
    parsed.class === 'failed' ? { ...empty, ...(first && { [first]: withoutThinking(text) }) } : parsed.reply;
  const actions = calls.map((call) => ({ tool: call.name, arguments: call.arguments }));
  const [name] = Object.keys(entriesOf(fields, ({ kind }) => kind === 'actions'));
  return { class: 'ok', reply: { ...beside, [name!]: actions } as ReplyOf<Fields> };
}

/** Words beside no call, where a reply need not call any: they are its first text. */
function readWords(fields: Fields, { text }: Said): ParsedReply<Fields> | null {
  const said = withoutThinking(text);
  const mustCall = Object.values(fields).some(({ kind, required }) => kind === 'actions' && required);
  return mustCall || said === '' ? null : readCalls(fields, { text: said, finish: 'stop' }, []);
}

/** Reads a reply in the form in which it was asked for. A model that could call tools and wrote them down is read, too. */
export function readReply<F extends Fields>(fields: F, form: ReplyForm, said: Said): ParsedReply<F> {
  const calls = said.toolCalls ?? [];
  const parsed =
    form === 'plain'
      ? readPlain(fields, said)
      : calls.length > 0
        ? readCalls(fields, said, calls)
        : parseReply(fields, said.text, said.finish === 'length');
  const words = form === 'tools' && parsed.class === 'failed' ? readWords(fields, said) : null;
  return (words ?? parsed) as ParsedReply<F> & { reply: ReplyOf<F> };
}
