import * as z from 'zod/mini';
import type { Context } from '../../api/open-context.ts';
import { RlmError } from '../../errors.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import { contextName, ToolFailure, wholeNumber, words } from '../arguments.ts';
import { chunkLines } from '../text/chunks.ts';
import { placeOfLine } from '../text/contexts.ts';
import { filesAt } from '../text/documents.ts';
import { changing, mcpTool, reading } from '../tool.ts';

export const loadContext = mcpTool({
  name: 'rlm_load_context',
  title: 'Load a context',
  about:
    'Loads a large text (files, a folder, or content) under a name, outside of your context window. Then ask about it with rlm_ask, search it with rlm_search, or divide it with rlm_chunk_context and ask about single chunks with rlm_sub_query. Prefer path over content.',
  input: z.object({
    name: words('Name to give the context: letters, digits, _ and -.'),
    content: z.optional(
      words('The text itself. For files, use path instead, so that their text does not pass through you.'),
    ),
    path: z.optional(words('A file, a folder or a glob such as docs/**/*.md, under the roots that the user allows.')),
    persist: z._default(
      z.boolean().check(z.describe('Save it in the state folder under its name, for later sessions.')),
      false,
    ),
  }),
  output: z.object({
    status: z.literal('loaded'),
    name: z.string().check(z.describe('The name to use for the context from now on.')),
    length: z.number(),
    lines: z.number(),
    hash: z.string(),
    documents: z.number(),
    bytes: z.number(),
    warnings: z.array(z.string()),
  }),
  ...changing,
  async run({ name, content, path, persist }, call) {
    if ((content === undefined) === (path === undefined))
      throw new ToolFailure('invalid_arguments', 'Give either content or path.');
    const documents = path === undefined ? [{ name, text: content! }] : await filesAt([path], call);
    const loaded = await call.world.contexts.load(name, path ?? 'content', documents, call.signal);
    if (persist) await call.world.contexts.keep(loaded.name);
    const { context, length, lines, hash } = loaded;
    return {
      status: 'loaded',
      ...{ name: loaded.name, length, lines, hash },
      documents: context.documents.length,
      bytes: context.documents.reduce((sum, { bytes }) => sum + bytes, 0),
      warnings: [...context.warnings],
    };
  },
});

const listedDocuments = 100;
const bytesOfCharacter = 4;

export const inspectContext = mcpTool({
  name: 'rlm_inspect_context',
  title: 'Inspect a context',
  about: 'Describes a loaded context: its length, its documents and its first characters. Calls no model.',
  input: z.object({
    name: contextName,
    preview_chars: z._default(wholeNumber(0, 20_000, 'Characters to show from the beginning; default 500.'), 500),
  }),
  output: z.object({
    name: z.string(),
    length: z.number(),
    lines: z.number(),
    preview: z.string(),
    has_chunks: z.boolean(),
    chunk_count: z.number(),
    documents: z.array(z.object({ name: z.string(), kind: z.string(), bytes: z.number(), lines: z.number() })),
    more_documents: z.number(),
  }),
  ...reading,
  run: ({ name, preview_chars: wanted }, { world }) =>
    world.contexts.use(name, async ({ context, length, lines, chunks }) => {
      const start = context.documents.length === 0 ? new Uint8Array() : context.read(0, 0, wanted * bytesOfCharacter);
      const { listed } = context.describe({ maxDocuments: listedDocuments, firstLines: 0 });
      return {
        ...{ name, length, lines },
        preview: [...new TextDecoder().decode(start, { stream: true })].slice(0, wanted).join(''),
        has_chunks: chunks !== null,
        chunk_count: chunks?.length ?? 0,
        documents: listed.map((one) => ({ name: one.name, kind: one.kind, bytes: one.bytes, lines: one.lines })),
        more_documents: context.documents.length - listed.length,
      };
    }),
});

