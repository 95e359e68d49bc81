import type Anthropic from '@anthropic-ai/sdk';
import type { RlmError } from '../../errors.ts';
import type { Message, ModelRequest, Picture, ToolCall } from '../provider.ts';
import { thinkingTokens } from '../thinking.ts';
import { asList, asObject } from '../wire/json.ts';
import { argumentsOf } from '../wire/reply-parts.ts';

type Block =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam;

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

const mark = { cache_control: { type: 'ephemeral' } } as const;

/** Returns a text as a list of one block. The list is empty for blank text, because the API refuses blank text. */
const textBlocks = (text: string): Anthropic.TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

const imageBlock = ({ mediaType, data = '' }: Picture): Anthropic.ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
});

/** Replaces characters that this API refuses in an id. Another provider may have created the id. */
const idOf = (id: string): string => id.replace(/[^\w-]/g, '_') || '_';

const toolUse = (call: ToolCall): Block => ({
  type: 'tool_use',
  id: idOf(call.id),
  name: call.name,
  input: argumentsOf(call),
});

function toTurn(message: Exclude<Message, { role: 'system' }>): Turn {
  const { role, content } = message;
  if (role === 'tool') {
    const said = content === '' ? {} : { content };
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: idOf(message.callId), ...said }] };
  }
  const words = textBlocks(content);
  if (role === 'assistant') return { role, content: [...words, ...(message.toolCalls ?? []).map(toolUse)] };
  // Models read pictures best when the pictures precede the text.
  return { role, content: [...(message.pictures ?? []).map(imageBlock), ...words] };
}

function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (turn.content.length === 0) continue;
    if (last?.role === turn.role) joined[joined.length - 1] = { ...last, content: [...last.content, ...turn.content] };
    else joined.push(turn);
  }
  return joined;
}

const markLast = <T extends object>(blocks: readonly T[]): T[] =>
  blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...mark } : block));

/** @param isMarked whether to mark the stable prefix (the system blocks, and all turns but the last) for caching. */
function toConversation(messages: readonly Message[], isMarked: boolean) {
  const said = messages.filter((message) => message.role !== 'system');
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? textBlocks(content) : []));
  const turns = joinTurns(said.map(toTurn));
  const stable = isMarked && turns.length > 1 ? turns.length - 2 : -1;
  const sent = turns.map(({ role, content }, index) => ({
    role,
    content: index === stable ? markLast(content) : [...content],
  }));
  return { ...(system.length > 0 && { system: isMarked ? markLast(system) : system }), messages: sent };
}

/** The request parameters that a model accepts. */
export interface RequestMeans {
  /** How a schema constrains a reply: by the API, by a forced tool call, or by the prompt alone. */
  readonly form: 'schema' | 'tool' | 'words';
  /** How thinking is turned off; null if it cannot be turned off. */
  readonly thinking: 'disabled' | 'between_tools' | null;
  /** How thinking is requested; null if it cannot be requested. */
  readonly thinks: 'adaptive' | 'enabled' | null;
  /** The effort to request if no thinking is wanted: `low` for a model that cannot stop thinking, else null. */
  readonly effort: 'low' | null;
  readonly takesEffort: boolean;
  /** Whether to mark the beginning of a conversation for caching, because later requests repeat it. */
  readonly caches: boolean;
  /** Null where unknown. */
  readonly maxOutputTokens: number | null;
}

/** The name of the forced tool. Its arguments are the reply. */
export const replyTool = 'reply';

const keptKeywords = new Set(['type', 'description', 'title', 'enum', 'const', 'required', 'format', '$ref']);
const listKeywords = ['anyOf', 'allOf', 'oneOf'] as const;
const mapKeywords = ['properties', '$defs'] as const;

const mapValues = (value: unknown, change: (inner: unknown) => unknown) =>
  Object.fromEntries(Object.entries(asObject(value)).map(([name, inner]) => [name, change(inner)]));

