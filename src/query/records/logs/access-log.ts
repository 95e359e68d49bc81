import { columnsNamed, type FindTables, firstLines, rowsByLine, tableOf } from '../reader.ts';
import { isNumber } from '../tables/typed-table.ts';

const columns = columnsNamed(
  'time timeText host client user method path protocol status:INTEGER bytes:INTEGER referrer agent rest',
);

const quoted = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`;
/** Matches an entry in the common or combined log format of Apache and nginx. A host may precede the entry. */
const form = new RegExp(
  String.raw`^(?:([\w.-]+(?::\d+)?) )?([^\s-]\S*) [^\s"]+ (\S+|"[^"]*") \[([^\]]{10,40})\] ${quoted} (\d{3}) (\d+|-)(?: ${quoted} ${quoted})?(?: (.*))?$`,
);

const unlessDash = (value: string | undefined): string | null => (value === '-' ? null : value || null);
const numberOf = (value: string): number | null => (isNumber(value) ? Number(value) : null);

const rowsOf = rowsByLine((entry, times) => {
  const found = form.exec(entry);
  if (found === null) return 'that are no access log entries';
  const [, host, client, user, timeText, request, status, bytes, ...rest] = found;
  const [method = null, path = null, protocol = null] = request!.split(' ');
  const time = times.read(timeText!)?.time ?? null;
  const who = [host, client, user!.replaceAll('"', '')].map(unlessDash);
  const numbers = [numberOf(status!), numberOf(bytes!)];
  return [time, timeText!, ...who, method, path, protocol, ...numbers, ...rest.map(unlessDash)];
});

export const findAccessLog: FindTables = (document) => {
  const lines = firstLines(document, 50);
  const entries = lines.filter((line) => form.test(line)).length;
  return entries === 0 || entries * 2 < lines.length ? [] : tableOf('access', columns, document, rowsOf);
};
