import { tokensOf } from '../../context/text-size.ts';
import type { ModelReply, ModelRequest } from '../../providers/provider.ts';
import type { CallTokens, Tokens } from '../../state.ts';
import { messageTokens, mostTokens } from './window.ts';

/**
 * A server's count is implausible below `least` times the estimate, or above `most` times the highest possible count.
 */
const least = 1 / 3;
const most = 4;

/** Tokens that a chat template and a server's own tool instructions add, at most. */
const addedTokens = 4_096;

/** Whether a server's count is plausible. */
export const isCredible = (count: number, estimate: number, highest: number): boolean =>
  Number.isSafeInteger(count) && count >= Math.floor(estimate * least) && count <= highest * most;

/** Returns the size of a reply with its tool calls, in bytes. */
const writtenBytes = ({ text, toolCalls }: ModelReply): number =>
  Buffer.byteLength(text) + (toolCalls.length > 0 ? Buffer.byteLength(JSON.stringify(toolCalls)) : 0);

/** The tokens that a call is charged, and the server's count where it is implausible. */
export interface Counted {
  readonly tokens: CallTokens;
  /** The server's implausible count; null when it reported none, or a plausible one. */
  readonly disbelieved: Tokens | null;
}

/**
 * Returns the tokens that a call is charged: the server's count where it is plausible, else an estimate. A server that
 * counts too few, or negative, tokens would otherwise lift the limits on tokens and money.
 * @param characters length of the reply that arrived, thinking included.
 */
export function countTokens(request: ModelRequest, reply: ModelReply, characters: number): Counted {
  const { messages, schema, tools, maxOutputTokens } = request;
  const estimate = { input: messageTokens(messages), output: tokensOf(Math.max(writtenBytes(reply), characters)) };
  if (reply.tokens === null) return { tokens: estimate, disbelieved: null };
  const { input, output, cacheRead = 0, cacheWritten = 0 } = reply.tokens;
  const beside = Buffer.byteLength(JSON.stringify([schema, tools]));
  const isCache = [cacheRead, cacheWritten].every((count) => count >= 0) && cacheRead + cacheWritten <= input;
  const isInput = isCache && isCredible(input, estimate.input, mostTokens(messages) + beside + addedTokens);
  const isOutput = isCredible(output, tokensOf(writtenBytes(reply)), maxOutputTokens + characters);
  if (isInput && isOutput) return { tokens: reply.tokens, disbelieved: null };
  const tokens = { input: isInput ? input : estimate.input, output: isOutput ? output : estimate.output };
  return { tokens, disbelieved: reply.tokens };
}
