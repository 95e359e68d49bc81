/** Prompts that a user of a client can choose. */

import * as z from 'zod/mini';
import type { McpServer } from './protocol.ts';
import { standard } from './standard.ts';

const input = z.object({
  question: z.string().check(z.describe('What you want to know.')),
  paths: z.optional(z.string().check(z.describe('Files or folders, separated by spaces.'))),
});

/** Registers "ask with evidence". */
export function registerPrompts(server: McpServer): void {
  const config = {
    title: 'Ask with evidence',
    description: 'Answers a question over large text with checked citations, and says where the evidence is thin.',
    argsSchema: standard(input),
  };
  server.registerPrompt('ask-with-evidence', config, ({ question, paths }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'text',
          text: [
            `Answer this with the tool rlm_ask${paths ? ` (paths: ${JSON.stringify(paths.split(/\s+/))})` : ''}: ${question}`,
            'Give the answer with its citations (file and lines). Say what its confidence is.',
            'Where the confidence is below 50, or a warning is given, read the cited lines with rlm_search before you rely on them.',
          ].join('\n'),
        },
      },
    ],
  }));
}
