import type { Column, Value } from '../query-result.ts';
import { quoted } from '../sql.ts';
import { type Database, outOfMemory } from './database.ts';

/** Rows per INSERT statement. Ten rows halve the time per row; more rows save no further time. */
const rowsAtOnce = 10;
const mostVariables = 10_000;
const startBytes = 256 * 1024;
/** `bind_int` takes 32-bit integers: larger integers are bound as REAL. */
const largestInteger = 2 ** 31;
/** SQLITE_STATIC: SQLite does not copy bound text, because it reads the text only during the step. */
const notCopied = 0;

const encoder = new TextEncoder();

/** A buffer in SQLite's memory for the texts to bind. */
function createScratch({ sqlite }: Database) {
  const { functions: f } = sqlite;
  let size = startBytes;
  let pointer = f._malloc(size);
  let view = new Uint8Array(sqlite.buffer(), pointer, size);
  return {
    /** Makes room for texts of this size in bytes. Earlier content may be lost. */
    hold(bytes: number): void {
      if (bytes > size) {
        f._free(pointer);
        size = bytes * 2;
        pointer = f._malloc(size);
        if (pointer === 0) throw outOfMemory(sqlite);
      }
      if (view.buffer !== sqlite.buffer() || view.length !== size)
        view = new Uint8Array(sqlite.buffer(), pointer, size);
    },
    /** Writes a text at an offset. Returns its size in bytes. */
    write: (text: string, at: number): number => encoder.encodeInto(text, view.subarray(at)).written,
    at: (offset: number): number => pointer + offset,
    close: () => f._free(pointer),
  };
}

/**
 * Creates an inserter of rows into a table with these columns.
 * @param large receives the quoted names of columns without a type whose large integers were bound as REAL.
 */
export function createInserter(database: Database, table: string, columns: readonly Column[], large: Set<string>) {
  const { length: width } = columns;
  const { functions: f } = database.sqlite;
  const scratch = createScratch(database);
  const rowsPerInsert = Math.max(1, Math.min(rowsAtOnce, Math.floor(mostVariables / width)));
  let held: (readonly Value[])[] = [];

  const prepare = (rows: number) => {
    const row = `(${Array(width).fill('?').join(',')})`;
    return database.prepare(`INSERT INTO ${table} VALUES ${Array(rows).fill(row).join(',')}`)!;
  };
  const full = prepare(rowsPerInsert);

  /** Returns an upper bound of the bytes of all texts in the held rows. */
  function bytesOfHeld(): number {
    let bytes = 0;
    for (const row of held) for (const value of row) if (typeof value === 'string') bytes += 3 * value.length;
    return bytes;
  }

  function bindAll(pointer: number): void {
    let [index, offset] = [0, 0];
    for (const row of held)
      for (let column = 0; column < width; column++) {
        const value = row[column] ?? null;
        index++;
        if (typeof value === 'string') {
          const bytes = scratch.write(value, offset);
          f._sqlite3_bind_text(pointer, index, scratch.at(offset), bytes, notCopied);
          offset += bytes;
        } else if (Number.isInteger(value) && Math.abs(value!) < largestInteger)
          f._sqlite3_bind_int(pointer, index, value!);
        else if (value !== null) {
          if (columns[column]!.type === 'ANY' && Number.isSafeInteger(value)) large.add(quoted(columns[column]!.name));
          f._sqlite3_bind_double(pointer, index, value);
        }
      }
  }

  function insert(statement: ReturnType<typeof prepare>): void {
    scratch.hold(bytesOfHeld());
    f._sqlite3_clear_bindings(statement.pointer);
    bindAll(statement.pointer);
    statement.step();
    f._sqlite3_reset(statement.pointer);
    held = [];
  }

  return {
    /** Adds a row. Throws SqlError. */
    add(values: readonly Value[]): void {
      held.push(values);
      if (held.length === rowsPerInsert) insert(full);
    },
    /** Inserts the remaining rows and frees the memory. Throws SqlError. */
    end(): void {
      if (held.length > 0) {
        const last = prepare(held.length);
        insert(last);
        last.close();
      }
      full.close();
      scratch.close();
    },
  };
}
