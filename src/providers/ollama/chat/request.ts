/** Creates requests of Ollama's chat API (`ChatRequest` and `Message` in its api/types.go). */
import type { ChatRequest } from 'ollama/browser';
import type { Message, ModelRequest, ToolSpec } from '../../provider.ts';
import { argumentsOf } from '../../wire/tool-arguments.ts';
import { duration } from '../rest.ts';
import type { Offers } from './offers.ts';

/** Fields that the server accepts and the client's types lack or define differently. */
type FullChatRequest = Omit<ChatRequest, 'messages' | 'tools' | 'stream'> & {
  messages: readonly object[];
  tools?: readonly object[];
  stream: true;
  truncate: boolean;
  shift: boolean;
};

function toMessage(message: Message): object {
  const { role, content } = message;
  if (message.role === 'tool') {
    return { role, content, tool_name: message.name, tool_call_id: message.callId };
  }
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return { role, content };
  const called = calls.map((call) => ({ id: call.id, function: { name: call.name, arguments: argumentsOf(call) } }));
  return { role, content, tool_calls: called };
}

/** Token alternatives that the server returns, at most. */
const mostAlternatives = 20;

const toTool = ({ name, about, schema }: ToolSpec): object => ({
  type: 'function',
  function: { name, description: about, parameters: schema },
});

async function messagesOf(
  request: ModelRequest,
  { tools }: Offers,
): Promise<Pick<FullChatRequest, 'messages' | 'tools'>> {
  const { messages } = request;
  if (!tools) return { messages: (await import('../../wire/tools-in-words.ts')).withoutTools(request) };
  const offered = request.tools.length === 0 ? {} : { tools: request.tools.map(toTool) };
  return { messages: messages.map(toMessage), ...offered };
}

/** Returns which of the model's accepted features a request uses. */
export const usedBy = ({ schema, tools, messages, logprobs }: ModelRequest, offers: Offers): Offers => ({
  tools: offers.tools && (tools.length > 0 || messages.some(({ role }) => role === 'tool')),
  logprobs: offers.logprobs && logprobs,
  think: schema === null ? null : offers.think,
});

/**
 * Returns the body of a request.
 * @param offers features that the model accepts.
 */
export async function chatRequest(
  request: ModelRequest,
  model: string,
  offers: Offers,
  keepAlive: string | undefined,
): Promise<ChatRequest & { stream: true }> {
  const { schema, windowTokens, maxOutputTokens, temperature, seed } = request;
  // A format holds from the first token on, so a model that thinks first would have to think in JSON.
  const { think, logprobs } = usedBy(request, offers);
  const body: FullChatRequest = {
    model,
    ...(await messagesOf(request, offers)),
    stream: true,
    options: { num_ctx: windowTokens, num_predict: maxOutputTokens, temperature, ...(seed === null ? {} : { seed }) },
    // Refuse a prompt that does not fit, and stop at the end of the window, instead of dropping text to make room.
    truncate: false,
    shift: false,
    ...(schema === null ? {} : { format: schema }),
    ...(think === null ? {} : { think }),
    ...(logprobs ? { logprobs: true, top_logprobs: mostAlternatives } : {}),
    ...(keepAlive === undefined ? {} : { keep_alive: duration(keepAlive) }),
  };
  return body as unknown as ChatRequest & { stream: true };
}
