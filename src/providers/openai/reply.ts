import { RlmError } from '../../errors.ts';
import type { CallOptions, ModelReply, ModelRequest, TokenOdds } from '../provider.ts';
import { withAnswer } from '../thinking.ts';
import type { HttpResponse } from '../wire/http.ts';
import { clean } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import { readOdds, withIds } from '../wire/reply-parts.ts';
import { brokenReply } from '../wire/server-errors.ts';
import { readEvents } from '../wire/stream.ts';
import { fromOpenAiBody, isErrorBody, type OpenAiTarget, otherThan } from './target.ts';

/** Returns the objects of an event: one, or one per line if the server omits the blank lines between events. */
function objectsOf(data: string): (Json | null)[] {
  const value = parseObject(data);
  return value === null && data.includes('\n') ? data.split('\n').map(parseObject) : [value];
}

/** Turns an unstreamed reply into a single part of a stream. Returns other objects unchanged. */
function asPart(value: Json): Json {
  const choices = asList(value['choices']).map(asObject);
  if (!choices.some((choice) => 'message' in choice)) return value;
  return {
    ...value,
    choices: choices.map(({ message, ...choice }) => ({ finish_reason: 'stop', ...choice, delta: message })),
  };
}

function checkEvent(value: Json | null, data: string, response: HttpResponse, target: OpenAiTarget): Json {
  const type = response.headers.get('content-type') ?? '';
  if (value === null) {
    if (/^\s*</.test(data)) throw otherThan(target, `a reply (${type || 'a page'})`);
    if (/^\s*\[/.test(data)) throw fromOpenAiBody(target.redact(data), target);
    throw brokenReply(target, 'holds something that is not JSON');
  }
  if (isErrorBody(value)) throw fromOpenAiBody(target.redact(data), target);
  return asPart(value);
}

const isFinished = (part: Json): boolean =>
  asList(part['choices']).some((choice) => typeof asObject(choice)['finish_reason'] === 'string');

const end = '[DONE]';

/** Separates the end sign from the data. The end sign may be on a line below an object. */
function splitEnd(data: string): { data: string; isLast: boolean } {
  const isLast = data.startsWith(end) || data.endsWith(`\n${end}`);
  return { data: isLast ? data.slice(0, data.lastIndexOf(end)).trim() : data.trim(), isLast };
}

async function* checkedParts(response: HttpResponse, target: OpenAiTarget): AsyncGenerator<Json> {
  let isReply = false;
  let isWhole = false;
  for await (const event of readEvents(response, target.display)) {
    const { data, isLast } = splitEnd(event);
    for (const value of data === '' ? [] : objectsOf(data)) {
      const part = checkEvent(value, data, response, target);
      isReply ||= 'choices' in part;
      isWhole ||= isFinished(part);
      yield part;
    }
    if (isLast) return;
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!isReply && !type.includes('event-stream')) throw otherThan(target, `a reply (${type})`);
  if (!isWhole) throw brokenReply(target, 'ended before it was done');
}

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

const nothingYet = () => ({
  text: '',
  thinking: 0,
  refusal: '',
  finish: null as string | null,
  tokens: null as ModelReply['tokens'],
  odds: [] as TokenOdds[],
  calls: [] as OpenCall[],
  byIndex: new Map<unknown, OpenCall>(),
});

type Collected = ReturnType<typeof nothingYet>;

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Returns the number of characters of thinking. Some servers send the same thinking in two fields. */
const thinkingIn = ({ reasoning_content: first, reasoning: second }: Json): number =>
  textOf(first).length || textOf(second).length;

/**
 * Whether a delta begins a call other than `known`: it has a different id; or it has no id and no index, and both the
 * delta and `known` have a name.
 */
function beginsAnother({ index, id, function: called }: Json, known: OpenCall): boolean {
  if (typeof id === 'string' && id !== '') return known.id !== '' && known.id !== id;
  return index === undefined && Boolean(asObject(called)['name']) && known.name !== '';
}

/** Returns the call that a delta belongs to. Some servers send no index, or the same index for every call. */
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

/** Adds a part of the stream. Reads only the first choice, because a request asks for a single choice. */
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

const callCharacters = ({ calls }: Collected) =>
  calls.reduce((sum, { name, arguments: given }) => sum + name.length + given.length, 0);

function withheld({ display, model }: OpenAiTarget, what: string): RlmError {
  return new RlmError('provider-failed', `${model} at ${display} gave no answer: ${what}`, {
    hint: 'Rephrase the question, leave out the text that the model refuses, or choose another model with --model.',
  });
}

function toModelReply(collected: Collected, request: ModelRequest, target: OpenAiTarget): ModelReply {
  const { text, refusal, finish: reason, tokens, odds, thinking, calls } = collected;
  if (reason === 'content_filter') throw withheld(target, 'its content filter stopped the reply');
  if (refusal !== '') throw withheld(target, `it refuses (${clean(target.redact(refusal))})`);
  if (reason === 'error' || reason === 'insufficient_system_resource') {
    throw brokenReply(target, `was aborted by the server (${reason})`);
  }
  const named = request.tools.length === 0 ? [] : calls.filter(({ name }) => name !== '');
  const toolCalls = withIds(named, request);
  const finish = reason === 'length' || reason === 'max_tokens' ? 'length' : 'stop';
  // The number of output tokens includes thinking that the server does not send.
  const hasThought = thinking > 0 || (finish === 'length' && (tokens?.output ?? 0) >= request.maxOutputTokens);
  const reply: ModelReply = { text, toolCalls, ...(odds.length > 0 && { logprobs: odds }), tokens, finish };
  return withAnswer(reply, hasThought, target.model, request);
}

/** Reads a reply to its end. Throws the server's errors, and `reply-unusable` if the reply contains only thinking. */
export async function readReply(
  response: HttpResponse,
  request: ModelRequest,
  target: OpenAiTarget,
  onProgress: CallOptions['onProgress'],
): Promise<ModelReply> {
  const collected = nothingYet();
  for await (const part of checkedParts(response, target)) {
    addPart(collected, part);
    const characters =
      collected.text.length + collected.thinking + collected.refusal.length + callCharacters(collected);
    onProgress?.(characters, collected.text, characters > 0 && characters === collected.thinking);
  }
  return toModelReply(collected, request, target);
}
