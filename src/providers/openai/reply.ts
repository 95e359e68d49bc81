import { RlmError } from '../../errors.ts';
import type { CallOptions, ModelReply, ModelRequest, TokenOdds } from '../provider.ts';
import { clean } from '../wire/http-errors.ts';
import { asList, asObject, type Json } from '../wire/json.ts';
import { callsIn, onlyThought, readOdds } from '../wire/reply-parts.ts';
import { brokenReply } from './errors.ts';
import type { OpenAiTarget } from './target.ts';

/** A tool call that is still arriving. */
interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

/** A reply that is still arriving. */
interface Collected {
  text: string;
  /** Characters of the model's thinking. */
  thinking: number;
  refusal: string;
  finish: string | null;
  tokens: ModelReply['tokens'];
  readonly odds: TokenOdds[];
  readonly calls: OpenCall[];
  /** The current calls by the server's index. */
  readonly byIndex: Map<unknown, OpenCall>;
}

/** Returns text, also from a list of parts; parts with thinking are ignored. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Returns the characters of thinking. Servers use two names for it; where both are sent, they are equal. */
const thinkingIn = ({ reasoning_content: first, reasoning: second }: Json): number =>
  textOf(first).length || textOf(second).length;

/** Whether a delta begins another call, by its id, or by its name where the server sends no index. */
function beginsAnother({ index, id, function: called }: Json, known: OpenCall): boolean {
  if (typeof id === 'string' && id !== '') return known.id !== '' && known.id !== id;
  return index === undefined && Boolean(asObject(called)['name']) && known.name !== '';
}

/** Returns the call that a delta continues. Some servers omit the index, or give every call the same one. */
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
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = asObject(usage);
  if (typeof input !== 'number') return;
  const { cached_tokens: cacheRead } = asObject(details);
  const cached = typeof cacheRead === 'number' ? { cacheRead } : {};
  collected.tokens = { input, output: typeof output === 'number' ? output : 0, ...cached };
}

/** Adds a part; only the first choice is read, since no more are requested. */
function addPart(collected: Collected, part: Json): void {
  const { delta, finish_reason: finish, logprobs } = asObject(asList(part['choices'])[0]);
  const { content, refusal, tool_calls: calls, ...rest } = asObject(delta);
  collected.text += textOf(content);
  const thinking = thinkingIn(rest);
  collected.thinking += thinking;
  if (thinking === 0) collected.odds.push(...readOdds(asObject(logprobs)['content']));
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
    odds: [],
    calls: [],
    byIndex: new Map(),
  };
  for await (const part of parts) {
    addPart(collected, asObject(part));
    const characters = collected.text.length + collected.thinking + collected.refusal.length + written(collected);
    onProgress?.(characters, collected.text);
  }
  return collected;
}

function withheld({ display, model }: OpenAiTarget, what: string): RlmError {
  return new RlmError('provider-failed', `${model} at ${display} gave no answer: ${what}`, {
    hint: 'Ask in other words, leave out the text that it objects to, or choose another model with --model.',
  });
}

/** Returns the tool calls, where tools were offered; calls without ids get new ones. */
function toolCallsOf({ calls }: Collected, { messages, tools }: ModelRequest): ModelReply['toolCalls'] {
  const named = tools.length === 0 ? [] : calls.filter(({ name }) => name !== '');
  const earlier = callsIn(messages);
  return named.map(({ id, ...call }, index) => ({ id: id || `call_${earlier + index + 1}`, ...call }));
}

/**
 * Converts a complete reply.
 * @throws RlmError `provider-failed` when the server or the model refused to answer, `reply-unusable` when nothing but
 *   thinking came before the limit of the reply.
 */
export function toModelReply(collected: Collected, request: ModelRequest, target: OpenAiTarget): ModelReply {
  const { text, refusal, finish: reason, tokens, odds, thinking } = collected;
  if (reason === 'content_filter') throw withheld(target, 'its content filter stopped the reply');
  if (refusal !== '') throw withheld(target, `it refuses: ${clean(target.redact(refusal))}`);
  if (reason === 'error' || reason === 'insufficient_system_resource') {
    throw brokenReply(target, `was given up by the server (${reason})`);
  }
  const toolCalls = toolCallsOf(collected, request);
  const finish = reason === 'length' || reason === 'max_tokens' ? 'length' : 'stop';
  const hasThought = thinking > 0 || (tokens?.output ?? 0) >= request.maxOutputTokens;
  if (finish === 'length' && hasThought && text.trim() === '' && toolCalls.length === 0) {
    throw onlyThought(target.model, request);
  }
  return { text, toolCalls, ...(odds.length > 0 && { logprobs: odds }), tokens, finish };
}
