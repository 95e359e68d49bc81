import type { Chunker } from './chunker.ts';

/**
 * Creates a chunker that is chosen by the beginning of the text.
 * @param limit number of bytes that decide.
 * @param choose gets the first `limit` bytes, or the whole of a shorter text, and returns the chunker for all of it.
 */
export function createDeferredChunker(limit: number, choose: (head: Buffer, isWhole: boolean) => Chunker): Chunker {
  let held: Buffer[] = [];
  let size = 0;
  let chosen: Chunker | null = null;

  function decide(isWhole: boolean): Chunker {
    const text = Buffer.concat(held);
    held = [];
    const chunker = choose(text.subarray(0, limit), isWhole);
    chunker.write(text);
    return chunker;
  }

  return {
    write(bytes) {
      if (chosen !== null) return chosen.write(bytes);
      held.push(Buffer.from(bytes));
      size += bytes.length;
      if (size > limit) chosen = decide(false);
    },
    async prepare() {
      chosen ??= decide(true);
      await chosen.prepare?.();
    },
    end() {
      chosen ??= decide(true);
      return chosen.end();
    },
  };
}
