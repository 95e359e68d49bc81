import { RlmError } from '../errors.ts';
import type { CallTokens } from '../state.ts';
import type { ModelReply, ModelRequest, Reasoning } from './provider.ts';

/** Tokens allowed for thinking, in addition to the limit of the reply itself. */
export const thinkingTokens: Readonly<Record<Reasoning, number>> = { none: 0, low: 1_024, medium: 4_096, high: 16_384 };

/** The `cause` of a `reply-unusable` error for a reply that is only thinking, with the tokens that the call used. */
export class OnlyThought {
  readonly tokens: CallTokens | null;
  constructor(tokens: CallTokens | null) {
    this.tokens = tokens;
  }
}

/** Returns the reply. Throws `reply-unusable` with the cause `OnlyThought` if the reply contains only thinking. */
export function withAnswer(
  reply: ModelReply,
  hasThought: boolean,
  model: string,
  { maxOutputTokens }: Pick<ModelRequest, 'maxOutputTokens'>,
): ModelReply {
  if (!hasThought || reply.text.trim() !== '' || reply.toolCalls.length > 0) return reply;
  const until = reply.finish === 'length' ? ` until its reply reached the limit of ${maxOutputTokens} tokens,` : '';
  throw new RlmError('reply-unusable', `${model} thought${until} and wrote no answer`, {
    hint: 'Let the model think less (--reasoning none or low), raise reply.maxTokens, or take another model (--model).',
    cause: new OnlyThought(reply.tokens),
  });
}
