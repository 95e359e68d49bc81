import type { Chunker } from './chunker.ts';

/**
 * A chunker that is chosen by the text.
 * @param limit how many bytes decide.
 * @param choose gets the first `limit` bytes, or all of a text that has fewer, and gives who takes them and the rest.
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
