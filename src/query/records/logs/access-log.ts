import { columnsNamed, type FindTables, firstLines, readLines, tableOf } from '../reader.ts';
import { isNumber } from '../tables/typed-table.ts';

const columns = columnsNamed(
  'time timeText host client user method path protocol status:INTEGER bytes:INTEGER referrer agent rest',
);

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

const rowsOf = readLines((entry, times) => {
  const found = form.exec(entry);
  if (found === null) return 'that are no access log entries';
  const [method = null, path = null, protocol = null] = (found[5] ?? '').split(' ');
  const [status, bytes] = [numberAt(found, 6), numberAt(found, 7)];
  const who = [valueAt(found, 1), valueAt(found, 2), valueAt(found, 3)];
  const rest = [valueAt(found, 8), valueAt(found, 9), valueAt(found, 10)];
  const time = times.read(found[4]!)?.time ?? null;
  return [time, found[4]!, ...who, method, path, protocol, status, bytes, ...rest];
});

export const findAccessLog: FindTables = (document) => {
  const lines = firstLines(document, 50);
  const entries = lines.filter((line) => form.test(line)).length;
  return entries === 0 || entries * 2 < lines.length ? [] : tableOf('access', columns, document, rowsOf);
};
