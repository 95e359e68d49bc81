import type { SqliteFunctions } from 'sql.js';
import type { Value } from '../value.ts';
import type { SqliteMemory } from './memory.ts';

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
export function readValue(cell: Cell, most: number): Value {
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