export const listContexts = mcpTool({
  name: 'rlm_list_contexts',
  title: 'List contexts',
  about: 'Lists the loaded contexts. Over HTTP, where other clients may be connected, it lists none.',
  input: z.object({}),
  output: z.object({
    contexts: z.array(
      z.object({
        name: z.string(),
        length: z.number(),
        lines: z.number(),
        chunked: z.boolean(),
        documents: z.number(),
        from: z.string(),
      }),
    ),
    kept: z
      .array(z.string())
      .check(z.describe('Names of contexts saved by earlier sessions; use them like loaded ones.')),
  }),
  ...reading,
  async run(_, { world }) {
    return {
      contexts: world.contexts.list().map(({ name, length, lines, chunks, context, from }) => ({
        ...{ name, length, lines, from },
        chunked: chunks !== null,
        documents: context.documents.length,
      })),
      kept: [...(await world.contexts.kept())],
    };
  },
});

/** Returns for each document an offset within each matching line, in order. Throws ToolFailure `invalid_regex`. */
async function matchesIn(context: Context, pattern: string, signal: AbortSignal): Promise<number[][]> {
  try {
    const byDocument: number[][] = context.documents.map(() => []);
    for (const { document, startByte } of await context.places(pattern, { signal }))
      byDocument[document]!.push(startByte);
    return byDocument;
  } catch (error) {
    if (!(error instanceof RlmError && error.code === 'pattern-invalid')) throw error;
    throw new ToolFailure('invalid_regex', `Invalid regex pattern: ${error.message}`);
  }
}

const lineFeed = Uint8Array.of(0x0a);

/** Returns the matching lines, or the other lines if `keep` is false. `matches`: an offset in each matching line. */
async function keptLines(context: Context, document: number, matches: readonly number[], keep: boolean) {
  const kept: Uint8Array[] = [];
  const numbers: number[] = [];
  let next = 0;
  for await (const { startByte, endByte, startLine } of chunkLines(context, document)) {
    const isMatch = next < matches.length && matches[next]! <= endByte;
    if (isMatch) next += 1;
    if (isMatch !== keep) continue;
    kept.push(context.read(document, startByte, endByte), lineFeed);
    numbers.push(startLine);
  }
  return { text: Buffer.concat(kept), numbers: Uint32Array.from(numbers) };
}

/** The end of a filtered document's name. */
const mark = ' (filtered)';

export const filterContext = mcpTool({
  name: 'rlm_filter_context',
  title: 'Filter a context',
  about:
    'Creates a new context from the lines of another one that match a pattern, or from the lines that do not match. Citations and search results name the lines of the original. The time is linear in the length of the text for any pattern.',
  input: z.object({
    name: contextName,
    output_name: words('Name of the new context.'),
    pattern: words('A regular expression for single lines, without lookaround and backreferences.'),
    mode: z._default(z.enum(['keep', 'remove']).check(z.describe('What to do with matching lines.')), 'keep'),
  }),
  output: z.object({
    status: z.literal('filtered'),
    name: z.string(),
    original_lines: z.number(),
    filtered_lines: z.number(),
    length: z.number(),
  }),
  ...changing,
  run: ({ name, output_name: into, pattern, mode }, { world, signal }) =>
    world.contexts.use(name, async ({ context, lines, locate }) => {
      const matches = await matchesIn(context, pattern, signal);
      const documents: GivenDocument[] = [];
      const originals = new Map<string, { readonly source: string; readonly numbers: Uint32Array }>();
      let filtered = 0;
      for (const [document, { name: source, isExtracted }] of context.documents.entries()) {
        const { text, numbers } = await keptLines(context, document, matches[document]!, mode === 'keep');
        if (numbers.length === 0) continue;
        filtered += numbers.length;
        let shown = `${source.replace(mark, '')}${mark}`;
        while (originals.has(shown)) shown += mark;
        documents.push({ name: shown, text, encoding: 'utf-8', isExtracted });
        originals.set(shown, { source, numbers });
      }
      if (filtered === 0)
        throw new ToolFailure('nothing_left', `No line of '${name}' is left; no context was created.`);
      const made = await world.contexts.load(into, `${name} filtered by ${pattern}`, documents, signal, (shown) => {
        const original = originals.get(shown);
        return original === undefined
          ? null
          : (line) => placeOfLine(locate, original.source, original.numbers[line - 1]!);
      });
      const counts = { original_lines: lines, filtered_lines: filtered, length: made.length };
      return { status: 'filtered', name: made.name, ...counts };
    }),
});
