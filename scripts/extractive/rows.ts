/** Reads rows of CSV and JSON lines, computes values, and reads the time at the start of a line. */
import type { Aggregate } from './labels.ts';

type Row = Readonly<Record<string, unknown>>;

function cellsOf(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

/** Returns the rows of a CSV file with a header, or of JSON lines. */
export function rowsOf(path: string, text: string): Row[] {
  const lines = text.trimEnd().split('\n');
  if (path.endsWith('.jsonl')) return lines.map((line) => JSON.parse(line) as Row);
  const head = cellsOf(lines[0]!);
  return lines.slice(1).map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [head[index], cell])));
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ranked = [...counts].sort(([, one], [, other]) => other - one);
  if (ranked[0]?.[1] === ranked[1]?.[1])
    throw new Error(`'${ranked[0]?.[0]}' and '${ranked[1]?.[0]}' are equally frequent`);
  return ranked[0]![0];
}

/** Computes a value from the rows. Leaves out empty cells. */
export function aggregate(rows: readonly Row[], { op, column, where }: Aggregate): number | string {
  const chosen = rows.filter((row) => Object.entries(where).every(([key, value]) => String(row[key]) === value));
  const values = chosen.map((row) => row[column] ?? '').filter((value) => value !== '');
  if (op === 'top') return mostFrequent(values.map(String));
  if (op === 'distinct') return new Set(values).size;
  const numbers = values.map(Number);
  if (op === 'max') return Math.max(...numbers);
  if (op === 'min') return Math.min(...numbers);
  const sum = numbers.reduce((total, number) => total + number, 0);
  return op === 'sum' ? sum : sum / numbers.length;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a line's first time stamp in seconds, or null: ISO 8601, day/month/year, or syslog's, without a year. */
export function timeOf(line: string): number | null {
  const iso = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{3}))?/.exec(line);
  if (iso !== null) return Date.parse(`${iso[1]}T${iso[2]}.${iso[3] ?? '000'}Z`) / 1000;
  const day = /(\d\d)\/(\d\d)\/(\d{4}), (\d\d:\d\d)/.exec(line);
  if (day !== null) return Date.parse(`${day[3]}-${day[2]}-${day[1]}T${day[4]}:00Z`) / 1000;
  const syslog = /^([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d)/.exec(line);
  if (syslog === null) return null;
  const [, month, date, ...clock] = syslog;
  const [hour, minute, second] = clock.map(Number);
  return Date.UTC(1970, months.indexOf(month!), Number(date), hour, minute, second) / 1000;
}
