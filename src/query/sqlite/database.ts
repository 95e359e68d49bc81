import { RlmError } from '../../errors.ts';
import type { Value } from '../query-result.ts';
import type { Sqlite } from './start.ts';

/** An error that SQLite reports, except for a lack of memory. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
}

export const outOfMemory = ({ memoryMb }: Sqlite): RlmError =>
  new RlmError('query-limit', `the query needs more than ${memoryMb} MB of memory`, {
    hint: 'Select fewer columns or rows, or raise query.memory in the configuration.',
  });

const decoder = new TextDecoder();

type SqliteMemory = ReturnType<typeof createMemory>;

function createMemory(sqlite: Sqlite) {
  const { functions, buffer } = sqlite;
  const bytesAt = (pointer: number, length: number): Buffer => Buffer.from(buffer(), pointer, length);
  const textAt = (pointer: number, length: number): string => decoder.decode(bytesAt(pointer, length));
  return {
    bytesAt,
    textAt,
    numberAt: (pointer: number): number => new DataView(buffer()).getUint32(pointer, true),
    textTo0: (pointer: number): string => textAt(pointer, new Uint8Array(buffer(), pointer).indexOf(0)),
    /** Calls `use` with a pointer to a zero-terminated copy of the text. Throws `outOfMemory`. */
    withText<T>(text: string, use: (pointer: number) => T): T {
      const pointer = functions.stringToNewUTF8(text);
      if (pointer === 0) throw outOfMemory(sqlite);
      try {
        return use(pointer);
      } finally {
        functions._free(pointer);
      }
    },
  };
}

const types = { integer: 1, float: 2, text: 3, blob: 4, null: 5 };
const bytesPerCharacter = 4;
const shownBlobBytes = 32;

function createCells({ functions: f }: Sqlite, memory: SqliteMemory, statement: number) {
  function textOf(column: number, most: number): string {
    const start = f._sqlite3_column_text(statement, column);
    const size = f._sqlite3_column_bytes(statement, column);
    const text = memory.textAt(start, Math.min(size, most * bytesPerCharacter));
    return text.length <= most && size <= most * bytesPerCharacter ? text : `${text.slice(0, most).toWellFormed()}…`;
  }

  function blobOf(column: number): string {
    const start = f._sqlite3_column_blob(statement, column);
    const size = f._sqlite3_column_bytes(statement, column);
    const hex = memory.bytesAt(start, Math.min(size, shownBlobBytes)).toString('hex');
    return size <= shownBlobBytes ? `x'${hex}'` : `x'${hex}…' (${size} bytes)`;
  }

  return (column: number, most: number): Value => {
    const type = f._sqlite3_column_type(statement, column);
    if (type === types.null) return null;
    if (type === types.blob) return blobOf(column);
    if (type === types.text) return textOf(column, most);
    const value = f._sqlite3_column_double(statement, column);
    // JSON has no infinity.
    if (!Number.isFinite(value)) return String(value);
    return type === types.float || Number.isSafeInteger(value) ? value : textOf(column, Number.MAX_SAFE_INTEGER);
  };
}

type SqlFunction = (...texts: (string | null)[]) => Value;

const status = { ok: 0, outOfMemory: 7, row: 100, done: 101 };
const utf8AndDeterministic = 0x801;
const pointerBytes = 4;
/** SQLITE_TRANSIENT: SQLite copies the text of a result. */
const copied = -1;

