import type { Sqlite } from './start.ts';

/** The texts and numbers in the memory of SQLite, by their pointers. */
export interface SqliteMemory {
  bytesAt(pointer: number, length: number): Buffer;
  numberAt(pointer: number): number;
  textAt(pointer: number, length: number): string;
  /** Returns a text that ends with a zero byte. */
  textTo0(pointer: number): string;
  /** Calls with a copy of the text that ends with a zero byte. Throws SqlError. */
  withText<T>(text: string, use: (pointer: number) => T): T;
}

/** What SQLite says is wrong. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly isOutOfMemory: boolean;

  constructor(message: string, isOutOfMemory: boolean) {
    super(message);
    this.isOutOfMemory = isOutOfMemory;
  }
}

const decoder = new TextDecoder();

export function createMemory({ functions, buffer }: Sqlite): SqliteMemory {
  const bytesAt = (pointer: number, length: number): Buffer => Buffer.from(buffer(), pointer, length);
  const textAt = (pointer: number, length: number): string => decoder.decode(bytesAt(pointer, length));
  return {
    bytesAt,
    textAt,
    numberAt: (pointer) => new DataView(buffer()).getUint32(pointer, true),
    textTo0: (pointer) => textAt(pointer, new Uint8Array(buffer(), pointer).indexOf(0)),
    withText(text, use) {
      const pointer = functions.stringToNewUTF8(text);
      if (pointer === 0) throw new SqlError('out of memory', true);
      try {
        return use(pointer);
      } finally {
        functions._free(pointer);
      }
    },
  };
}