/** Copies a schema without the keywords that constrained output does not support, such as ranges. */
function strictSchema(schema: unknown): Record<string, unknown> {
  const given = asObject(schema);
  const strict = Object.fromEntries(Object.entries(given).filter(([keyword]) => keptKeywords.has(keyword)));
  // oneOf is not supported, so it becomes anyOf, which is weaker.
  for (const keyword of listKeywords)
    if (keyword in given) strict[keyword === 'oneOf' ? 'anyOf' : keyword] = asList(given[keyword]).map(strictSchema);
  for (const keyword of mapKeywords) if (keyword in given) strict[keyword] = mapValues(given[keyword], strictSchema);
  if ('items' in given) strict['items'] = strictSchema(given['items']);
  if ([given['type']].flat().includes('object')) strict['additionalProperties'] = false;
  return strict;
}

/** The smallest thinking budget that the API accepts, in tokens. */
const smallestBudget = 1_024;

/** Returns the parameters of thinking. A forced tool excludes thinking; other tools allow only adaptive thinking. */
function thinkingOf(request: ModelRequest, means: RequestMeans, maxTokens: number) {
  const { reasoning, schema, tools } = request;
  const { thinking, thinks, effort, takesEffort, form } = means;
  const isForced = schema !== null && form === 'tool';
  const off = { thinking: thinking === null ? {} : { thinking: { type: thinking } }, effort };
  if (reasoning === null || reasoning === 'none' || thinks === null || isForced) return off;
  if (thinks === 'adaptive') {
    return { thinking: { thinking: { type: 'adaptive' } }, effort: takesEffort ? reasoning : null };
  }
  const budget = Math.min(thinkingTokens[reasoning], maxTokens - 1);
  if (tools.length > 0 || budget < smallestBudget) return off;
  return { thinking: { thinking: { type: 'enabled', budget_tokens: budget } }, effort: null };
}

function outputOf({ schema }: ModelRequest, form: RequestMeans['form'], effort: string | null): object {
  const config = {
    ...(schema !== null && form === 'schema' && { format: { type: 'json_schema', schema: strictSchema(schema) } }),
    ...(effort !== null && { effort }),
  };
  return Object.keys(config).length === 0 ? {} : { output_config: config };
}

function toolsOf({ schema, tools }: ModelRequest, { form }: RequestMeans): object {
  if (tools.length > 0)
    return { tools: tools.map((tool) => ({ name: tool.name, description: tool.about, input_schema: tool.schema })) };
  if (schema === null || form !== 'tool') return {};
  const tool = { name: replyTool, description: 'Gives the reply.', input_schema: schema };
  return { tools: [tool], tool_choice: { type: 'tool', name: replyTool } };
}

/** Returns the body of a request. It has no temperature and no seed, because the API accepts neither. */
export function toBody(model: string, request: ModelRequest, means: RequestMeans): object {
  const { maxOutputTokens: most } = means;
  const maxTokens = Math.min(request.maxOutputTokens, most ?? request.maxOutputTokens);
  const { thinking, effort } = thinkingOf(request, means, maxTokens);
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...toConversation(request.messages, means.caches),
    ...toolsOf(request, means),
    ...outputOf(request, means.form, effort),
    ...thinking,
  };
}

const lessForm = { schema: 'tool', tool: 'words', words: null } as const;
const lessOff = { disabled: 'between_tools', between_tools: null } as const;
const lessOn = { adaptive: 'enabled', enabled: null } as const;

/** Returns simpler means for a new try after a refusal; null if no simpler means exist or nothing was refused. */
export function lessThan(means: RequestMeans, request: ModelRequest, { code, message }: RlmError): RequestMeans | null {
  if (code !== 'request-refused') return null;
  const { form, thinking, thinks, effort, takesEffort, caches } = means;
  const isAsked = request.reasoning !== null && request.reasoning !== 'none';
  if (caches && message.includes('cache_control')) return { ...means, caches: false };
  const statesEffort = effort !== null || (isAsked && takesEffort);
  if (statesEffort && /\beffort\b/.test(message)) return { ...means, effort: null, takesEffort: false };
  // A forced tool excludes thinking, so a message that refuses the tool may also mention thinking.
  const isOfTool = request.schema !== null && form === 'tool' && /tool/i.test(message);
  if (!isOfTool && /thinking/i.test(message)) {
    if (isAsked && thinks !== null) return { ...means, thinks: lessOn[thinks] };
    if (thinking !== null) return { ...means, thinking: lessOff[thinking] };
  }
  const less = request.schema === null ? null : lessForm[form];
  return less === null ? null : { ...means, form: less };
}
