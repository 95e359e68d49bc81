import { isObject } from '../../../base/is-object.ts';
import { stringOrNumber } from '../../../base/json-literals.ts';
import { isPlainKind } from '../../../context/chunkers/languages.ts';
import { readBuffer } from '../../../context/shown-text.ts';
import type { Column, ColumnType, Value } from '../../query-result.ts';
import {
  type FindTables,
  firstLines,
  type Reading,
  type RecordDocument,
  type RecordTable,
  recordLines,
} from '../reader.ts';
import { keepsDigits } from '../tables/typed-table.ts';

/** Matches a number of 16 digits or more. Some of its digits may be lost in a JavaScript number. */
const longNumber = /(?:\d\.?){16}/;

/** Puts long numbers in quotes, because parsing would round them. */
const keepDigits = (json: string): string =>
  longNumber.test(json)
    ? json.replace(stringOrNumber, (found) => (found[0] === '"' || keepsDigits(found) ? found : `"${found}"`))
    : json;

export type JsonObject = Readonly<Record<string, unknown>>;

const mostLevels = 1_000;

/**
 * Whether a value has more than 1000 levels, which is too deep for recursive functions.
 * @param length number of characters of the value's text.
 */
export function isDeep(value: unknown, length: number): boolean {
  if (length < mostLevels) return false;
  let level = [value];
  for (let depth = 0; depth < mostLevels && level.length > 0; depth++)
    level = level
      .flatMap((one) => Object.values(one as object))
      .filter((one) => typeof one === 'object' && one !== null);
  return level.length > 0;
}

/** Parses a JSON object. Returns null for other text, and for an object that is nested too deeply. */
export function parseRecordObject(json: string): JsonObject | null {
  // An exception costs more than a search, and most lines of most documents are not JSON.
  if (!/^\s*\{/.test(json)) return null;
  try {
    const value: unknown = JSON.parse(keepDigits(json));
    return isObject(value) && !isDeep(value, json.length) ? value : null;
  } catch {
    return null;
  }
}

/** Returns a value of JSON as a cell: true and false as 1 and 0, objects and arrays as JSON. */
export function toCell(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const marks = /["\\{}]/g;

/**
 * Yields the objects of an array as text. If an object is not closed, its text reaches to the end of the document. If
 * only the array is not closed, yields an empty text after the last object.
 */
function* elementsOf(document: RecordDocument) {
  let [depth, start, json] = [0, 0, ''];
  let [isInString, escapedAt] = [false, -1];
  let isEnded = false;
  for (const { line, text } of recordLines(document)) {
    let [from, end] = [0, 0];
    for (const { 0: mark, index } of text.matchAll(marks)) {
      if (index === escapedAt) escapedAt = -1;
      else if (mark === '\\') escapedAt = isInString ? index + 1 : -1;
      else if (mark === '"') isInString = !isInString;
      else if (isInString) continue;
      else if (mark === '{') {
        // If nothing follows `{` in its line, the row begins at the next line.
        if (depth++ === 0) [start, from, json] = [line + (text.slice(index + 1).trim() === '' ? 1 : 0), index, ''];
      } else if (depth > 0 && --depth === 0) {
        end = index + 1;
        yield { line: start, json: json + text.slice(from, end) };
      }
    }
    if (depth > 0) json += `${text.slice(from)}\n`;
    else isEnded ||= text.includes(']', end);
    escapedAt = -1;
  }
  if (depth > 0) yield { line: start, json };
  else if (!isEnded) yield { line: start, json: '' };
}

const mostColumns = 1_000;
const sampledRows = 500;

/** `object` is null for text that is no JSON object. */
function* objectsIn(document: RecordDocument, isArray: boolean) {
  if (isArray) for (const { line, json } of elementsOf(document)) yield { line, object: parseRecordObject(json) };
  else
    for (const { line, text } of recordLines(document))
      if (text.trim() !== '') yield { line, object: parseRecordObject(text) };
}

function typeOfValue(value: unknown): ColumnType | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return 'INTEGER';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'REAL';
  return typeof value === 'string' ? 'TEXT' : 'JSON';
}

function commonType(one: ColumnType | null, other: ColumnType | null): ColumnType | null {
  if (one === null || other === null || one === other) return one ?? other;
  const isNumber = [one, other].every((type) => type === 'INTEGER' || type === 'REAL');
  return isNumber ? 'REAL' : 'ANY';
}

/** Replaces NUL, which a name in SQL cannot contain. */
const columnName = (key: string): string => key.replaceAll('\0', '\u2400');

function sampleColumns(document: RecordDocument, isArray: boolean): Column[] {
  const types = new Map<string, ColumnType | null>();
  let count = 0;
  for (const { object } of objectsIn(document, isArray)) {
    if (count++ === sampledRows) break;
    for (const [key, value] of Object.entries(object ?? {})) {
      const name = columnName(key);
      types.set(name, commonType(types.get(name) ?? null, typeOfValue(value)));
    }
  }
  return [...types].slice(0, mostColumns).map(([name, type]) => ({ name, type: type ?? 'ANY' }));
}

/** Creates the table of JSON objects. A key that does not occur in the sampled objects adds a column later. */
function tableOfObjects(document: RecordDocument, isArray: boolean): RecordTable {
  const columns = sampleColumns(document, isArray);
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const leftOut = new Set<string>();
  function placeOf(name: string): number | null {
    const known = places.get(name);
    if (known !== undefined) return known;
    if (columns.length >= mostColumns) {
      leftOut.add(name);
      return null;
    }
    places.set(name, columns.length);
    return columns.push({ name, type: 'ANY' }) - 1;
  }
  function* rows({ wants }: Reading) {
    const wanted: boolean[] = [];
    for (const { line, object } of objectsIn(document, isArray)) {
      if (object === null) {
        yield { line, problem: 'that are no JSON objects' };
        continue;
      }
      const values: Value[] = new Array(columns.length).fill(null);
      for (const [key, value] of Object.entries(object)) {
        const name = columnName(key);
        const place = placeOf(name);
        if (place === null) continue;
        wanted[place] ??= wants(name);
        if (wanted[place]) values[place] = toCell(value);
      }
      yield { line, values };
    }
  }
  return { table: null, columns, leftOut, rows };
}

const mayBeJson = (kind: string): boolean => kind === 'JSON' || kind === 'JSON lines' || isPlainKind(kind);

/** Returns the first characters, also of a document that is one long line. */
const startOf = ({ source, index, bytes }: RecordDocument): string =>
  readBuffer(source, index, 0, Math.min(bytes, 1_000)).toString('utf8').replace('\ufeff', '');

/** Whether most of the first lines are JSON objects. */
export function holdsJsonLines(document: RecordDocument): boolean {
  const { kind } = document;
  if (!mayBeJson(kind)) return false;
  const lines = firstLines(document, 20);
  if (lines.length === 0) return kind === 'JSON lines' && /^\s*\{/.test(startOf(document));
  const objects = lines.filter((line) => parseRecordObject(line) !== null).length;
  return objects >= (kind === 'JSON lines' ? 1 : 2) && objects * 2 > lines.length;
}

export const findJson: FindTables = (document) => {
  if (!mayBeJson(document.kind)) return [];
  const isArray = /^\s*\[\s*\{/.test(startOf(document));
  return isArray || holdsJsonLines(document) ? [tableOfObjects(document, isArray)] : [];
};
