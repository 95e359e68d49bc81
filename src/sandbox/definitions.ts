import { mostOutlinedBytes, outlineOf } from '../tools/texts/section.ts';
import type { GuestTextSource } from './messages.ts';

/** Bytes of documents that are parsed for a name, at most. */
const mostParsed = 16_000_000;
const mostFound = 10;

/** Where a name is defined, with the comment above it: lines of a document, by its index. */
type Definition = readonly [document: number, startLine: number, endLine: number];

const isNamed = (symbol: string, name: string): boolean =>
  symbol === name || symbol.endsWith(` ${name}`) || symbol.endsWith(`.${name}`);

/** Returns where documents define a name. @param documents the indexes of the first and the last. */
export async function definitionsOf(
  source: GuestTextSource,
  name: string,
  [first, last]: readonly [number, number],
): Promise<readonly Definition[]> {
  const found: Definition[] = [];
  let left = mostParsed;
  for (const [document, { name: path, bytes }] of source.documents.entries()) {
    if (document < first || document > last || found.length >= mostFound || left < 0) continue;
    const code = Buffer.from(source.read(document, 0, Math.min(bytes, mostOutlinedBytes)));
    if (!code.includes(name)) continue;
    left -= code.length;
    const { symbols, linesOf } = await outlineOf(path, code, true);
    for (const symbol of symbols.filter((one) => isNamed(one.name, name))) {
      const { startLine, endLine } = linesOf(symbol);
      found.push([document, startLine, endLine]);
    }
  }
  return found;
}