function createCaller({ functions: f }: Sqlite, memory: SqliteMemory, run: SqlFunction) {
  const argument = (value: number): string | null => {
    if (f._sqlite3_value_type(value) === types.null) return null;
    const start = f._sqlite3_value_text(value);
    return memory.textAt(start, f._sqlite3_value_bytes(value));
  };
  function answer(context: number, value: Value): void {
    if (value === null) f._sqlite3_result_null(context);
    else if (typeof value === 'number') f._sqlite3_result_int(context, value);
    else
      memory.withText(value, (pointer) => f._sqlite3_result_text(context, pointer, Buffer.byteLength(value), copied));
  }
  return (context: number, count: number, values: number): void => {
    try {
      const args = Array.from({ length: count }, (_, index) =>
        argument(memory.numberAt(values + index * pointerBytes)),
      );
      answer(context, run(...args));
    } catch (error) {
      const { message } = error as Error;
      memory.withText(message, (pointer) => f._sqlite3_result_error(context, pointer, Buffer.byteLength(message)));
    }
  };
}

export type Statement = ReturnType<typeof createStatement>;

/** Gives access to a compiled statement. Columns are numbered from 0. */
function createStatement(
  sqlite: Sqlite,
  memory: SqliteMemory,
  { pointer, rest, check }: { readonly pointer: number; readonly rest: string; check(code: number): void },
) {
  const { functions: f } = sqlite;
  const count = f._sqlite3_column_count(pointer);
  return {
    columns: Array.from({ length: count }, (_, column) => memory.textTo0(f._sqlite3_column_name(pointer, column))),
    pointer,
    rest,
    /** Returns false after the last row. Throws SqlError. */
    step(): boolean {
      const code = f._sqlite3_step(pointer);
      check(code);
      return code === status.row;
    },
    /** Returns the value of a column. Cuts text to a number of characters and marks the cut with `…`. */
    value: createCells(sqlite, memory, pointer),
    close: (): void => void f._sqlite3_finalize(pointer),
  };
}

export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens an empty database in SQLite's memory, which is limited. Functions that throw SqlError throw RlmError
 * `query-limit` instead if the memory is used up.
 */
export function openDatabase(sqlite: Sqlite) {
  const { functions: f } = sqlite;
  const memory = createMemory(sqlite);
  const pointers = f._malloc(2 * pointerBytes);
  memory.withText(':memory:', (name) => f._sqlite3_open(name, pointers));
  const handle = memory.numberAt(pointers);

  function check(code: number): void {
    if (code === status.ok || code === status.row || code === status.done) return;
    if (code === status.outOfMemory) throw outOfMemory(sqlite);
    throw new SqlError(memory.textTo0(f._sqlite3_errmsg(handle)));
  }

  /** Compiles the first statement; null if there is none. Throws SqlError. */
  function prepare(sql: string): Statement | null {
    return memory.withText(sql, (start) => {
      check(f._sqlite3_prepare_v2(handle, start, -1, pointers, pointers + pointerBytes));
      const pointer = memory.numberAt(pointers);
      const rest = memory.textTo0(memory.numberAt(pointers + pointerBytes));
      return pointer === 0 ? null : createStatement(sqlite, memory, { pointer, rest, check });
    });
  }

  /** Runs statements and ignores their rows. Throws SqlError. */
  const run = (sql: string): void => memory.withText(sql, (start) => check(f._sqlite3_exec(handle, start, 0, 0, 0)));
  run('PRAGMA temp_store = MEMORY');
  return {
    sqlite,
    prepare,
    /** Returns all rows of a statement. Throws SqlError. */
    rows(sql: string): Value[][] {
      const { columns, step, value, close } = prepare(sql)!;
      const found: Value[][] = [];
      try {
        while (step()) found.push(columns.map((_, column) => value(column, Number.MAX_SAFE_INTEGER)));
        return found;
      } finally {
        close();
      }
    },
    run,
    /**
     * Adds a function to SQL. The function gets its arguments as text, or null for NULL. If it throws, the query fails.
     * @param args number of arguments.
     */
    addFunction(name: string, args: number, body: SqlFunction): void {
      const call = f.addFunction(createCaller(sqlite, memory, body) as (...values: number[]) => void, 'viii');
      memory.withText(name, (start) =>
        check(f._sqlite3_create_function_v2(handle, start, args, utf8AndDeterministic, 0, call, 0, 0, 0)),
      );
    },
  };
}
