/**
 * The tools, resources and prompts that the conformance suite calls. They are added to the server of rlm, and each has
 * one fixed result.
 */
import { completable, inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ToolFailure } from '../../src/mcp/arguments.ts';
import { type McpServer, ResourceTemplate } from '../../src/mcp/protocol.ts';
import { register } from '../../src/mcp/server.ts';
import { mcpTool } from '../../src/mcp/tool.ts';
import type { World } from '../../src/mcp/world.ts';

/** A PNG of one pixel, and a WAV without a sample. */
const picture = {
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
} as const;
const sound = { data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', mimeType: 'audio/wav' } as const;
const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, ...picture };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

const contents = {
  test_image_content: [image],
  test_audio_content: [{ type: 'audio' as const, ...sound }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

/** Tools that send requests to the client. A client that has not declared the ability gets an error. */
const asked = {
  test_missing_capability: inputRequired.createMessage({ messages: [], maxTokens: 10 }),
  test_streaming_elicitation: inputRequired.elicit({
    message: 'Name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  }),
};

const nothing = z.object({});
const hints = { isReadOnly: true, isIdempotent: true, asksModel: false } as const;
const words = { title: 'Part of the conformance suite', about: 'What the conformance suite asks for.' };

/** Defined like the tools of rlm: `register` creates their text, errors and progress. */
const tools = [
  mcpTool({
    ...{ ...hints, ...words, name: 'test_simple_text', input: nothing, output: nothing },
    run: async () => ({}),
    toText: () => 'This is a simple text response for testing.',
  }),
  mcpTool({
    ...{ ...hints, ...words, name: 'test_error_handling', input: nothing, output: nothing },
    run: async () => {
      throw new ToolFailure('test', 'This tool intentionally returns an error for testing');
    },
  }),
  mcpTool({
    ...{ ...hints, ...words, name: 'test_tool_with_progress', input: nothing, output: nothing },
    run: async (_, { onEvent }) => {
      for (const call of [1, 2]) onEvent({ type: 'call.completed', call } as Parameters<typeof onEvent>[0]);
      return {};
    },
    toText: () => 'done',
  }),
];

function addTools(server: McpServer, world: World): void {
  for (const tool of tools) register(server, tool, world);
  const config = { description: words.about };
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, config, async () => ({ content: [...content] }));
  for (const [name, request] of Object.entries(asked))
    server.registerTool(name, config, async () => inputRequired({ inputRequests: { one: request } }));
  server.registerTool('test_logging_tool', config, async ({ mcpReq }: ServerContext) => {
    await mcpReq.log('info', 'a line of log').catch(() => {}); // rlm does not declare logging.
    return { content: [text('done')] };
  });
}

function addResources(server: McpServer): void {
  const uri = 'test://static-text';
  server.registerResource('text', uri, { mimeType: 'text/plain' }, async () => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  const binary = 'test://static-binary';
  server.registerResource('binary', binary, { mimeType: picture.mimeType }, async () => ({
    contents: [{ uri: binary, mimeType: picture.mimeType, blob: picture.data }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, async ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }));
}

const says = (...content: readonly (ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>)[]) => ({
  messages: content.map((one) => ({ role: 'user' as const, content: one })),
});

function addPrompts(server: McpServer): void {
  const { title, about: description } = words;
  const plain = { title, description };
  server.registerPrompt('test_simple_prompt', plain, async () => says(text('This is a simple prompt for testing.')));
  server.registerPrompt('test_prompt_with_image', plain, async () =>
    says(image, text('Please analyze the image above.')),
  );
  const two = z.object({ arg1: completable(z.string(), () => ['test1', 'test2']), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { ...plain, argsSchema: two }, async ({ arg1, arg2 }) =>
    says(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = z.object({ resourceUri: z.string() });
  server.registerPrompt('test_prompt_with_embedded_resource', { ...plain, argsSchema: one }, async ({ resourceUri }) =>
    says(
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ),
  );
}

/** Adds tools, resources and prompts of the suite to a server. */
export function addFixtures(server: McpServer, world: World): void {
  addTools(server, world);
  addResources(server);
  addPrompts(server);
}
