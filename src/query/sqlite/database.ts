import type { SqliteFunctions } from 'sql.js';
import type { Value } from '../query-result.ts';
import type { Sqlite } from './start.ts';

/** The texts and numbers in the memory of SQLite, by their pointers. */
interface SqliteMemory {
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

function createMemory({ functions, buffer }: Sqlite): SqliteMemory {
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

const types = { integer: 1, float: 2, text: 3, blob: 4 };
const bytesPerCharacter = 4;
const shownBlobBytes = 32;

/** A column of the row that a statement is at. */
interface Cell {
  readonly functions: SqliteFunctions;
  readonly memory: SqliteMemory;
  /** Pointer to the statement. */
  readonly statement: number;
  readonly column: number;
}

function readInteger({ functions, memory, statement, column }: Cell): Value {
  const value = functions._sqlite3_column_double(statement, column);
  if (Number.isSafeInteger(value)) return value;
  const start = functions._sqlite3_column_text(statement, column);
  return memory.textAt(start, functions._sqlite3_column_bytes(statement, column));
}

function readText({ functions, memory, statement, column }: Cell, most: number): string {
  const start = functions._sqlite3_column_text(statement, column);
  const size = functions._sqlite3_column_bytes(statement, column);
  const text = memory.textAt(start, Math.min(size, most * bytesPerCharacter));
  return text.length <= most && size <= most * bytesPerCharacter ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** Writes a blob as SQL does; of a long one the beginning. */
function readBlob({ functions, memory, statement, column }: Cell): string {
  const start = functions._sqlite3_column_blob(statement, column);
  const size = functions._sqlite3_column_bytes(statement, column);
  const hex = memory.bytesAt(start, Math.min(size, shownBlobBytes)).toString('hex');
  return size <= shownBlobBytes ? `x'${hex}'` : `x'${hex}…' (${size} bytes)`;
}

/**
 * Reads a value.
 * @param most characters of a text, at most; a longer one is cut and ends with `…`.
 */
function readValue(cell: Cell, most: number): Value {
  switch (cell.functions._sqlite3_column_type(cell.statement, cell.column)) {
    case types.integer:
      return readInteger(cell);
    case types.float:
      return cell.functions._sqlite3_column_double(cell.statement, cell.column);
    case types.text:
      return readText(cell, most);
    case types.blob:
      return readBlob(cell);
    default:
      return null;
  }
}

/** A statement of SQL that SQLite has compiled. Its columns count from 0. */
export interface Statement {
  readonly columns: readonly string[];
  readonly pointer: number;
  /** The SQL behind this statement. */
  readonly rest: string;
  /** Moves to the next row. False behind the last one. Throws SqlError. */
  step(): boolean;
  /**
   * Returns a value of the row.
   * @param most characters of a text, at most; a longer one is cut and ends with `…`.
   */
  value(column: number, most: number): Value;
  close(): void;
}

/** A database in memory. */
export interface Database {
  readonly sqlite: Sqlite;
  /** Runs statements without results. Throws SqlError. */
  run(sql: string): void;
  /** Compiles the first statement; null where there is none. Throws SqlError. */
  prepare(sql: string): Statement | null;
  /** Returns all rows of a statement of our own. Throws SqlError. */
  rows(sql: string): Value[][];
  /**
   * Adds a function of SQL. `run` gets its arguments as text, null for NULL; an error that it throws is the query's.
   * @param args number of arguments.
   */
  addFunction(name: string, args: number, run: SqlFunction): void;
}

type SqlFunction = (...texts: (string | null)[]) => Value;

const status = { ok: 0, outOfMemory: 7, row: 100, done: 101 };
const nullType = 5;
const utf8AndDeterministic = 0x801;
const pointerBytes = 4;
/** SQLite copies the text of a result. */
const copied = -1;

/** Calls a function of SQL with the values at a pointer, and hands its result to SQLite. */
function createCaller({ functions: f }: Sqlite, memory: SqliteMemory, run: SqlFunction) {
  const argument = (value: number): string | null => {
    if (f._sqlite3_value_type(value) === nullType) return null;
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

function createStatement(
  { functions: f }: Sqlite,
  memory: SqliteMemory,
  { pointer, rest, check }: { readonly pointer: number; readonly rest: string; check(code: number): void },
): Statement {
  const count = f._sqlite3_column_count(pointer);
  return {
    columns: Array.from({ length: count }, (_, column) => memory.textTo0(f._sqlite3_column_name(pointer, column))),
    pointer,
    rest,
    step() {
      const code = f._sqlite3_step(pointer);
      check(code);
      return code === status.row;
    },
    value: (column, most) => readValue({ functions: f, memory, statement: pointer, column }, most),
    close: () => f._sqlite3_finalize(pointer),
  };
}

function rowsOf(statement: Statement): Value[][] {
  const found: Value[][] = [];
  try {
    while (statement.step())
      found.push(statement.columns.map((_, column) => statement.value(column, Number.MAX_SAFE_INTEGER)));
    return found;
  } finally {
    statement.close();
  }
}

/** Opens an empty database. All of it is in SQLite's memory, what a sort needs too: only that is limited. */
export function openDatabase(sqlite: Sqlite): Database {
  const { functions: f } = sqlite;
  const memory = createMemory(sqlite);
  const pointers = f._malloc(2 * pointerBytes);
  memory.withText(':memory:', (name) => f._sqlite3_open(name, pointers));
  const handle = memory.numberAt(pointers);

  function check(code: number): void {
    if (code === status.ok || code === status.row || code === status.done) return;
    throw new SqlError(memory.textTo0(f._sqlite3_errmsg(handle)), code === status.outOfMemory);
  }

  function prepare(sql: string): Statement | null {
    return memory.withText(sql, (start) => {
      check(f._sqlite3_prepare_v2(handle, start, -1, pointers, pointers + pointerBytes));
      const pointer = memory.numberAt(pointers);
      const rest = memory.textTo0(memory.numberAt(pointers + pointerBytes));
      return pointer === 0 ? null : createStatement(sqlite, memory, { pointer, rest, check });
    });
  }

  const run = (sql: string): void => memory.withText(sql, (start) => check(f._sqlite3_exec(handle, start, 0, 0, 0)));
  run('PRAGMA temp_store = MEMORY');
  return {
    sqlite,
    prepare,
    rows: (sql) => rowsOf(prepare(sql)!),
    run,
    addFunction(name, args, given) {
      const call = f.addFunction(createCaller(sqlite, memory, given) as (...given: number[]) => void, 'viii');
      memory.withText(name, (start) =>
        check(f._sqlite3_create_function_v2(handle, start, args, utf8AndDeterministic, 0, call, 0, 0, 0)),
      );
    },
  };
}
