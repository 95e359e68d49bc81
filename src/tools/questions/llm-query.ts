import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { renderPassages } from '../../prompts/prompt.ts';
import type { NamedContext } from '../contexts/contexts.ts';
import { beginningOf } from '../page.ts';
import { text } from '../parameters.ts';
import type { Tool, ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

const parameters = z.object({
  text: text('what to do, and the text to do it with'),
  context: z.optional(z.string().check(z.describe('a context or chunk whose text is added, such as "text#3"'))),
});

/** The size of a passage's tags, in bytes. */
const tagBytes = 120;

function textOf(context: NamedContext, given: string, { contexts, questions }: ToolWorld): string {
  const { name, store } = context;
  const bytes = store.totalBytes + store.chunkCount * tagBytes + Buffer.byteLength(given);
  const room = questions!.roomBytes;
  if (bytes > room)
    throw new ToolError(
      `${name} has ${counted(bytes, 'byte')}, and one call has room for ${room}: name a chunk such as ${name}#1, or use sub_query.`,
    );
  const indexes = Array.from({ length: store.chunkCount }, (_, index) => index);
  return `${given}\n\n${renderPassages(contexts.show(context, indexes))}`;
}

export const llmQuery: Tool<z.infer<typeof parameters>> = {
  name: 'llm_query',
  about:
    'Has a model do something with a given text in one call, such as sum up, translate or extract. It sees nothing else.',
  parameters,
  example: { text: 'List every person who is named, one to a line.', context: 'text#3' },
  needs: 'questions',
  async run({ text: given, context: name }, world) {
    const { contexts, questions, bounds } = world;
    const whole = name ? textOf(contexts.get(name), given, world) : given;
    if (Buffer.byteLength(whole) > questions!.roomBytes)
      throw new ToolError(
        `the text has ${counted(Buffer.byteLength(whole), 'byte')}; one call has room for ${questions!.roomBytes}.`,
      );
    return beginningOf(await questions!.query(whole), bounds);
  },
};
