import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { createPacer, type Pacer } from '../../base/pacer.ts';
import { createLineMatcher, type LineMatcher } from '../../context/search/line-matcher.ts';
import { RlmError } from '../../errors.ts';
import { createPage } from '../page.ts';
import type { Tool, ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { createMatchPage, type MatchPage } from './match-page.ts';
import { searchText } from './search-text.ts';
import { startWalk } from './start-walk.ts';
import { textOf, wholeBytes } from './walls/file-text.ts';
import { openOrNull } from './walls/open-text.ts';
import { passedByNotes } from './walls/passed-by.ts';
import type { FoundFile, Walk } from './walls/walk.ts';

const mostContextLines = 10;
const mostMatches = 1_000;

const parameters = z.object({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe('A regular expression, looked for in each line; without lookaround and backreferences.'),
    ),
  path: z.optional(z.string().check(z.describe('A folder or a file; default: all that the user gave.'))),
  glob: z.optional(z.string().check(z.describe('Which files: *.ts (in any folder), or a path such as src/**/*.ts.'))),
  ignoreCase: z.optional(z.boolean().check(z.describe('Whether capital and small letters are alike; default false.'))),
  contextLines: z.optional(
    z
      .int()
      .check(
        z.minimum(0),
        z.maximum(mostContextLines),
        z.describe('Lines to show before and after each match; default 0.'),
      ),
  ),
  limit: z.optional(
    z.int().check(z.minimum(1), z.maximum(mostMatches), z.describe('Matching lines to show at most; default 100.')),
  ),
});

type Given = z.infer<typeof parameters>;

/** Searches the lines of files. */
export const grep: Tool<Given> = {
  name: 'grep',
  about:
    'Searches files line by line for a regular expression. Shows the lines with their numbers, and says how many more there are.',
  parameters,
  example: { pattern: 'function \\w+Passage', path: 'src', glob: '*.ts', contextLines: 2 },
  needs: 'files',
  run: search,
};

const sliceMs = 20;
/** After the last match that is shown, matches are only counted, and in no more than this many bytes. */
const countedBytes = 256 * 1024 * 1024;

async function search(given: Given, world: ToolWorld): Promise<string> {
  const matcher = await createMatcher(given);
  const walk = await startWalk(given, world, false);
  const page = createMatchPage(createPage(world.bounds), {
    limit: given.limit ?? 100,
    contextLines: given.contextLines ?? 0,
    cite: world.cite,
  });
  const pace = createPacer(sliceMs);
  const rest: Pacer = () => {
    world.signal.throwIfAborted();
    return pace();
  };
  const searched = await searchFiles(walk, matcher, page, rest);
  return page.end([...searched, ...passedByNotes(walk.passedBy)]);
}

async function createMatcher({ pattern, ignoreCase = false }: Given): Promise<LineMatcher> {
  try {
    return await createLineMatcher(pattern, ignoreCase);
  } catch (error) {
    if (error instanceof RlmError) throw new ToolError(`${error.message}. ${error.hint}`);
    throw error;
  }
}

/** @returns notes on what was searched. */
async function searchFiles(walk: Walk, matcher: LineMatcher, page: MatchPage, rest: Pacer): Promise<string[]> {
  const passed = { 'without text': 0, 'that cannot be read': 0 };
  // A buffer for each file would keep the garbage collector busy for as long as all the rest takes.
  const scratch = Buffer.allocUnsafeSlow(wholeBytes);
  let files = 0;
  let bytesLeft = countedBytes;
  for await (const found of walk.files) {
    if (bytesLeft <= 0) break;
    const bytes = await searchFile(found, scratch, { matcher, page, rest });
    if (typeof bytes === 'string') passed[bytes]++;
    else files++;
    if (typeof bytes === 'number' && !page.wants()) bytesLeft -= bytes;
  }
  const kinds = Object.entries(passed).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []));
  const others = kinds.length === 0 ? '' : `, not ${kinds.join(', nor ')}`;
  const left = bytesLeft <= 0 ? ['The rest of the files was not searched: name a folder, or a glob'] : [];
  return [...left, `Searched ${counted(files, 'file')}${others}`];
}

interface Searching {
  readonly matcher: LineMatcher;
  readonly page: MatchPage;
  readonly rest: Pacer;
}

/** @returns its size, or why it was not searched. */
async function searchFile(
  found: FoundFile,
  scratch: Buffer,
  { matcher, page, rest }: Searching,
): Promise<number | 'without text' | 'that cannot be read'> {
  const file = openOrNull(found);
  if (file === null) return 'that cannot be read';
  try {
    const text = textOf(file, scratch);
    if (text === null) return 'without text';
    const sink = page.beginFile(text);
    await searchText(text, matcher, sink, rest);
    sink.end();
    return text.bytes;
  } finally {
    file.close();
  }
}
