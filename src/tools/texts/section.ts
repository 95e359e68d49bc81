import { beginning, counted } from '../../base/text.ts';
import { isCodeName } from '../../context/chunkers/languages.ts';
import { type CodeSymbol, symbolsByPatterns, symbolsIn, withTree } from '../code/symbols.ts';
import { ToolError } from '../tool-error.ts';
import type { OpenText } from './texts.ts';

/** The outline of a text covers at most this many bytes, from the beginning of the text. */
export const mostOutlinedBytes = 4_000_000;

/** Matches a line of a comment, or a decorator. */
const commentLine = /^\s*(?:\/\*|\*|\/\/|#(?!\s*(?:if|include|define))|--|@)/;

/** Returns the number of the topmost comment line above a line, or of the line itself if it has no comment. */
function withComment(lines: readonly string[], startLine: number): number {
  let first = startLine;
  while (first > 1 && commentLine.test(lines[first - 2]!)) first -= 1;
  return first;
}

function endOf(symbol: CodeSymbol, symbols: readonly CodeSymbol[], lines: readonly string[]): number {
  if (symbol.endLine !== null) return symbol.endLine;
  const levelOf = ({ startLine }: CodeSymbol) => /^#{1,6}(?=\s)/.exec(lines[startLine - 1]!)?.[0].length ?? 0;
  const next = symbols.find((other) => other.startLine > symbol.startLine && levelOf(other) <= levelOf(symbol));
  return next === undefined ? lines.length : next.startLine - 1;
}

/**
 * Returns the definitions or headings of a text. `linesOf` returns the lines of a definition with the comment above
 * it, or of a heading with the text below it.
 * @param bytes the text; only its beginning if the text is larger than 4 MB.
 */
export async function outlineOf(name: string, bytes: Buffer, isCode = isCodeName(name)) {
  const code = bytes.toString('utf8');
  const symbols = (await withTree(name, bytes, symbolsIn)) ?? symbolsByPatterns(code, isCode);
  const lines = code.split('\n');
  return {
    symbols,
    linesOf: (symbol: CodeSymbol) => ({
      startLine: isCode ? withComment(lines, symbol.startLine) : symbol.startLine,
      endLine: endOf(symbol, symbols, lines),
    }),
  };
}

/** Finds a section by its heading, or a definition by its name. If none matches, throws ToolError with known names. */
export async function findSection(text: OpenText, wanted: string) {
  const { symbols, linesOf } = await outlineOf(text.name, text.read(0, Math.min(text.bytes, mostOutlinedBytes)));
  const plain = wanted
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase();
  const named = (test: (name: string) => boolean) => symbols.find(({ name }) => test(name.trim().toLowerCase()));
  const found = named((name) => name === plain) ?? named((name) => name.includes(plain));
  if (found === undefined) {
    const some = symbols.slice(0, 10).map(({ name }) => JSON.stringify(name));
    const rest = symbols.length > some.length ? ` and ${counted(symbols.length - some.length, 'more', 'more')}` : '';
    const known = some.length === 0 ? 'it has no headings or definitions' : `it has ${some.join(', ')}${rest}`;
    throw new ToolError(`${text.name} has no section "${beginning(wanted, 100)}"; ${known}.`);
  }
  const { startLine, endLine } = linesOf(found);
  return { startLine: startLine + text.linesBefore, endLine: endLine + text.linesBefore };
}
