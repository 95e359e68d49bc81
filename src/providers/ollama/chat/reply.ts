/** Assembles a reply of Ollama's chat API from its parts. */
import type { ChatResponse } from 'ollama/browser';
import type { CallOptions, ModelReply, ModelRequest, TokenOdds, ToolCall } from '../../provider.ts';
import { asList, asObject, parseObject } from '../../wire/json.ts';
import { callsIn, onlyThought, readOdds } from '../../wire/reply-parts.ts';

/** The collected parts of a reply. */
interface Collected {
  readonly text: string;
  /** Characters of thinking. */
  readonly thinking: number;
  readonly toolCalls: readonly ToolCall[];
  readonly odds: readonly TokenOdds[];
  readonly last: Partial<ChatResponse>;
}

/** Reads the tool calls of a part without their ids; arguments that are JSON text are parsed. */
function readToolCalls(calls: unknown): Omit<ToolCall, 'id'>[] {
  return asList(calls).flatMap((call) => {
    const { name, arguments: given } = asObject(asObject(call)['function']);
    if (typeof name !== 'string' || name === '') return [];
    return [{ name, arguments: typeof given === 'string' ? (parseObject(given) ?? given) : (given ?? {}) }];
  });
}

/** Reads token probabilities; tokens of thinking do not belong to the reply. */
const oddsIn = ({ logprobs, message }: Partial<ChatResponse>): TokenOdds[] =>
  message?.thinking ? [] : readOdds(logprobs);

/** Assigns ids that no call of the conversation has. A server's own ids would differ from run to run. */
function withIds(calls: readonly Omit<ToolCall, 'id'>[], { messages }: ModelRequest): ToolCall[] {
  const earlier = callsIn(messages);
  return calls.map((call, index) => ({ id: `call_${earlier + index + 1}`, ...call }));
}

/** Reads a reply to its end, keeping the model's thinking out of the text. Tools may be called in any of the parts. */
export async function collectReply(
  parts: AsyncIterable<ChatResponse>,
  request: ModelRequest,
  onProgress: CallOptions['onProgress'],
): Promise<Collected> {
  let text = '';
  let thinking = 0;
  let last: Partial<ChatResponse> = {};
  const calls: Omit<ToolCall, 'id'>[] = [];
  const odds: TokenOdds[] = [];
  for await (const part of parts) {
    const message: Partial<ChatResponse['message']> = part.message ?? {};
    if (typeof message.content === 'string') text += message.content;
    thinking += message.thinking?.length ?? 0;
    calls.push(...readToolCalls(message.tool_calls));
    odds.push(...oddsIn(part));
    onProgress?.(text.length + thinking, text);
    last = part;
  }
  return { text, thinking, toolCalls: withIds(calls, request), odds, last };
}

const msOf = (nanoseconds: unknown): number => (typeof nanoseconds === 'number' ? nanoseconds / 1e6 : 0);

/** Returns the timing without the time to load the model. */
function timingOf({ prompt_eval_duration: read, eval_duration: write }: Partial<ChatResponse>) {
  const timing = { readMs: msOf(read), writeMs: msOf(write) };
  return timing.readMs > 0 && timing.writeMs > 0 ? { timing } : {};
}

/**
 * Returns the collected parts as a reply. The server leaves out counts that are 0, such as that of an empty reply.
 * @throws RlmError `reply-unusable` when nothing but thinking came before the limit of the reply.
 */
export function toReply(
  { text, thinking, toolCalls, odds, last }: Collected,
  request: ModelRequest,
  model: string,
): ModelReply {
  const { prompt_eval_count: input, eval_count: output, done_reason: reason } = last;
  const finish = reason === 'length' ? 'length' : 'stop';
  if (finish === 'length' && thinking > 0 && text.trim() === '' && toolCalls.length === 0) {
    throw onlyThought(model, request);
  }
  const tokens = typeof input === 'number' ? { input, output: typeof output === 'number' ? output : 0 } : null;
  return { text, toolCalls, ...(odds.length > 0 && { logprobs: odds }), tokens, finish, ...timingOf(last) };
}
