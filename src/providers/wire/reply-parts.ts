import type { Message, TokenOdds, ToolCall } from '../provider.ts';
import { asList, asObject, type Json, parseObject } from './json.ts';

type Likely = Json & { readonly token: string; readonly logprob: number };

const isLikely = (entry: Json): entry is Likely =>
  typeof entry['token'] === 'string' && typeof entry['logprob'] === 'number';

const plain = ({ token, logprob }: Likely) => ({ token, logprob });

/** Reads the probabilities of a part's tokens, in the format of Ollama and OpenAI. */
export function readOdds(entries: unknown): TokenOdds[] {
  return asList(entries).flatMap((entry) => {
    const one = asObject(entry);
    if (!isLikely(one)) return [];
    return [{ ...plain(one), alternatives: asList(one['top_logprobs']).map(asObject).filter(isLikely).map(plain) }];
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
