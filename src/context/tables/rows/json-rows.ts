import { readBuffer, type TextSource } from '../../shown-text.ts';
import { type LinePlace, linesOf } from './lines.ts';
import { type AnyRow, cellOf, mostRowBytes, type RowSource } from './row.ts';

const blockBytes = 1024 * 1024;
const mostColumns = 1000;
/** Nesting depth of objects that become columns; deeper ones stay text. */
const mostDepth = 8;
const [quote, backslash, open, close] = [0x22, 0x5c, 0x7b, 0x7d];

/** Matches numbers with more digits than a JavaScript number keeps. */
const longNumber = /\d{16}|\d\.\d{15}/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns JSON with long numbers as text, since parsing would change them. */
const keepDigits = (json: string): string =>
  longNumber.test(json) ? json.replace(stringOrNumber, (found) => (found[0] === '"' ? found : `"${found}"`)) : json;

function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(keepDigits(json));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Creates the conversion of objects into cells, by the dotted paths of their keys. */
function createCells() {
  const columns: string[] = [];
  const indexOf = new Map<string, number>();

  function columnOf(path: string): number | undefined {
    const known = indexOf.get(path);
    if (known !== undefined || columns.length >= mostColumns) return known;
    indexOf.set(path, columns.length);
    return columns.push(path) - 1;
  }

  function fill(cells: (string | null)[], value: object, prefix: string, depth: number): void {
    for (const [key, inner] of Object.entries(value)) {
      const path = `${prefix}${key}`;
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && depth < mostDepth)
        fill(cells, inner, `${path}.`, depth + 1);
      else {
        const column = columnOf(path);
        if (column === undefined) continue;
        while (cells.length <= column) cells.push(null);
        cells[column] =
          inner === null ? null : cellOf(typeof inner === 'object' ? JSON.stringify(inner) : String(inner));
      }
    }
  }

  return {
    columns,
    cellsOf(value: object): (string | null)[] {
      const cells: (string | null)[] = [];
      fill(cells, value, '', 0);
      return cells;
    },
  };
}

/** The objects directly in an array that is a whole document. */
function* elementsOf(store: TextSource, document: number): Generator<LinePlace> {
  const { bytes: size } = store.documents[document]!;
  let [depth, start, isInString, isEscaped] = [0, 0, false, false];
  for (let at = 0; at < size; at += blockBytes) {
    const bytes = Buffer.from(readBuffer(store, document, at, Math.min(size, at + blockBytes)));
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
      } else if (byte === quote) isInString = true;
      else if (byte === open && depth++ === 0) start = at + index;
      else if (byte === close && depth > 0 && --depth === 0) {
        const endByte = at + index + 1;
        const isShort = endByte - start <= mostRowBytes;
        const line = isShort ? readBuffer(store, document, start, endByte).toString('utf8') : null;
        yield { line, startByte: start, endByte };
      }
    }
  }
  if (depth > 0) yield { line: '', startByte: start, endByte: size };
}

/** Creates the source of the rows of a document of JSON lines, or of a JSON array of objects. */
export function createJsonRows(store: TextSource, document: number, isArray: boolean): RowSource {
  const { columns, cellsOf } = createCells();
  function* rows(): Generator<AnyRow> {
    for (const { line: json, ...place } of isArray ? elementsOf(store, document) : linesOf(store, document)) {
      if (json !== null && json.replace(/^\uFEFF/, '').trim() === '' && !isArray) continue;
      const value = json === null ? null : parseObject(json.replace(/^\uFEFF/, ''));
      if (value === null)
        yield { problem: json === null ? 'too long to be read' : 'that cannot be read as a JSON object', ...place };
      else yield { cells: cellsOf(value), ...place };
    }
  }
  return { columns, rows };
}
