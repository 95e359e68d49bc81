import { untilAborted, wait } from '../../base/abort.ts';
import { RlmError } from '../../errors.ts';
import type { PromptName } from '../../prompts/index.ts';
import type { ModelInfo, ModelReply, ModelRequest, Provider } from '../provider.ts';

/** A reply: its text, an object that becomes JSON, tools that are called, or an error that the call throws. */
export type ScriptedReply = string | object | ScriptedCalls | RlmError;

interface ScriptedCalls {
  readonly toolCalls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly text?: string;
}

/** `index` counts the calls from 0. */
type ScriptedFunction = (request: ModelRequest, index: number) => ScriptedReply | Promise<ScriptedReply>;

/** A list of replies in the order of the calls, or a function that returns them. */
export type ScriptedSource = readonly ScriptedReply[] | ScriptedFunction;

/** Replies in the order of the calls, or replies by prompt. A single reply serves every call of its prompt. */
export type Script = ScriptedSource | { readonly [N in PromptName]?: ScriptedSource | string | object };

export interface ScriptedOptions {
  /** The minimum duration of a call, in ms; default: 0. */
  readonly latencyMs?: number;
  readonly maxWindowTokens?: number;
  readonly structuredOutput?: boolean;
  readonly tools?: boolean;
  readonly timing?: NonNullable<ModelReply['timing']>;
}

export interface ScriptedProvider extends Provider {
  readonly requests: readonly ModelRequest[];
}

const failed = (message: string, cause?: unknown) => new RlmError('provider-failed', message, { cause });

function toSource(source: ScriptedSource | string | object, name = ''): ScriptedFunction {
  if (typeof source === 'function') return source as ScriptedFunction;
  if (!Array.isArray(source)) return () => source;
  return (_request, index) => {
    if (index < source.length) return source[index];
    throw failed(`the script${name} has run out of replies: it holds ${source.length}`);
  };
}

function readScript(script: Script): ScriptedFunction {
  if (typeof script === 'function' || Array.isArray(script)) return toSource(script);
  const counts = new Map<PromptName, number>();
  return (request) => {
    const { prompt } = request.input;
    const source = (script as Exclude<Script, ScriptedSource>)[prompt];
    if (source === undefined) throw failed(`the script has no reply for the prompt "${prompt}"`);
    const index = counts.get(prompt) ?? 0;
    counts.set(prompt, index + 1);
    return toSource(source, ` for "${prompt}"`)(request, index);
  };
}

const callsTools = (reply: object): reply is ScriptedCalls =>
  'toolCalls' in reply && Array.isArray(reply.toolCalls) && reply.toolCalls.length > 0;

async function replyOf(source: ScriptedFunction, request: ModelRequest, index: number) {
  const reply = await source(request, index);
  if (reply instanceof Error) throw reply;
  if (typeof reply === 'string') return { text: reply, toolCalls: [] };
  if (!callsTools(reply)) return { text: JSON.stringify(reply), toolCalls: [] };
  const toolCalls = reply.toolCalls.map((call, place) => ({ id: `call-${index + 1}-${place + 1}`, ...call }));
  return { text: reply.text ?? '', toolCalls };
}

/** Creates a provider that replies from a script. A call throws `provider-failed` if the script has no reply for it. */
export function createScriptedProvider(script: Script, options: ScriptedOptions = {}): ScriptedProvider {
  const { latencyMs = 0, maxWindowTokens = 32_768, structuredOutput = true, tools = false, timing } = options;
  const source = readScript(script);
  const requests: ModelRequest[] = [];
  const info: ModelInfo = {
    model: 'scripted',
    maxWindowTokens,
    structuredOutput,
    tools,
    spends: 'tokens',
    digest: null,
    callsAtOnce: 8,
    answersWithoutText: true,
    notices: [],
  };

  return {
    name: 'scripted',
    requests,
    async inspect(signal) {
      signal.throwIfAborted();
      return info;
    },
    async call(request, { signal, onProgress }) {
      signal.throwIfAborted();
      const index = requests.push(request) - 1;
      try {
        const reply = replyOf(source, request, index);
        const delay = latencyMs > 0 ? wait(latencyMs, signal) : undefined;
        const [said] = await untilAborted(Promise.all([reply, delay]), signal);
        onProgress?.(said.text.length, said.text);
        return { ...said, tokens: null, finish: 'stop', ...(timing && { timing }) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof RlmError) throw error;
        throw failed(`the script failed: ${error instanceof Error ? error.message : String(error)}`, error);
      }
    },
  };
}
