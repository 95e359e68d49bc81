import { RlmError } from '../errors.ts';
import { asList, asObject, type Json } from './json.ts';
import { brokenReply } from './openai-errors.ts';
import type { OpenAiTarget } from './openai-target.ts';
import type { CallOptions, ModelReply } from './provider.ts';

/** A tool call as far as it has come. */
interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

/** A reply as far as it has come. */
interface Collected {
  text: string;
  /** Characters of the model's thinking. */
  thinking: number;
  refusal: string;
  finish: string | null;
  tokens: ModelReply['tokens'];
  readonly calls: OpenCall[];
  /** The calls that the server's numbers stand for now. */
  readonly byIndex: Map<unknown, OpenCall>;
}

/** Text, also where it comes as a list of parts; parts of thinking are none. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Servers name it differently; where they send both names, it is the same. */
const thinkingIn = ({ reasoning_content: first, reasoning: second }: Json): number =>
  textOf(first).length || textOf(second).length;

/** Whether a delta begins another call, going by its id, or by its name where the server numbers no calls. */
function beginsAnother({ index, id, function: called }: Json, known: OpenCall): boolean {
  if (typeof id === 'string' && id !== '') return known.id !== '' && known.id !== id;
  return index === undefined && Boolean(asObject(called)['name']) && known.name !== '';
}

/** The call that a delta goes on with. Some servers leave out the number, or give every call the same one. */
function callFor(collected: Collected, delta: Json): OpenCall {
  const { index } = delta;
  const known = index === undefined ? collected.calls.at(-1) : collected.byIndex.get(index);
  if (known !== undefined && !beginsAnother(delta, known)) return known;
  const call = { id: '', name: '', arguments: '' };
  collected.calls.push(call);
  collected.byIndex.set(index, call);
  return call;
}

function addCall(collected: Collected, delta: Json): void {
  const call = callFor(collected, delta);
  const { name, arguments: part } = asObject(delta['function']);
  if (typeof delta['id'] === 'string') call.id ||= delta['id'];
  if (typeof name === 'string') call.name ||= name;
  call.arguments += typeof part === 'string' ? part : part == null ? '' : JSON.stringify(part);
}

function addUsage(collected: Collected, usage: unknown): void {
  const { prompt_tokens: input, completion_tokens: output } = asObject(usage);
  if (typeof input === 'number') collected.tokens = { input, output: typeof output === 'number' ? output : 0 };
}

/** Only the first choice is read: no more are asked for. */
function addPart(collected: Collected, part: Json): void {
  const { delta, finish_reason: finish } = asObject(asList(part['choices'])[0]);
  const { content, refusal, tool_calls: calls, ...rest } = asObject(delta);
  collected.text += textOf(content);
  collected.thinking += thinkingIn(rest);
  collected.refusal += textOf(refusal);
  for (const call of asList(calls)) addCall(collected, asObject(call));
  if (typeof finish === 'string') collected.finish = finish;
  addUsage(collected, part['usage']);
}

const written = ({ calls }: Collected) =>
  calls.reduce((sum, { name, arguments: given }) => sum + name.length + given.length, 0);

/** Reads a reply to its end, keeping the model's thinking out of the text. */
export async function collectReply(parts: AsyncIterable<object>, onProgress: CallOptions['onProgress']) {
  const collected: Collected = {
    text: '',
    thinking: 0,
    refusal: '',
    finish: null,
    tokens: null,
    calls: [],
    byIndex: new Map(),
  };
  for await (const part of parts) {
    addPart(collected, asObject(part));
    onProgress?.(collected.text.length + collected.thinking + collected.refusal.length + written(collected));
  }
  return collected;
}

function withheld({ display, model }: OpenAiTarget, what: string): RlmError {
  return new RlmError('provider-failed', `${model} at ${display} gave no answer: ${what}`, {
    hint: 'Ask in other words, leave out the text that it objects to, or choose another model with --model.',
  });
}

/**
 * A reply that came to its end.
 * @param nextId makes ids for calls to which the server gave none.
 * @throws RlmError `provider-failed` when the server or the model refused to answer.
 */
export function toModelReply(collected: Collected, target: OpenAiTarget, nextId: () => string): ModelReply {
  const { text, refusal, finish, tokens, calls } = collected;
  if (finish === 'content_filter') throw withheld(target, 'its content filter stopped the reply');
  if (refusal !== '')
    throw withheld(target, `it refuses: ${target.redact(refusal).replace(/\s+/g, ' ').slice(0, 200)}`);
  if (finish === 'error' || finish === 'insufficient_system_resource') {
    throw brokenReply(target, `was given up by the server (${finish})`);
  }
  return {
    text,
    toolCalls: calls
      .filter(({ name }) => name !== '')
      .map(({ id, name, arguments: given }) => ({ id: id || nextId(), name, arguments: given })),
    tokens,
    finish: finish === 'length' || finish === 'max_tokens' ? 'length' : 'stop',
  };
}
