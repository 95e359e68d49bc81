/** Parts of replies that all providers share. */
import { RlmError } from '../../errors.ts';
import type { Message, ModelRequest, TokenOdds } from '../provider.ts';
import { asList, asObject, type Json } from './json.ts';

const isLikely = (entry: Json): entry is Json & { token: string; logprob: number } =>
  typeof entry['token'] === 'string' && typeof entry['logprob'] === 'number';

/** Reads the probabilities of a part's tokens, in the format of Ollama and OpenAI. */
export function readOdds(entries: unknown): TokenOdds[] {
  return asList(entries).flatMap((entry) => {
    const { token, logprob, top_logprobs: others } = asObject(entry);
    if (typeof token !== 'string' || typeof logprob !== 'number') return [];
    const alternatives = asList(others).map(asObject).filter(isLikely);
    return [
      { token, logprob, alternatives: alternatives.map((other) => ({ token: other.token, logprob: other.logprob })) },
    ];
  });
}

/** Counts the tool calls in earlier messages, so that a further call gets an unused id. */
export const callsIn = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + (message.role === 'assistant' ? (message.toolCalls?.length ?? 0) : 0), 0);

/** Bytes of a reply's stream, at most. */
export const maxReplyBytes = 64 * 1024 * 1024;

/** Creates the error for a stream that is too long; a retry would be as long. */
export const replyTooLarge = (display: string): RlmError =>
  new RlmError('provider-failed', `the reply of ${display} is longer than ${maxReplyBytes} bytes and was aborted`, {
    hint: 'The server does not keep to the limit of a reply (reply.maxTokens): its log may say why; or take another model (--model).',
  });

/** Creates the error for a reply that is cut within its thinking: its limit includes thinking. */
export const onlyThought = (model: string, { maxOutputTokens }: ModelRequest): RlmError =>
  new RlmError(
    'reply-unusable',
    `${model} thought until its reply had ${maxOutputTokens} tokens, the most it may have, and wrote no answer`,
    { hint: 'Raise reply.maxTokens, or take a model that thinks less (--model).' },
  );
