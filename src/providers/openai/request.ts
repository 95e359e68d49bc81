import type { Message, ModelRequest, Reasoning, ToolCall } from '../provider.ts';
import { asObject, type Json } from '../wire/json.ts';
import { mostAlternatives, wireTool } from '../wire/reply-parts.ts';
import { isOpenAi, type OpenAiTarget } from './target.ts';

const schemaWords = /response_?format|json_schema|schema|grammar|structured|guided|json mode/i;

/** Parameters and types of `response_format`, each with a pattern for the messages that refuse it. */
const namedBy = {
  json_schema: schemaWords,
  json_object: new RegExp(`${schemaWords.source}|json_object`, 'i'),
  temperature: /\btemperature\b/i,
  seed: /\bseed\b/i,
  stream_options: /stream_options|include_usage/i,
  logprobs: /logprobs/i,
  reasoning_effort: /reasoning[_ .]?effort/i,
  chat_template_kwargs: /chat_template|enable_thinking/i,
  tools: /\btools?\b|tool_choice|function.?call|jinja/i,
};

export type Optional = keyof typeof namedBy | 'output limit' | `effort ${string}`;

/**
 * Matches a message that refuses a parameter as unknown. If the parameter is the output limit, the next request uses
 * the other name of the limit.
 */
const unknownLimit =
  /(unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|not (allowed|permitted)|extra|instead)/i;

const modelsThatThink = /^(o\d|gpt-5($|-(?!chat)))/;

const strictKeywords = new Set(
  'type properties required items anyOf enum const description title minimum maximum pattern format minItems maxItems additionalProperties $schema'.split(
    ' ',
  ),
);

/** Returns a schema in OpenAI's strict form, which allows no additional properties; null if there is no such form. */
function strictly(schema: Json): Json | null {
  const { type, properties, required, items, anyOf } = schema;
  if (Object.keys(schema).some((keyword) => !strictKeywords.has(keyword))) return null;
  if ([type].flat().includes('object')) {
    const entries = Object.entries(asObject(properties));
    if (entries.length === 0 || !entries.every(([name]) => (required as string[] | undefined)?.includes(name)))
      return null;
    const strict = entries.map(([name, inner]) => [name, strictly(asObject(inner))] as const);
    if (strict.some(([, inner]) => inner === null)) return null;
    return { ...schema, properties: Object.fromEntries(strict), additionalProperties: false };
  }
  if (Array.isArray(anyOf)) {
    const strict = anyOf.map((inner) => strictly(asObject(inner)));
    return strict.includes(null) ? null : { ...schema, anyOf: strict };
  }
  if (items === undefined) return schema;
  const strict = strictly(asObject(items));
  return strict && { ...schema, items: strict };
}

function responseFormat({ schema, input }: ModelRequest, refused: ReadonlySet<Optional>): Json {
  if (schema === null || refused.has('json_object')) return {};
  if (refused.has('json_schema')) return { response_format: { type: 'json_object' } };
  const strict = strictly(asObject(schema));
  const json_schema = { name: input.prompt, strict: strict !== null, schema: strict ?? schema };
  return { response_format: { type: 'json_schema', json_schema } };
}

const argumentsText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

const calledTool = ({ id, name, arguments: given }: ToolCall): Json => ({
  id,
  type: 'function',
  function: { name, arguments: argumentsText(given) },
});

function wireMessage(message: Message): Json {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  const { role, content } = message;
  if (message.role === 'user' && message.pictures) {
    const pictures = message.pictures.map(({ mediaType, data }) => ({
      type: 'image_url',
      image_url: { url: `data:${mediaType};base64,${data}` },
    }));
    return { role, content: [{ type: 'text', text: content }, ...pictures] };
  }
  if (message.role !== 'assistant' || !message.toolCalls?.length) return { role, content };
  return { role, content: content === '' ? null : content, tool_calls: message.toolCalls.map(calledTool) };
}

/** Returns the limit of the output. OpenAI requires `max_completion_tokens`, which other servers may ignore. */
function outputLimit(target: OpenAiTarget, maxOutputTokens: number, refused: ReadonlySet<Optional>): Json {
  const hasNewName = isOpenAi(target) !== refused.has('output limit');
  return { [hasNewName ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens };
}

/** The values of `reasoning_effort` for each level, best first. */
const efforts: Readonly<Record<Reasoning, readonly string[]>> = {
  none: ['none', 'minimal', 'low'],
  low: ['low'],
  medium: ['medium'],
  high: ['high'],
};

/**
 * Returns the parameters that control thinking. OpenAI, LM Studio, vLLM and llama.cpp's server take
 * `reasoning_effort`; vLLM and llama.cpp's server pass `chat_template_kwargs` to the chat template. If the request
 * states no level, OpenAI's own models that think get the level `low`, because thinking uses up the output limit.
 */
function thinking({ reasoning }: ModelRequest, target: OpenAiTarget, thinks: boolean, refused: ReadonlySet<Optional>) {
  const level = reasoning ?? (thinks ? 'low' : null);
  if (level === null) return {};
  const effort = efforts[level].find((value) => !refused.has(`effort ${value}`));
  const isOn = level !== 'none';
  return {
    ...(effort !== undefined && { reasoning_effort: effort }),
    // A template reads one of these two names.
    ...(!isOpenAi(target) && { chat_template_kwargs: { enable_thinking: isOn, thinking: isOn } }),
  };
}

export function chatBody(request: ModelRequest, target: OpenAiTarget, refused: ReadonlySet<Optional>): Json {
  const { messages, tools, temperature, seed, maxOutputTokens, logprobs } = request;
  const thinks = isOpenAi(target) && modelsThatThink.test(target.model);
  const optional: Json = {
    ...(!thinks && { temperature }),
    ...(seed !== null && { seed }),
    stream_options: { include_usage: true },
    ...thinking(request, target, thinks, refused),
    ...(logprobs && !thinks && { logprobs }),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
  };
  const accepted = Object.entries(optional).filter(([name]) => !refused.has(name as Optional));
  return {
    model: target.model,
    messages: messages.map(wireMessage),
    stream: true,
    ...Object.fromEntries(accepted),
    ...(logprobs && !thinks && !refused.has('logprobs') && { top_logprobs: mostAlternatives }),
    ...(tools.length > 0 && !refused.has('tools') && { tool_choice: 'auto' }),
    ...responseFormat(request, refused),
    ...outputLimit(target, maxOutputTokens, refused),
  };
}

/** Returns the parameters in `body` that the words of a refusal name. `refused`: parameters refused before. */
export function refusedBy(words: string, body: Json, refused: ReadonlySet<Optional>): Optional[] {
  const format = asObject(body['response_format'])['type'];
  const sent = Object.keys(namedBy).filter((name) => name === format || name in body) as (keyof typeof namedBy)[];
  const named: Optional[] = sent.filter((name) => namedBy[name].test(words));
  const effort = body['reasoning_effort'];
  // The server may accept this parameter with another value.
  if (named.includes('reasoning_effort'))
    named.splice(named.indexOf('reasoning_effort'), 1, `effort ${String(effort)}`);
  const limit = /max_(completion_)?tokens/i.test(words) && unknownLimit.test(words) && !refused.has('output limit');
  return limit ? [...named, 'output limit'] : named;
}
