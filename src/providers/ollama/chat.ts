/** Calls of Ollama's chat API (`ChatRequest`, `Message` and `ChatResponse` in its api/types.go). */
import type { ChatResponse } from 'ollama';
import type { RlmError } from '../../errors.ts';
import type { CallOptions, Message, ModelReply, ModelRequest, Reasoning, TokenOdds, ToolCall } from '../provider.ts';
import { withAnswer } from '../thinking.ts';
import type { HttpResponse } from '../wire/http.ts';
import { clean } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import { argumentsOf, mostAlternatives, readOdds, wireTool, withIds } from '../wire/reply-parts.ts';
import { sendChecked } from '../wire/requests.ts';
import { brokenReply, fromBody, notTheServer, refusalOf } from '../wire/server-errors.ts';
import { readStreamLines } from '../wire/stream.ts';
import type { OllamaTarget } from './target.ts';

type Think = boolean | string;

/** The values of `think` that a model accepts. Other values are refused or silently replaced by the default. */
export type ThinkValues = readonly Think[];

/** The features to request from one model. A feature is removed when the server refuses it. */
export interface OfferMemory {
  tools: boolean;
  logprobs: boolean;
  /** Empty before `inspect`. */
  thinks: ThinkValues;
}

type Offers = Readonly<OfferMemory>;

/** Returns the value of `think` for a level; null leaves the choice to the server. */
function thinkFor(level: Reasoning | null, values: ThinkValues): Think | null {
  if (level === null) return null;
  const wanted: ThinkValues = level === 'none' ? [false, 'none', 'minimal', 'low'] : [level, true];
  return wanted.find((value) => values.includes(value)) ?? null;
}

const subjects = { tools: /\btools?\b/i, logprobs: /logprob/i, think: /\bthink(ing)?\b/i } as const;

/**
 * Removes the refused feature from `offers`. Returns false if the error refuses no feature.
 * @param sent the features of the refused request. A concurrent call may have removed them from `offers` already.
 * @param model the model's name. It may contain the name of a feature, so it is removed from the error's message.
 */
function dropRefused(offers: OfferMemory, error: unknown, sent: ReturnType<typeof usedBy>, model: string): boolean {
  const said = refusalOf(error)?.replaceAll(model, '') ?? '';
  const refused = (['tools', 'logprobs'] as const).find((offer) => sent[offer] && subjects[offer].test(said));
  if (refused !== undefined) offers[refused] = false;
  else if (sent.think === null || !subjects.think.test(said)) return false;
  else offers.thinks = offers.thinks.filter((value) => value !== sent.think);
  return true;
}

function toMessage(message: Message): object {
  const { role, content } = message;
  if (message.role === 'tool') {
    return { role, content, tool_name: message.name, tool_call_id: message.callId };
  }
  if (message.role === 'user' && message.pictures)
    return { role, content, images: message.pictures.map(({ data }) => data) };
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return { role, content };
  const called = calls.map((call) => ({ id: call.id, function: { name: call.name, arguments: argumentsOf(call) } }));
  return { role, content, tool_calls: called };
}

async function messagesOf(request: ModelRequest, { tools }: Offers) {
  const { messages } = request;
  if (!tools) return { messages: (await import('../wire/tools-in-words.ts')).withoutTools(request) };
  const offered = request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) };
  return { messages: messages.map(toMessage), ...offered };
}

/** Returns the features that a request uses. A request with a schema and without a level turns thinking off. */
const usedBy = ({ schema, tools, messages, logprobs, reasoning }: ModelRequest, offers: Offers) => ({
  tools: offers.tools && (tools.length > 0 || messages.some(({ role }) => role === 'tool')),
  logprobs: offers.logprobs && logprobs,
  think: thinkFor(reasoning ?? (schema === null ? null : 'none'), offers.thinks),
});

async function chatRequest(request: ModelRequest, target: OllamaTarget, offers: Offers): Promise<object> {
  const { schema, windowTokens, maxOutputTokens, temperature, seed } = request;
  const { think, logprobs } = usedBy(request, offers);
  return {
    model: target.model,
    ...(await messagesOf(request, offers)),
    stream: true,
    options: { num_ctx: windowTokens, num_predict: maxOutputTokens, temperature, ...(seed === null ? {} : { seed }) },
    // The server must refuse a prompt that does not fit, and stop at the end of the window, instead of dropping text.
    truncate: false,
    shift: false,
    ...(schema === null ? {} : { format: schema }),
    ...(think === null ? {} : { think }),
    ...(logprobs ? { logprobs: true, top_logprobs: mostAlternatives } : {}),
    ...target.keep,
  };
}

/**
 * Yields the objects of a streamed body.
 * @param toError creates the error to throw from the JSON text of an object with an `error`.
 * @param isEndless whether the body may have any size. The size limit then applies only to the unfinished line.
 */
