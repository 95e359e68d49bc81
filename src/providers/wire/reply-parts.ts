import type { ModelRequest, TokenOdds, ToolCall, ToolSpec } from '../provider.ts';
import { asList, asObject, type Json, parseObject } from './json.ts';

function oddsIn(entry: Json) {
  const { token, logprob } = entry;
  return typeof token === 'string' && typeof logprob === 'number' ? [{ token, logprob }] : [];
}

/** Reads the log probabilities of tokens, in the format of Ollama and OpenAI. */
export const readOdds = (entries: unknown): TokenOdds[] =>
  asList(entries)
    .map(asObject)
    .flatMap((entry) => {
      const alternatives = asList(entry['top_logprobs']).map(asObject).flatMap(oddsIn);
      return oddsIn(entry).map((token) => ({ ...token, alternatives }));
    });

/** Maximum number of alternatives per token that servers return. */
export const mostAlternatives = 20;

/** Describes a tool, in the format of Ollama and OpenAI. */
export const wireTool = ({ name, about, schema }: ToolSpec): Json => ({
  type: 'function',
  function: { name, description: about, parameters: schema },
});

/** Adds an id to each call that lacks one. The id is unique in the conversation. */
export function withIds(calls: readonly (Omit<ToolCall, 'id'> & { id?: string })[], { messages }: ModelRequest) {
  const earlier = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const taken = new Set([...earlier, ...calls].map(({ id }) => id));
  let number = earlier.length;
  function unused(): string {
    do number += 1;
    while (taken.has(`call_${number}`));
    return `call_${number}`;
  }
  return calls.map(({ id, ...call }): ToolCall => ({ id: id || unused(), ...call }));
}

/** Returns a call's arguments as an object, whatever the model wrote, because servers accept only objects. */
export function argumentsOf({ arguments: written }: ToolCall): Json {
  const value = typeof written === 'string' ? (parseObject(written) ?? written) : (written ?? {});
  return typeof value === 'object' && !Array.isArray(value) ? asObject(value) : { value };
}
