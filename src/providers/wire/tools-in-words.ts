import { prompts } from '../../prompts/index.ts';
import { describeReply } from '../../prompts/reply/reply-form.ts';
import type { Message, ModelRequest } from '../provider.ts';
import { argumentsOf } from './reply-parts.ts';

function inWords(message: Message): Message {
  if (message.role === 'tool') return { role: 'user', content: `Result of ${message.name}:\n${message.content}` };
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const written = calls.map((call) => `${call.name} ${JSON.stringify(argumentsOf(call))}`);
  const { role, content } = message;
  return { role, content: [content, ...written].filter((part) => part !== '').join('\n') };
}

function howToWrite({ tools, input }: ModelRequest): Message {
  const listed = tools.map(({ name, about, schema }) => `- ${name}: ${about} Arguments: ${JSON.stringify(schema)}`);
  const form = describeReply(prompts[input.prompt].fields, 'labelled');
  const content = `Tools cannot be called directly here: write the calls down.\n${listed.join('\n')}\n\n${form}`;
  return { role: 'user', content };
}

/** Returns a request's messages with calls and results as text. If there are tools, a last message describes them. */
export function withoutTools(request: ModelRequest): Message[] {
  const messages = request.messages.map(inWords);
  return request.tools.length === 0 ? messages : [...messages, howToWrite(request)];
}
