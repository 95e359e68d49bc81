import { type BoundaryFinder, betweenOutermostLines } from './boundaries.ts';
import { type Chunker, type ChunkPlace, createDeferredChunker, type Emit } from './chunker.ts';
import { type Language, languageOf } from './languages.ts';
import { createLinePacker } from './line-packer.ts';

/** Maximum size of a parsed document, in bytes. Larger documents, rarely written by hand, are cut by indentation. */
const mostParsedBytes = 1_000_000;

function packWhole(text: Buffer, chunkBytes: number, strengthOf: BoundaryFinder) {
  const places: ChunkPlace[] = [];
  const packer = createLinePacker(chunkBytes, strengthOf, (place) => places.push(place));
  packer.write(text);
  return { places, lines: packer.end() };
}

function packByIndentation(text: Buffer, chunkBytes: number) {
  const outermost = new Set<number>();
  let line = 0;
  const packed = packWhole(text, chunkBytes, (...about) => {
    const strength = betweenOutermostLines(...about);
    line++;
    if (strength === 3) outermost.add(line);
    return strength;
  });
  return { ...packed, isGood: packed.places.every(({ startLine }) => startLine === 1 || outermost.has(startLine)) };
}

async function packByDefinitions(text: Buffer, chunkBytes: number, language: Language) {
  const [{ loadParser }, { findDefinitions }] = await Promise.all([
    import('./grammars.ts'),
    import('./definitions.ts'),
  ]);
  const code = text.toString();
  const tree = (await loadParser(language))?.parse(code) ?? null;
  if (tree === null) return null;
  const definitions = findDefinitions(tree, code);
  tree.delete();
  let line = 0;
  return packWhole(
    text,
    chunkBytes,
    (_text, _start, _end, afterBlank) => definitions.get(line++) ?? (afterBlank ? 1 : 0),
  );
}

export interface ChunkTraits {
  readonly name: string;
  readonly mayParse: (bytes: number) => boolean;
}

function createWholeChunker(chunkBytes: number, { name, mayParse }: ChunkTraits, emit: Emit): Chunker {
  const language = languageOf(name);
  let text: Buffer = Buffer.alloc(0);
  let packed: ReturnType<typeof packWhole> | null = null;
  return {
    write(bytes) {
      text = Buffer.concat([text, bytes]);
    },
    async prepare() {
      const plain = packByIndentation(text, chunkBytes);
      // Parsing takes several times as long as all other work on a text, so it is done only if needed.
      if (language !== null && !plain.isGood && mayParse(text.length))
        packed = await packByDefinitions(text, chunkBytes, language).catch(() => null);
      packed ??= plain;
    },
    end() {
      packed ??= packByIndentation(text, chunkBytes);
      for (const place of packed.places) emit(place);
      return packed.lines;
    },
  };
}

/** Creates a chunker that cuts code before definitions. `prepare` parses code of up to 1 MB if needed. */
export function createCodeChunker(chunkBytes: number, options: ChunkTraits, emit: Emit): Chunker {
  return createDeferredChunker(mostParsedBytes, (_head, isWhole) =>
    isWhole ? createWholeChunker(chunkBytes, options, emit) : createLinePacker(chunkBytes, betweenOutermostLines, emit),
  );
}

/** Creates a function that permits parsing of 4 MB in total. A time limit would make chunks differ between runs. */
export function createParseAllowance(): (bytes: number) => boolean {
  let left = 4_000_000;
  return (bytes) => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
}
