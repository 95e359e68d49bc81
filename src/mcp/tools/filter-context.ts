import * as z from 'zod/mini';
import type { Context } from '../../api/open-context.ts';
import { RlmError } from '../../errors.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import { contextName, words } from '../parameters.ts';
import { chunkLines } from '../text/chunks.ts';
import { mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  name: contextName,
  output_name: words('Name of the new context.'),
  pattern: words('A regular expression for single lines, without lookaround and backreferences.'),
  mode: z._default(z.enum(['keep', 'remove']).check(z.describe('What to do with matching lines.')), 'keep'),
});

const output = z.object({
  status: z.literal('filtered'),
  name: z.string(),
  original_lines: z.number(),
  filtered_lines: z.number(),
  length: z.number(),
});

/**
 * Returns, for each document, one byte offset within each matching line, in order. Throws ToolFailure `invalid_regex`.
 */
async function matchesIn(context: Context, pattern: string, signal: AbortSignal): Promise<number[][]> {
  try {
    const places = await context.places(pattern, { signal });
    const byDocument: number[][] = context.documents.map(() => []);
    for (const { document, startByte } of places) byDocument[document]!.push(startByte);
    return byDocument;
  } catch (error) {
    if (!(error instanceof RlmError && error.code === 'pattern-invalid')) throw error;
    throw new ToolFailure('invalid_regex', `Invalid regex pattern: ${error.message}`);
  }
}

/** Returns the kept lines of a document as bytes, and their numbers in it. */
async function keptLines(context: Context, document: number, matches: readonly number[], keep: boolean) {
  const kept: Uint8Array[] = [];
  const numbers: number[] = [];
  let [next, number] = [0, 0];
  for await (const { startByte, endByte } of chunkLines(context, document)) {
    const isMatch = next < matches.length && matches[next]! <= endByte;
    if (isMatch) next += 1;
    number += 1;
    if (isMatch !== keep) continue;
    kept.push(context.read(document, startByte, endByte), lineFeed);
    numbers.push(number);
  }
  return { bytes: Buffer.concat(kept), numbers: Uint32Array.from(numbers) };
}

/** Tells a filtered document from its original where its name is recorded. */
const mark = ' (filtered)';

const lineFeed = Uint8Array.of(0x0a);

export const filterContext = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_filter_context',
  title: 'Filter a context',
  about:
    'Creates a new context from the lines of another one that match a pattern, or from the lines that do not match. Citations and search results name the lines of the original. The time is linear in the length of the text for any pattern.',
  input,
  output,
  isReadOnly: false,
  isIdempotent: true,
  asksModel: false,
  async run({ name, output_name: into, pattern, mode }, { world, signal }) {
    const { context, lines, locate } = await world.contexts.get(name);
    const matches = await matchesIn(context, pattern, signal);
    const documents: GivenDocument[] = [];
    const originals = new Map<string, { readonly source: string; readonly numbers: Uint32Array }>();
    let filtered = 0;
    for (const [document, { name: source }] of context.documents.entries()) {
      const kept = await keptLines(context, document, matches[document]!, mode === 'keep');
      filtered += kept.numbers.length;
      if (kept.numbers.length === 0) continue;
      const shown = `${source.replace(mark, '')}${mark}`;
      documents.push({ name: shown, text: kept.bytes, encoding: 'utf-8' });
      originals.set(shown, { source, numbers: kept.numbers });
    }
    if (filtered === 0) throw new ToolFailure('nothing_left', `No line of '${name}' is left; no context was created.`);
    const made = await world.contexts.load(into, `${name} filtered by ${pattern}`, documents, signal, (shown, line) => {
      const { source, numbers } = originals.get(shown)!;
      return locate(source, numbers[line - 1]!);
    });
    return {
      status: 'filtered',
      name: made.name,
      original_lines: lines,
      filtered_lines: filtered,
      length: made.length,
    };
  },
});
