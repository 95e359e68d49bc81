import { countFeeds } from '../lines.ts';
import { cutBefore } from './boundaries.ts';
import { type Chunker, createTextWindow, type Emit } from './chunker.ts';

const lineFeed = 0x0a;

/** Creates a chunker that fills every chunk, regardless of lines. No chunk exceeds `chunkBytes`, which is 4 or more. */
export function createCharPacker(chunkBytes: number, emit: Emit): Chunker {
  let base = 0;
  let ended = 0;
  let atLineStart = true;

  function endChunk(text: Buffer, start: number, end: number): void {
    const startLine = ended + 1;
    ended += countFeeds(text.subarray(start, end));
    atLineStart = text[end - 1] === lineFeed;
    emit({ startLine, endLine: atLineStart ? ended : ended + 1, startByte: base + start, endByte: base + end });
  }

  // The first byte after a chunk shows whether a character ends there.
  const lookahead = chunkBytes + 1;
  const window = createTextWindow(lookahead, (text, isLast) => {
    let start = 0;
    while (text.length - start >= lookahead) {
      const cut = cutBefore(text, start, start + chunkBytes);
      endChunk(text, start, cut);
      start = cut;
    }
    if (isLast && start < text.length) {
      endChunk(text, start, text.length);
      start = text.length;
    }
    base += start;
    return start;
  });
  return {
    write: window.add,
    end() {
      window.end();
      return atLineStart ? ended : ended + 1;
    },
  };
}
