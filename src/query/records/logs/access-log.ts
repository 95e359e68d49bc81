import type { Column } from '../../query-result.ts';
import type { Reading, RecordReader, RecordRow } from '../reader.ts';
import { type RecordDocument, recordLines } from '../reader.ts';
import { isNumber } from '../tables/typed-table.ts';

const columns: readonly Column[] = [
  { name: 'time', type: 'TEXT' },
  { name: 'timeText', type: 'TEXT' },
  { name: 'host', type: 'TEXT' },
  { name: 'client', type: 'TEXT' },
  { name: 'user', type: 'TEXT' },
  { name: 'method', type: 'TEXT' },
  { name: 'path', type: 'TEXT' },
  { name: 'protocol', type: 'TEXT' },
  { name: 'status', type: 'INTEGER' },
  { name: 'bytes', type: 'INTEGER' },
  { name: 'referrer', type: 'TEXT' },
  { name: 'agent', type: 'TEXT' },
  { name: 'rest', type: 'TEXT' },
];

const text = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`;
/** The common and the combined format of Apache and nginx, with or without the host before it. */
const form = new RegExp(
  String.raw`^(?:([\w.-]+(?::\d+)?) )?(\S+) \S+ (\S+) \[([^\]]{10,40})\] ${text} (\d{3}) (\d+|-)(?: ${text} ${text})?(?: (.*))?$`,
);

const valueAt = (found: RegExpExecArray, group: number): string | null => {
  const value = found[group];
  return value === undefined || value === '-' || value === '' ? null : value;
};

const numberAt = (found: RegExpExecArray, group: number): number | null => {
  const value = valueAt(found, group);
  return value !== null && isNumber(value) ? Number(value) : null;
};

function* rowsOf(document: RecordDocument, reading: Reading): Generator<RecordRow> {
  const times = reading.times();
  for (const { line, text: entry } of recordLines(document)) {
    const found = form.exec(entry);
    if (found === null) {
      if (entry.trim() !== '') yield { line, problem: 'that are no access log entries' };
      continue;
    }
    const [method = null, path = null, protocol = null] = (found[5] ?? '').split(' ');
    const [status, bytes] = [numberAt(found, 6), numberAt(found, 7)];
    const who = [valueAt(found, 1), valueAt(found, 2), valueAt(found, 3)];
    const rest = [valueAt(found, 8), valueAt(found, 9), valueAt(found, 10)];
    const time = times.read(found[4]!)?.time ?? null;
    yield { line, values: [time, found[4]!, ...who, method, path, protocol, status, bytes, ...rest] };
  }
}

const fewestLines = 1;
const leastShare = 0.5;

/** Access logs of Apache and nginx. */
export const accessLogReader: RecordReader = {
  name: 'access logs',
  isBeside: false,
  find(document) {
    const lines = document.head.filter((line) => line.trim() !== '').slice(0, 50);
    const entries = lines.filter((line) => form.test(line)).length;
    if (entries < fewestLines || entries < leastShare * lines.length) return [];
    return [{ table: 'access', about: null, columns, rows: (reading) => rowsOf(document, reading) }];
  },
};
