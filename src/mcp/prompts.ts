/** Prompts that the user of a client can choose. */

import * as z from 'zod/mini';
import type { McpServer } from './protocol.ts';
import { standard } from './standard.ts';
import type { World } from './world.ts';

const input = z.object({
  question: z.string().check(z.describe('The question.')),
  paths: z.optional(z.string().check(z.describe('Files or folders, separated by spaces.'))),
});

type Given = z.infer<typeof input>;

/** Returns the instructions for the client's model. */
function wordsFor({ question, paths }: Given, role: string | null) {
  const given = [
    ...(paths === undefined ? [] : [`paths: ${JSON.stringify(paths.split(/\s+/))}`]),
    ...(role === null ? [] : [`role: ${role}`]),
  ];
  const text = [
    `Answer this with the tool rlm_ask${given.length > 0 ? ` (${given.join(', ')})` : ''}: ${question}`,
    'Give the answer with its citations (file and lines) and its confidence.',
    'If the confidence is below 50 or there is a warning, read the cited lines with rlm_search before you rely on them.',
  ].join('\n');
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

/** Registers "ask with evidence", and a prompt for each role. */
export function registerPrompts(server: McpServer, { roles }: World): void {
  const argsSchema = standard(input);
  const about = 'Answers a question about a large text with checked citations, and shows where the evidence is weak.';
  const plain = { title: 'Ask with evidence', description: about, argsSchema };
  server.registerPrompt('ask-with-evidence', plain, (given: Given) => wordsFor(given, null));
  for (const { name, about: description } of roles) {
    const config = { title: `Ask as ${name}`, description, argsSchema };
    server.registerPrompt(`role-${name}`, config, (given: Given) => wordsFor(given, name));
  }
}
