import * as z from 'zod/mini';
import { words } from '../parameters.ts';
import { filesAt } from '../text/documents.ts';
import { mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  name: words('Name to give the context: letters, digits, _ and -.'),
  content: z.optional(
    words('The text itself. For files, use path instead, so that their text does not pass through you.'),
  ),
  path: z.optional(words('A file, a folder or a glob such as docs/**/*.md, under the roots that the user allows.')),
  persist: z._default(
    z.boolean().check(z.describe('Save it in the state folder under its name, for later sessions.')),
    false,
  ),
});

const output = z.object({
  status: z.literal('loaded'),
  name: z.string().check(z.describe('The name to use for the context from now on.')),
  length: z.number(),
  lines: z.number(),
  hash: z.string(),
  documents: z.number(),
  bytes: z.number(),
  warnings: z.array(z.string()),
});

export const loadContext = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_load_context',
  title: 'Load a context',
  about:
    'Loads a large text (files, a folder, or content) under a name, outside of your context window. Then ask about it with rlm_ask, search it with rlm_search, or divide it with rlm_chunk_context and ask about single chunks with rlm_sub_query. Prefer path over content.',
  input,
  output,
  isReadOnly: false,
  isIdempotent: true,
  asksModel: false,
  async run({ name, content, path, persist }, call) {
    if ((content === undefined) === (path === undefined))
      throw new ToolFailure('invalid_arguments', 'Give either content or path.');
    const documents = path === undefined ? [{ name, text: content! }] : await filesAt([path], call);
    const from = path ?? 'content';
    const loaded = await call.world.contexts.load(name, from, documents, call.signal);
    if (persist) await call.world.contexts.keep(loaded.name);
    const { context, length, lines, hash } = loaded;
    return {
      status: 'loaded',
      name: loaded.name,
      length,
      lines,
      hash,
      documents: context.documents.length,
      bytes: context.documents.reduce((sum, { bytes }) => sum + bytes, 0),
      warnings: [...context.warnings],
    };
  },
});
