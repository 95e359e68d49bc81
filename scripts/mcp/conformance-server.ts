/**
 * The server with tools that the conformance suite calls, over HTTP and without a token, which the suite cannot send.
 * Prints its address.
 */
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { createEndpoint } from '../../src/mcp/http.ts';
import { createServer, register } from '../../src/mcp/server.ts';
import { mcpTool } from '../../src/mcp/tool.ts';
import { ToolFailure } from '../../src/mcp/tool-failure.ts';
import { openWorld } from '../../src/mcp/world.ts';

const nothing = z.object({});
const hints = { isReadOnly: true, isIdempotent: true, asksModel: false } as const;
const words = { title: 'A tool of the conformance suite', about: 'A tool that the conformance suite calls.' };

const fixtures = [
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
];

const flags = new Map([['provider', 'extractive']]);
const world = await openWorld({ paths: [], flags, fileTools: [], isShared: true, version: '0.0.0' });
const endpoint = createEndpoint(
  () => {
    const server = createServer(world);
    for (const tool of fixtures) register(server, tool, world);
    return server;
  },
  null,
  (error) => console.error(error.message),
);
const server = createHttpServer(endpoint.answer);
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
