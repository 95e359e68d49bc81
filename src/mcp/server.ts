import * as z from 'zod/mini';
import { expectation } from '../base/expectation.ts';
import { beginning } from '../base/text.ts';
import { RlmError } from '../errors.ts';
import type { RunEvent } from '../run/events.ts';
import { checkNames, readArguments, ToolFailure } from './arguments.ts';
import { registerPrompts } from './prompts.ts';
import { type JSONRPCMessage, McpServer, ProtocolErrorCode, type ServerContext } from './protocol.ts';
import { registerResources } from './resources.ts';
import { anyArguments, standard } from './standard.ts';
import type { McpTool } from './tool.ts';
import { mcpTools } from './tools/index.ts';
import type { World } from './world.ts';

const instructions = `rlm answers questions about more text than fits into your context window, and cites its sources.
Use rlm_ask with paths (or a loaded context) instead of reading large files yourself: only the answer, its citations and its confidence come back.
A confidence below 50 or a warning means: check the cited lines. For long questions use rlm_start and rlm_result.`;

const limitReached = 6;

/** Whether a hint names a command or a flag, so that only the user can follow it. */
const isForTerminal = (hint: string): boolean => /\brlm [a-z]|(?:^|[\s(])-{1,2}[a-z]/.test(hint);

function adviceOf({ hint, exitCode }: RlmError): string {
  if (exitCode === limitReached) return "Ask a narrower question, or give a higher limit, at most the user's limit.";
  if (!hint) return '';
  return isForTerminal(hint) ? `The user can fix this in a terminal: ${hint}` : hint;
}

const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

/** Returns an error in the form that the reference server (docs/mcp.md) uses. */
function failure(thrown: unknown) {
  const code = thrown instanceof ToolFailure || thrown instanceof RlmError ? thrown.code : 'internal';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const advice = thrown instanceof RlmError ? adviceOf(thrown) : '';
  const said = [sentence(message), advice].filter(Boolean).join(' ').toWellFormed();
  const body = { error: code, message: beginning(said, 4_000) };
  return { isError: true, content: [{ type: 'text' as const, text: JSON.stringify(body) }] };
}

const progressEveryMs = 10_000;

const described = (event: RunEvent): string | null => {
  if (event.type === 'run.started') return `run ${event.runId} started; rlm_result returns its state`;
  if (event.type === 'stage.started') return `stage: ${event.stage}`;
  if (event.type === 'node.started') return `question: ${beginning(event.question, 200)}`;
  return event.type === 'call.completed' ? `call ${event.call} is done` : null;
};

/** Sends progress to a client that requested it, at least every 10 seconds. */
function createProgress({ mcpReq }: ServerContext) {
  const token = mcpReq._meta?.progressToken;
  let progress = 0;
  let last = 'started';
  function tell(message: string): void {
    if (token === undefined || mcpReq.signal.aborted) return;
    last = message;
    progress += 1;
    const params = { progressToken: token, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}); // The client has gone away.
  }
  tell(last);
  const timer = setInterval(() => tell(last), progressEveryMs);
  return {
    onEvent(event: RunEvent): void {
      const message = described(event);
      if (message !== null) tell(message);
    },
    stop: () => clearInterval(timer),
  };
}

/** Maximum length of a result, in UTF-16 units. Some clients move a result of more than 50,000 units to a file. */
const mostCharacters = 48_000;

const cutText = (text: string): string =>
  text.length <= mostCharacters ? text : `${beginning(text, mostCharacters)}\n[cut at ${mostCharacters} characters]`;

async function answer<T>(context: ServerContext, run: (onEvent: (event: RunEvent) => void) => Promise<T>) {
  const progress = createProgress(context);
  try {
    return await run(progress.onEvent);
  } catch (error) {
    return failure(error);
  } finally {
    progress.stop();
  }
}

export function register(server: McpServer, tool: McpTool, world: World): void {
  const { name, title, about: description, isReadOnly, isIdempotent, asksModel } = tool;
  const hints = { readOnlyHint: isReadOnly, idempotentHint: isIdempotent, openWorldHint: asksModel };
  const annotations = { title, ...hints, destructiveHint: false };
  const schemas = { inputSchema: anyArguments(tool.input), outputSchema: standard(tool.output) };
  const config = { title, description, annotations, ...schemas };
  server.registerTool(name, config, (given: unknown, context: ServerContext) =>
    answer(context, async (onEvent) => {
      const found = await tool.run(readArguments(tool.input, given), { world, signal: context.mcpReq.signal, onEvent });
      const text = tool.toText?.(found) ?? JSON.stringify(found, null, 2);
      return {
        content: [{ type: 'text' as const, text: cutText(text) }],
        structuredContent: found as Record<string, unknown>,
      };
    }),
  );
}

function registerFileTools(server: McpServer, { fileTools }: World): void {
  for (const { name, about, schema } of fileTools?.specs ?? []) {
    const inputSchema = standard(z.record(z.string(), z.unknown()), () => schema as Record<string, unknown>);
    const { properties } = schema as { readonly properties: object };
    const hints = { readOnlyHint: true, idempotentHint: true, openWorldHint: false, destructiveHint: false };
    const config = { title: name.replaceAll('_', ' '), description: about, annotations: hints, inputSchema };
    server.registerTool(name, config, (given: Record<string, unknown> | undefined, context: ServerContext) =>
      answer(context, async () => {
        checkNames(properties, given ?? {});
        const text = await fileTools!.call(name, given, context.mcpReq.signal);
        return { content: [{ type: 'text' as const, text: cutText(text) }] };
      }),
    );
  }
}

/** The library reports wrong parameters as a JSON list. Replaces the list with a sentence, and sets the error code. */
function worded(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { error } = message;
  try {
    const [issue] = JSON.parse(error.message.slice(error.message.indexOf('[\n  {'))) as [z.core.$ZodIssue];
    const text = `Invalid params: ${issue.path.join('.')}: ${expectation(issue)}`;
    return { ...message, error: { ...error, code: ProtocolErrorCode.InvalidParams, message: text } };
  } catch {
    return message; // The error holds no list of issues.
  }
}

/** Clients get no notice of changes: tools and prompts never change, and clients list resources on demand. */
const unchanging = { listChanged: false };
const fixedLists = { tools: unchanging, resources: unchanging, prompts: unchanging };

/** Creates the server for one connection or one request. */
export function createServer(world: World): McpServer {
  const about = { name: 'rlm', title: 'rlm', version: world.version };
  const server = new McpServer(about, { instructions, capabilities: fixedLists });
  for (const tool of mcpTools) register(server, tool, world);
  registerFileTools(server, world);
  registerResources(server, world);
  registerPrompts(server, world);
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(worded(message), options);
    return connect(transport);
  };
  return server;
}
