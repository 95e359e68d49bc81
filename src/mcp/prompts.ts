import * as z from 'zod/mini';
import { readArguments } from './arguments.ts';
import { type McpServer, ProtocolError, ProtocolErrorCode } from './protocol.ts';
import { anyArguments } from './standard.ts';
import type { World } from './world.ts';

const input = z.object({
  question: z.string().check(z.describe('The question.')),
  paths: z.optional(z.string().check(z.describe('Files or folders, separated by spaces.'))),
});

function readGiven(given: unknown): z.infer<typeof input> {
  try {
    return readArguments(input, given);
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, (error as Error).message);
  }
}

function wordsFor(all: unknown, role: string | null) {
  const { question, paths } = readGiven(all);
  const given = [
    ...(paths === undefined ? [] : [`paths: ${JSON.stringify(paths.split(/\s+/).filter(Boolean))}`]),
    ...(role === null ? [] : [`role: ${role}`]),
  ];
  const text = [
    `Answer this with the tool rlm_ask${given.length > 0 ? ` (${given.join(', ')})` : ''}: ${question}`,
    'Give the answer with its citations (file and lines) and its confidence.',
    'If the confidence is below 50 or there is a warning, read the cited lines with rlm_search before you rely on them.',
  ].join('\n');
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

/** Registers the prompt `ask-with-evidence`, and a prompt for each role. */
export function registerPrompts(server: McpServer, { roles }: World): void {
  const argsSchema = anyArguments(input);
  const about = 'Answers a question about a large text with checked citations, and shows where the evidence is weak.';
  const plain = { title: 'Ask with evidence', description: about, argsSchema };
  server.registerPrompt('ask-with-evidence', plain, (given: unknown) => wordsFor(given, null));
  for (const { name, about: description } of roles) {
    const config = { title: `Ask as ${name}`, description, argsSchema };
    server.registerPrompt(`role-${name}`, config, (given: unknown) => wordsFor(given, name));
  }
}