export async function* readObjects(
  response: HttpResponse,
  target: OllamaTarget,
  toError: (body: string, target: OllamaTarget) => RlmError,
  isEndless = false,
): AsyncGenerator<Json> {
  for await (const { line, isWhole } of readStreamLines(response, `Ollama at ${target.display}`, isEndless)) {
    const value = parseObject(line);
    if (value !== null && 'error' in value) throw toError(target.redact(line), target);
    const type = response.headers.get('content-type') ?? 'no content type';
    if (value !== null) yield value;
    else if (!type.includes('json')) throw notTheServer(target, `it answered with ${type}`);
    else throw brokenReply(target, isWhole ? 'holds a line that is not JSON' : 'ended in the middle of a line');
  }
}

/** Reads tool calls without their ids, which differ from run to run; `withIds` adds new ids. */
function readToolCalls(calls: unknown): Omit<ToolCall, 'id'>[] {
  return asList(calls).flatMap((call) => {
    const { name, arguments: given } = asObject(asObject(call)['function']);
    if (typeof name !== 'string' || name === '') return [];
    return [{ name, arguments: typeof given === 'string' ? (parseObject(given) ?? given) : (given ?? {}) }];
  });
}

/** Reads token probabilities, except those of thinking, which is not part of the reply. */
const oddsIn = ({ logprobs, message }: Partial<ChatResponse>): TokenOdds[] =>
  message?.thinking ? [] : readOdds(logprobs);

const msOf = (nanoseconds: unknown): number => (typeof nanoseconds === 'number' ? nanoseconds / 1e6 : 0);

/** Returns the timing without the time to load the model. */
function timingOf({ prompt_eval_duration: read, eval_duration: write }: Partial<ChatResponse>) {
  const timing = { readMs: msOf(read), writeMs: msOf(write) };
  return timing.readMs > 0 && timing.writeMs > 0 ? { timing } : {};
}

/** Returns the token counts; null if the input is not counted. Ollama omits a count of output tokens that is 0. */
const tokensOf = ({ prompt_eval_count: input, eval_count: output }: Partial<ChatResponse>): ModelReply['tokens'] =>
  typeof input === 'number' ? { input, output: typeof output === 'number' ? output : 0 } : null;

async function readReply(
  parts: AsyncIterable<Partial<ChatResponse>>,
  request: ModelRequest,
  target: OllamaTarget,
  onProgress: CallOptions['onProgress'],
): Promise<ModelReply> {
  let text = '';
  let thinking = 0;
  let calling = 0;
  let last: Partial<ChatResponse> = {};
  const calls: Omit<ToolCall, 'id'>[] = [];
  const odds: TokenOdds[] = [];
  for await (const part of parts) {
    const message: Partial<ChatResponse['message']> = part.message ?? {};
    if (typeof message.content === 'string') text += message.content;
    thinking += message.thinking?.length ?? 0;
    const called = readToolCalls(message.tool_calls);
    calls.push(...called);
    calling += called.reduce((sum, call) => sum + JSON.stringify(call).length, 0);
    odds.push(...oddsIn(part));
    onProgress?.(text.length + thinking + calling, text, thinking > 0 && text === '' && calls.length === 0);
    last = part;
    if (part.done === true) break;
  }
  if (last.done !== true) throw brokenReply(target, 'ended before it was done');
  const reply: ModelReply = {
    text,
    toolCalls: withIds(calls, request),
    tokens: tokensOf(last),
    finish: last.done_reason === 'length' ? 'length' : 'stop',
    ...(odds.length > 0 && { logprobs: odds }),
    ...timingOf(last),
  };
  return withAnswer(reply, thinking > 0, target.model, request);
}

/**
 * Requests one reply. If the model refuses a feature, repeats the request without it, and omits it from then on. If a
 * part of the reply has arrived before the refusal, throws a transient error instead.
 */
export async function chat(
  request: ModelRequest,
  { signal, onProgress }: CallOptions,
  target: OllamaTarget,
  offers: OfferMemory,
): Promise<ModelReply> {
  for (let written = 0; ; ) {
    const sent = { ...offers };
    const progress: typeof onProgress = (characters, ...more) => {
      written = characters;
      onProgress?.(characters, ...more);
    };
    try {
      const response = await sendChecked(target, '/api/chat', signal, await chatRequest(request, target, sent));
      return await readReply(readObjects(response, target, fromBody), request, target, progress);
    } catch (error) {
      if (!dropRefused(offers, error, usedBy(request, sent), target.model)) throw error;
      // The model has worked, so the caller has to pay for this request and for the next one.
      if (written > 0) throw brokenReply(target, `broke off: ${clean(refusalOf(error)!)}`, error);
    }
  }
}
