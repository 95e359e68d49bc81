/**
 * A server that asks its client questions, subscribes and logs, which rlm does not do. It shows that the protocol
 * library alone meets the requirements of the conformance suite for such a server.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const codec = createRequestStateCodec<string>({ key: randomBytes(32) });

const ask = (message: string, field: 'name' | 'color' | 'context' | 'ok') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: field === 'ok' ? { type: 'boolean' } : { type: 'string' } },
      required: [field],
    },
  });
const sample = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 100,
  });

const askName = ask('What is your name?', 'name');
const roots = inputRequired.listRoots();

/** Tools that ask the client once, with their questions. */
const askedOnce: Readonly<Record<string, { requests: InputRequests; hasState: boolean }>> = {
  test_input_required_result_elicitation: { requests: { user_name: askName }, hasState: false },
  test_streaming_elicitation: { requests: { user_name: askName }, hasState: false },
  test_input_required_result_sampling: {
    requests: { capital_question: sample('What is the capital of France?') },
    hasState: false,
  },
  test_input_required_result_capabilities: { requests: { greeting: sample('Generate a greeting') }, hasState: false },
  test_input_required_result_list_roots: { requests: { client_roots: roots }, hasState: false },
  test_input_required_result_request_state: { requests: { confirm: ask('Please confirm', 'ok') }, hasState: true },
  test_input_required_result_tampered_state: { requests: { confirm: ask('Please confirm', 'ok') }, hasState: true },
  test_input_required_result_multiple_inputs: {
    requests: { user_name: askName, greeting: sample('Generate a greeting'), client_roots: roots },
    hasState: true,
  },
};

function addRounds(server: McpServer): void {
  for (const [name, { requests, hasState }] of Object.entries(askedOnce))
    server.registerTool(name, {}, async ({ mcpReq }: ServerContext) => {
      const missing = Object.entries(requests).filter(([key, { method }]) =>
        method === 'elicitation/create'
          ? acceptedContent(mcpReq.inputResponses, key) === undefined
          : mcpReq.inputResponses?.[key] === undefined,
      );
      if (missing.length === 0) return text('state-ok');
      const state = hasState ? { requestState: await codec.mint(name) } : {};
      return inputRequired({ inputRequests: Object.fromEntries(missing), ...state });
    });
  server.registerTool('test_input_required_result_multi_round', {}, async ({ mcpReq }: ServerContext) => {
    const { inputResponses } = mcpReq;
    const round = async (key: string, request: ReturnType<typeof ask>) =>
      inputRequired({ inputRequests: { [key]: request }, requestState: await codec.mint(key) });
    if (mcpReq.requestState() === undefined) return round('step1', ask('Step 1: What is your name?', 'name'));
    if (acceptedContent(inputResponses, 'step2') !== undefined) return text('done');
    return round('step2', ask('Step 2: What is your favorite color?', 'color'));
  });
  server.registerPrompt('test_input_required_result_prompt', {}, async ({ mcpReq }: ServerContext) => {
    const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (given !== undefined) return { messages: [{ role: 'user', content: { type: 'text', text: given.context } }] };
    return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } });
  });
}

const withDefaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
} as const;
const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }));
const options = ['option1', 'option2', 'option3'];
const choices = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
} as const;

/** Registers tools that send requests to the client in the form used before 2026-07-28. */
function addOldRequests(server: McpServer): void {
  const prompt = z.object({ prompt: z.string() });
  server.registerTool('test_sampling', { inputSchema: prompt }, async ({ prompt: words }, { mcpReq }) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: words } }];
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
    return text(`LLM response: ${JSON.stringify(content)}`);
  });
  const person = {
    type: 'object' as const,
    properties: { username: { type: 'string' as const }, email: { type: 'string' as const } },
    required: ['username', 'email'],
  };
  server.registerTool(
    'test_elicitation',
    { inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) =>
      text(`User response: ${JSON.stringify(await mcpReq.elicitInput({ message, requestedSchema: person }))}`),
  );
  for (const [name, properties] of [
    ['test_elicitation_sep1034_defaults', withDefaults],
    ['test_elicitation_sep1330_enums', choices],
  ] as const)
    server.registerTool(name, {}, async ({ mcpReq }: ServerContext) => {
      const requestedSchema = { type: 'object', properties } as unknown as typeof person;
      return text(JSON.stringify(await mcpReq.elicitInput({ message: 'Please choose', requestedSchema })));
    });
  server.registerTool('test_tool_with_logging', {}, async ({ mcpReq }: ServerContext) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await mcpReq.log('info', line);
    return text('done');
  });
}

function createAskingServer(): McpServer {
  const server = new McpServer(
    { name: 'asking', version: '0.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } }, requestState: { verify: codec.verify } },
  );
  addRounds(server);
  addOldRequests(server);
  server.registerResource('watched', 'test://watched-resource', {}, async ({ href }) => ({
    contents: [{ uri: href, text: 'watched' }],
  }));
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  return server;
}

/** After a handshake, a client's requests belong to the connection that the handshake opened. */
function createSessions() {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await createAskingServer().connect(transport);
    await transport.handleRequest(request, response);
  };
}

/** Answers requests with and without a handshake. */
export function createAskingEndpoint() {
  const modern = toNodeHandler(createMcpHandler(createAskingServer));
  const sessions = createSessions();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const isModern = request.headers['mcp-protocol-version'] === '2026-07-28';
    void (isModern ? modern(request as Parameters<typeof modern>[0], response) : sessions(request, response));
  };
}
