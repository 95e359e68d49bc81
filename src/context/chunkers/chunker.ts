/** A chunk's place in its document. */
export interface ChunkPlace {
  /** Counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
}

export type Emit = (place: ChunkPlace) => void;

/** Cuts one document into chunks while its text arrives. The chunks do not depend on the sizes of the writes. */
export interface Chunker {
  /** Takes the next bytes of the document. The caller may overwrite them afterwards. */
  write(bytes: Uint8Array): void;
  /** Await this after the last `write`. Otherwise, code may be cut within definitions. */
  prepare?(): Promise<void>;
  /** Emits the last chunks. Returns the number of lines. */
  end(): number;
}

/** Processes bytes at the start of `text`; if `isLast`, processes all of them. Returns how many it processed. */
type Consume = (text: Buffer, isLast: boolean) => number;

/** Buffers unprocessed text. `lookahead`: maximum number of bytes that `consume` leaves to the next call. */
export function createTextWindow(lookahead: number, consume: Consume) {
  let held: Buffer[] = [];
  let size = 0;

  function drain(block: Uint8Array, isLast: boolean): void {
    const view = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    const text = held.length === 0 ? view : Buffer.concat([...held, view]);
    const rest = text.subarray(consume(text, isLast));
    held = rest.length === 0 ? [] : [Buffer.from(rest)];
    size = rest.length;
  }

  return {
    add(bytes: Uint8Array) {
      // Each `drain` copies the rest. The time stays linear because most of the text is new each time.
      if (size + bytes.length >= 4 * lookahead) return drain(bytes, false);
      held.push(Buffer.from(bytes));
      size += bytes.length;
    },
    end: () => drain(new Uint8Array(), true),
  };
}

/** Delegates to the chunker that `choose` returns for the first `limit` bytes, or for all of a shorter text. */
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
