/**
 * Makes chat calls: parameters that a server refuses are left out of a further request, and a cut prompt is detected.
 */
import { RlmError } from '../../errors.ts';
import { alwaysFits, looksCut, measure, withoutRuns } from '../ollama/chat/window.ts';
import type { CallOptions, ModelReply, ModelRequest } from '../provider.ts';
import type { HttpFetch } from '../wire/http.ts';
import { streamChat } from './client.ts';
import { Refusal } from './errors.ts';
import { collectReply, toModelReply } from './reply.ts';
import { chatBody, type Optional, refusedBy } from './request.ts';
import type { OpenAiTarget } from './target.ts';

/**
 * Throws `prompt-too-long` when the server must have cut the prompt, as LM Studio and Ollama's /v1 may without saying
 * so.
 * @param window the window in tokens; null where unknown.
 */
function assertWhole(request: ModelRequest, counted: number, window: number | null, target: OpenAiTarget): void {
  const text = request.messages.map(({ content }) => content).join('\n');
  const size = measure(text);
  if (counted <= 0 || size.bytes < alwaysFits) return;
  // A window that is not known holds at least what was counted.
  const least = window ?? counted + 2;
  if (!looksCut(size, counted, least) || !looksCut(measure(withoutRuns(text)), counted, least)) return;
  const what = `${target.display} cut it to ${counted} tokens without saying so`;
  throw new RlmError('prompt-too-long', `the prompt does not fit ${target.model}'s window: ${what}`, {
    hint: target.names.shorten,
  });
}

/** Returns the message with which a server refused a request before it began to reply; null for other failures. */
const refusalOf = (error: unknown): string | null =>
  error instanceof RlmError && error.cause instanceof Refusal ? error.cause.words : null;

/** Refusals that the user may notice in the replies. */
const telling: readonly Optional[] = ['json_schema', 'json_object', 'tools', 'temperature', 'seed'];

/** Rewrites a request for a model that accepts no tools: it asks for calls as text. */
async function messagesFor(request: ModelRequest, refused: ReadonlySet<Optional>): Promise<ModelRequest> {
  if (!refused.has('tools')) return request;
  const { withoutTools } = await import('../wire/tools-in-words.ts');
  return { ...request, messages: withoutTools(request) };
}

/** Creates the function that calls one server, and remembers what the server refuses. */
export function createChat(http: HttpFetch) {
  const known = new Set<Optional>();

  /** Remembers refusals, only after a request without them succeeded. */
  function learn(refused: ReadonlySet<Optional>, { model, display }: OpenAiTarget, { onNotice }: CallOptions): void {
    const told = [...refused].filter((name) => !known.has(name) && telling.includes(name));
    for (const name of refused) known.add(name);
    if (told.length > 0) onNotice?.(`${model} at ${display} takes no ${told.join(', ')}: it is asked without`);
  }

  /** Each further request leaves out at least one parameter of the one before, and there are few. */
  return async (
    request: ModelRequest,
    target: OpenAiTarget,
    window: number | null,
    options: CallOptions,
  ): Promise<ModelReply> => {
    const refused = new Set(known);
    for (let output = 0; ; ) {
      const body = chatBody(await messagesFor(request, refused), target, refused);
      const progress = (characters: number, text?: string) => {
        output = characters;
        options.onProgress?.(characters, text);
      };
      try {
        const read = (parts: AsyncIterable<object>) => collectReply(parts, progress);
        const collected = await streamChat(http, target, body, options.signal, read);
        learn(refused, target, options);
        const reply = toModelReply(collected, request, target);
        assertWhole(request, reply.tokens?.input ?? 0, window, target);
        return reply;
      } catch (error) {
        const words = output > 0 ? null : refusalOf(error);
        const named = words === null ? [] : refusedBy(words, body, refused);
        if (named.length === 0) throw error;
        for (const name of named) refused.add(name);
      }
    }
  };
}
