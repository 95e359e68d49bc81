import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { createPacer } from '../../base/pacer.ts';
import { isCodeName, languageOf } from '../../context/chunkers/languages.ts';
import { startWalk } from '../files/start-walk.ts';
import { textOf } from '../files/walls/file-text.ts';
import { openOrNull } from '../files/walls/open-text.ts';
import { passedByNotes } from '../files/walls/passed-by.ts';
import { shownName } from '../files/walls/shown-name.ts';
import type { FoundFile } from '../files/walls/walk.ts';
import { createPage, cutText, type Page } from '../page.ts';
import type { Tool, ToolWorld } from '../tool.ts';
import { mostParsedBytes, withTree } from './parse-code.ts';
import { symbolsByPatterns } from './symbol-patterns.ts';
import { type CodeSymbol, symbolsIn } from './symbols.ts';

const parameters = z.object({
  path: z.optional(z.string().check(z.describe('A file or a folder; default: all that the user gave.'))),
  glob: z.optional(z.string().check(z.describe('Which files of a folder: *.py, or a path such as src/**/*.ts.'))),
  name: z.optional(
    z.string().check(z.minLength(1), z.describe('Only definitions whose name contains this; capital letters matter.')),
  ),
});

type Given = z.infer<typeof parameters>;

/** What code defines. */
export const extractSymbols: Tool<Given> = {
  name: 'extract_symbols',
  about:
    'Lists what code defines (classes, functions, types …) with lines. By syntax for TypeScript, JavaScript, Python, Go, Rust and Java; by patterns, which may miss some, for other languages.',
  parameters,
  example: { path: 'src', name: 'create' },
  needs: 'files',
  run: extract,
};

const sliceMs = 20;
/** More code than that is not parsed: it takes about a second. */
const mostBytes = 4_000_000;

async function extract({ path, glob, name }: Given, world: ToolWorld): Promise<string> {
  const walk = await startWalk({ path, glob }, world, false);
  const list = createSymbolList(createPage(world.bounds));
  const rest = createPacer(sliceMs);
  let [files, bytesLeft] = [0, mostBytes];
  for await (const found of walk.files) {
    if (bytesLeft <= 0) break;
    await rest();
    const code = readCode(found, name, path === found.name || glob !== undefined);
    if (code === null) continue;
    files++;
    bytesLeft -= code.length;
    list.add(found.name, await symbolsOf(found.name, code, name));
  }
  const more = bytesLeft <= 0 ? ['The rest of the files was not looked at: name a folder, a glob or a name'] : [];
  return list.end([...more, `Looked at ${counted(files, 'file')} of code`, ...passedByNotes(walk.passedBy)]);
}

/** Returns the bytes of a file that may define what is looked for; null for any other file. */
function readCode(found: FoundFile, name: string | undefined, isNamed: boolean): Buffer | null {
  if (!isNamed && !isCodeName(found.name)) return null;
  const file = openOrNull(found);
  if (file === null) return null;
  try {
    const text = textOf(file);
    const bytes = text?.read(0, Math.min(text.bytes, mostBytes)) ?? null;
    return bytes === null || (name !== undefined && !bytes.includes(name)) ? null : bytes;
  } finally {
    file.close();
  }
}

/** The definitions of a file, and whether they are known only by patterns. */
interface FileSymbols {
  readonly symbols: readonly CodeSymbol[];
  /** Null where its syntax is known. */
  readonly caution: string | null;
}

async function symbolsOf(fileName: string, code: Buffer, name: string | undefined): Promise<FileSymbols> {
  const parsed = await withTree(fileName, code, symbolsIn);
  const all = parsed ?? symbolsByPatterns(code.toString('utf8'), isCodeName(fileName));
  const symbols = name === undefined ? all : all.filter((symbol) => symbol.name.includes(name));
  return { symbols, caution: parsed === null ? whyPatterns(fileName, code) : null };
}

function whyPatterns(fileName: string, code: Buffer): string {
  if (!isCodeName(fileName)) return 'no code: its headings';
  if (languageOf(fileName) === null) return 'no grammar for this language: by patterns, some may be missing';
  return code.length > mostParsedBytes ? 'too large to be parsed: by patterns' : 'cannot be parsed: by patterns';
}

function createSymbolList(page: Page) {
  let [shown, left] = [0, 0];

  function add(fileName: string, { symbols, caution }: FileSymbols): void {
    const heading = `${shown > 0 ? '\n' : ''}${shownName(fileName)}${caution === null ? '' : ` (${caution})`}`;
    for (const [at, symbol] of symbols.entries()) {
      const line = showSymbol(symbol);
      if (page.add(at === 0 ? `${heading}\n${line}` : line)) shown++;
      else left++;
    }
  }

  function end(notes: readonly string[]): string {
    const missing = `Left out: ${counted(left, 'more definition')}; name a file, or part of a name`;
    return page.end([
      ...(left > 0 ? [missing] : []),
      shown === 0 ? 'No definition was found' : counted(shown, 'definition'),
      ...notes,
    ]);
  }

  return { add, end };
}

const nameCharacters = 120;

function showSymbol({ kind, name, startLine, endLine, level }: CodeSymbol): string {
  const lines = endLine === null || endLine === startLine ? startLine : `${startLine}-${endLine}`;
  return `${'  '.repeat(level)}${lines} ${kind} ${cutText(name, nameCharacters)}`;
}
