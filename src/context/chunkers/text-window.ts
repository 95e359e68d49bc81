/** The part of a text that is not processed yet. */
export interface TextWindow {
  /** Adds bytes, which the caller may overwrite afterwards. */
  add(bytes: Uint8Array): void;
  /** Ends the text. */
  end(): void;
}

/**
 * Processes the text from its start, as far as possible.
 * @param isLast whether no more text follows; then all of it has to be processed.
 * @returns the number of processed bytes.
 */
type Consume = (text: Buffer, isLast: boolean) => number;

/**
 * Creates a window that passes text on in pieces of useful size, however small the arriving blocks are.
 * @param lookahead bytes that `consume` leaves at most while more text follows.
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
      // The rest is copied each time; processing only when the rest is the smaller part keeps the time linear.
      if (size + bytes.length >= 4 * lookahead) return drain(bytes, false);
      held.push(Buffer.from(bytes));
      size += bytes.length;
    },
    end: () => drain(new Uint8Array(), true),
  };
}
