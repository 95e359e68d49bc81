/** Makes chat calls: refused parameters are left out of a further request, and a cut prompt is detected. */
import type { CallOptions, ModelReply, ModelRequest } from '../provider.ts';
import { assertWhole } from '../wire/cut-prompt.ts';
import { refusalOf } from '../wire/server-errors.ts';
import { readReply } from './reply.ts';
import { chatBody, type Optional, refusedBy } from './request.ts';
import { type OpenAiTarget, postTo } from './target.ts';

const accepted = 'text/event-stream, application/json';

/** Refusals that the user may notice in the replies. */
const telling: readonly Optional[] = ['json_schema', 'json_object', 'tools', 'temperature', 'seed'];

/** Rewrites a request for a model that accepts no tools: it asks for calls as text. */
async function messagesFor(request: ModelRequest, refused: ReadonlySet<Optional>): Promise<ModelRequest> {
  if (!refused.has('tools')) return request;
  const { withoutTools } = await import('../wire/tools-in-words.ts');
  return { ...request, messages: withoutTools(request) };
}

/** Creates the function that calls one server, and remembers what the server refuses. */
export function createChat() {
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
        const response = await postTo(target, '/chat/completions', options.signal, body, accepted);
        const reply = await readReply(response, request, target, progress);
        learn(refused, target, options);
        assertWhole(request, reply.tokens?.input || null, window, target);
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
