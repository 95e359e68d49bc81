import * as z from 'zod/mini';
import { counted, cutText } from '../../base/text.ts';
import { isCodeName, languageOf } from '../../context/chunkers/languages.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { type PageBlock, page, plainBlock } from '../page.ts';
import { pacerOf } from '../texts/search-text.ts';
import { findTexts, isNoText, type OpenText } from '../texts/texts.ts';
import { type FittingResult, optionalText, optionalWhole, somewhere, type Tool, type ToolWorld } from '../tool.ts';
import { type CodeSymbol, longestName, mostParsedBytes, symbolsByPatterns, symbolsIn, withTree } from './symbols.ts';
import { showTree } from './syntax-tree.ts';

const parameters = z.object({
  path: somewhere,
  name: optionalText(),
  tree: z.optional(z.boolean().check(z.describe('syntax tree instead'))),
  startLine: optionalWhole(1),
  endLine: optionalWhole(1),
});

type Given = z.infer<typeof parameters>;

export const extractSymbols: Tool<Given> = {
  name: 'extract_symbols',
  about: 'Lists what code defines (classes, functions, types) with lines.',
  parameters,
  example: { path: 'src', name: 'create' },
  needs: 'code',
  run: (given, world) => (given.tree === true ? showTree(given, world) : extract(given, world)),
};

/**
 * Maximum number of bytes to read from one file. The search ends when the files that were read have this many bytes
 * together, which takes about a second.
 */
const mostBytes = 4_000_000;

async function extract({ path, name }: Given, world: ToolWorld): Promise<FittingResult> {
  const found = await findTexts(path, world);
  const rest = pacerOf(world);
  const blocks: PageBlock[] = [];
  let [files, bytesLeft, isCut] = [0, mostBytes, false];
  for await (const one of found.texts) {
    await rest();
    if (!isCodeName(one.name) && path !== one.name) continue;
    isCut = bytesLeft <= 0;
    if (isCut) break;
    const listed = await one.use((text) => symbolsOf(text, name));
    if (isNoText(listed) || listed === null) continue;
    files++;
    bytesLeft -= listed.bytes;
    const heading = `${blocks.length > 0 ? '\n' : ''}${listed.heading}\n`;
    blocks.push(...listed.lines.map((line, at) => plainBlock(at === 0 ? `${heading}${line}` : line)));
  }
  const leftOut = (left: number) => `Left out: ${counted(left, 'more definition')}; name a file, or part of a name`;
  const end = (shown: number) => [
    ...(shown < blocks.length ? [leftOut(blocks.length - shown)] : []),
    ...(blocks.length === 0 ? ['No definition was found'] : []),
    ...(isCut ? ['The rest of the files was not looked at: name a folder, a glob or a name'] : []),
    `Looked at ${counted(files, 'file')} of code`,
    ...found.notes(),
  ];
  return page({ blocks, end });
}

async function symbolsOf(text: OpenText, name: string | undefined) {
  const code = text.read(0, Math.min(text.bytes, mostBytes));
  if (name !== undefined && !code.includes(name)) return null;
  const parsed = await withTree(text.name, code, symbolsIn);
  const all = parsed ?? symbolsByPatterns(code.toString('utf8'), isCodeName(text.name));
  const symbols = name === undefined ? all : all.filter((symbol) => symbol.name.includes(name));
  const caution = parsed === null ? ` (${whyPatterns(text.name, code)})` : '';
  const lines = symbols.map((symbol) => showSymbol(symbol, text.linesBefore));
  return { bytes: code.length, heading: `${shownName(text.name)}${caution}`, lines };
}

function whyPatterns(fileName: string, code: Buffer): string {
  if (!isCodeName(fileName)) return 'no code: its headings';
  if (languageOf(fileName) === null) return 'no grammar for this language: by patterns, some may be missing';
  return code.length > mostParsedBytes ? 'too large to be parsed: by patterns' : 'cannot be parsed: by patterns';
}

function showSymbol({ kind, name, startLine, endLine, level }: CodeSymbol, offset: number): string {
  const first = startLine + offset;
  const lines = endLine === null || endLine === startLine ? first : `${first}-${endLine + offset}`;
  return `${'  '.repeat(level)}${lines} ${kind} ${cutText(name, longestName)}`;
}
