import * as z from 'zod/mini';
import { contextName, wholeNumber } from '../parameters.ts';
import { mcpTool } from '../tool.ts';

const input = z.object({
  name: contextName,
  preview_chars: z._default(wholeNumber(0, 20_000, 'Characters to show from the beginning; default 500.'), 500),
});

const output = z.object({
  name: z.string(),
  length: z.number(),
  lines: z.number(),
  preview: z.string(),
  has_chunks: z.boolean(),
  chunk_count: z.number(),
  documents: z.array(z.object({ name: z.string(), kind: z.string(), bytes: z.number(), lines: z.number() })),
  more_documents: z.number(),
});

const listed = 100;
const bytesOfCharacter = 4;

export const inspectContext = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_inspect_context',
  title: 'Inspect a context',
  about: 'Describes a loaded context: its length, its documents and its first characters. Calls no model.',
  input,
  output,
  isReadOnly: true,
  isIdempotent: true,
  asksModel: false,
  async run({ name, preview_chars: wanted }, { world }) {
    const { context, length, lines, cut } = await world.contexts.get(name);
    const bytes = context.documents.length === 0 ? new Uint8Array() : context.read(0, 0, wanted * bytesOfCharacter);
    const preview = [...new TextDecoder().decode(bytes, { stream: true })].slice(0, wanted).join('');
    const { listed: documents } = context.describe({ maxDocuments: listed, firstLines: 0 });
    return {
      name,
      length,
      lines,
      preview,
      has_chunks: cut !== null,
      chunk_count: cut?.chunks.length ?? 0,
      documents: documents.map((document) => ({
        name: document.name,
        kind: document.kind,
        bytes: document.bytes,
        lines: document.lines,
      })),
      more_documents: context.documents.length - documents.length,
    };
  },
});
