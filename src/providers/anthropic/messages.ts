/** Converts messages to the format of Anthropic's API, and marks the prefix that stays the same from call to call. */
import type Anthropic from '@anthropic-ai/sdk';
import type { Message, ToolCall } from '../provider.ts';
import { asObject, parseObject } from '../wire/json.ts';

type Block = Anthropic.TextBlockParam | Anthropic.ToolUseBlockParam | Anthropic.ToolResultBlockParam;

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

/** A prompt's messages in the API's format. */
export interface Conversation {
  readonly system?: Anthropic.TextBlockParam[];
  readonly messages: Anthropic.MessageParam[];
}

const mark = { cache_control: { type: 'ephemeral' } } as const;

/** The API refuses text without any characters that show. */
const textBlocks = (text: string): Anthropic.TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

/** Another provider may have made the id; this API takes letters, digits, `_` and `-`. */
const idOf = (id: string): string => id.replace(/[^\w-]/g, '_') || '_';

/** The API takes nothing but an object. */
function inputOf({ arguments: given }: ToolCall): object {
  if (typeof given === 'string') return parseObject(given) ?? { text: given };
  if (given === null || given === undefined) return {};
  return typeof given === 'object' && !Array.isArray(given) ? asObject(given) : { value: given };
}

const toolUse = (call: ToolCall): Block => ({
  type: 'tool_use',
  id: idOf(call.id),
  name: call.name,
  input: inputOf(call),
});

function toTurn(message: Message): Turn {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: 'user', content: textBlocks(message.content) };
    case 'assistant':
      return {
        role: 'assistant',
        content: [...textBlocks(message.content), ...(message.toolCalls ?? []).map(toolUse)],
      };
    case 'tool': {
      const said = message.content === '' ? {} : { content: message.content };
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: idOf(message.callId), ...said }] };
    }
  }
}

/** Makes turns alternate: leaves out empty ones, and joins neighbours of one role. */
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

/**
 * Converts messages: system messages become system blocks, tool results blocks of a user turn.
 * @param isMarked whether the stable prefix is marked for caching: the system blocks, and in a conversation that grows
 *   everything before its last turn.
 */
export function toConversation(messages: readonly Message[], isMarked: boolean): Conversation {
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
