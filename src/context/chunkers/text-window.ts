/** The part of a text that nothing is decided about yet. */
export interface TextWindow {
  /** Adds bytes, which may be overwritten afterwards. */
  add(bytes: Uint8Array): void;
  /** The text is over. */
  end(): void;
}

/**
 * Uses up the text from its start, as far as that can be done.
 * @param isLast whether no more text comes; then all of it has to be used.
 * @returns how many bytes were used up.
 */
type Consume = (text: Buffer, isLast: boolean) => number;

/**
 * Hands a text on in pieces that are worth the work, however small the blocks are in which it comes.
 * @param lookahead how many bytes `consume` leaves at most while more are to come.
 */
export function createTextWindow(lookahead: number, consume: Consume): TextWindow {
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
    add(bytes) {
      // What is left over is copied each time: used up only when it is the smaller part, that takes linear time.
      if (size + bytes.length >= 4 * lookahead) return drain(bytes, false);
      held.push(Buffer.from(bytes));
      size += bytes.length;
    },
    end: () => drain(new Uint8Array(), true),
  };
}
