import type { Message, TokenOdds, ToolCall } from '../provider.ts';
import { asList, asObject, type Json, parseObject } from './json.ts';

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

/** Returns a call's arguments as an object, whatever the model wrote: servers accept nothing else. */
export function argumentsOf({ arguments: written }: ToolCall): Json {
  const value = typeof written === 'string' ? (parseObject(written) ?? written) : (written ?? {});
  return typeof value === 'object' && !Array.isArray(value) ? asObject(value) : { value };
}
