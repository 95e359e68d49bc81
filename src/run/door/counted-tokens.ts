import { tokensOf } from '../../context/text-size.ts';
import type { ModelReply, ModelRequest } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';
import { messageTokens, mostTokens } from './window.ts';

/** A server's count below this part of the estimate, or above so many times the most there can be, is no count. */
const least = 1 / 3;
const most = 4;

/** Tokens that a chat template and a server's own instructions on tools may add, at most. */
const addedTokens = 4_096;

/** Whether a server's count is plausible. */
export const isCredible = (count: number, estimate: number, highest: number): boolean =>
  Number.isSafeInteger(count) && count >= Math.floor(estimate * least) && count <= highest * most;

/** The text of a reply with the calls of tools that it makes, in bytes. */
const writtenBytes = ({ text, toolCalls }: ModelReply): number =>
  Buffer.byteLength(text) + (toolCalls.length > 0 ? Buffer.byteLength(JSON.stringify(toolCalls)) : 0);

/** The tokens that a call is charged, and the server's own count where that is implausible. */
export interface Counted {
  readonly tokens: Tokens;
  /** Null when the server gave no count, or a plausible one. */
  readonly disbelieved: Tokens | null;
}

/**
 * The tokens that a call is charged: as the server counted them, where that can be so, else as they are estimated here.
 * A server that counts too little, or less than nothing, would lift the limits on tokens and money.
 * @param characters of the reply that came, thinking included.
 */
export function countTokens(request: ModelRequest, reply: ModelReply, characters: number): Counted {
  const { messages, schema, tools, maxOutputTokens } = request;
  const estimate = { input: messageTokens(messages), output: tokensOf(Math.max(writtenBytes(reply), characters)) };
  if (reply.tokens === null) return { tokens: estimate, disbelieved: null };
  const { input, output } = reply.tokens;
  const beside = Buffer.byteLength(JSON.stringify([schema, tools]));
  const isInput = isCredible(input, estimate.input, mostTokens(messages) + beside + addedTokens);
  const isOutput = isCredible(output, tokensOf(writtenBytes(reply)), maxOutputTokens + characters);
  if (isInput && isOutput) return { tokens: reply.tokens, disbelieved: null };
  const tokens = { input: isInput ? input : estimate.input, output: isOutput ? output : estimate.output };
  return { tokens, disbelieved: reply.tokens };
}
