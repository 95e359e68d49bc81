import { expect, it } from 'vitest';
import { registerPrompts } from '../../src/mcp/prompts.ts';
import type { McpServer } from '../../src/mcp/protocol.ts';
import type { World } from '../../src/mcp/world.ts';

it('a prompt ignores blanks around its paths', () => {
  const texts: string[] = [];
  const registerPrompt = (_: string, __: object, answer: (given: unknown) => ReturnType<typeof JSON.parse>) =>
    void texts.push(answer({ question: 'Why?', paths: ' docs  src\n' }).messages[0].content.text);
  registerPrompts({ registerPrompt } as unknown as McpServer, { roles: [] } as unknown as World);
  expect(texts).toEqual([expect.stringContaining('(paths: ["docs","src"]): Why?')]);
});
