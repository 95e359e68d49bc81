import { isPlainKind } from '../../../context/chunkers/languages.ts';
import { columnsNamed, type FindTables, type ReadRows, recordLines, tableOf } from '../reader.ts';
import { isNumber } from '../tables/typed-table.ts';
import { createTimeReader } from '../times.ts';

/** Matches a pair. A value goes on after a comma or semicolon within it (`1,200.50`), unless a pair follows. */
const pair = /([A-Za-z_][\w.-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,)\]}"]+(?:[;,](?![A-Za-z_][\w.-]*=)[^\s;,)\]}"]+)*))/g;
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

function toJson(text: string): string {
  if (isNumber(text)) return text;
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function membersOf(text: string): string {
  const start = text.indexOf('{"');
  if (start === -1 || !text.endsWith('}')) return '';
  try {
    return JSON.stringify(JSON.parse(text.slice(start))).slice(1, -1);
  } catch {
    return ''; // The text is not JSON, so it adds no fields.
  }
}

/** Returns the `key=value` pairs as members of a JSON object. A key with several values has a list of them. */
function pairsOf(text: string): string {
  const [keys, values]: [string[], string[][]] = [[], []];
  pair.lastIndex = 0;
  for (let found = pair.exec(text); found !== null; found = pair.exec(text)) {
    const value = found[2] === undefined ? toJson(found[3]!) : JSON.stringify(found[2].replaceAll('\\"', '"'));
    const known = keys.indexOf(found[1]!);
    if (known === -1) {
      keys.push(found[1]!);
      values.push([value]);
    } else if (!values[known]!.includes(value)) values[known]!.push(value);
  }
  const oneOrAll = (all: readonly string[]) => (all.length === 1 ? all[0]! : `[${all.join(',')}]`);
  return keys.map((key, at) => `"${key}":${oneOrAll(values[at]!)}`).join(',');
}

/** Returns the `key=value` pairs and the JSON object of a message as one JSON object; null if it has neither. */
export function fieldsOf(text: string): string | null {
  let json = text.includes('=') ? pairsOf(text) : '';
  const members = text.includes('{"') ? membersOf(text.trimEnd()) : '';
  if (members !== '') json = json === '' ? members : `${json},${members}`;
  return json === '' ? null : `{${json}}`;
}

export const logColumns = columnsNamed('time timeText level source message fields:JSON');

const fewestLines = 2;
const leastShare = 0.5;
/** Maximum number of characters of a record with its continuation lines. A line that would exceed it is left out. */
const mostCharacters = 16_000;

const level =
  /(?<![\w-])(?:TRACE|DEBUG|FINE|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|ALERT|EMERG|EMERGENCY|SEVERE|PANIC|(?:LOG|STATEMENT|DETAIL|HINT|CONTEXT)(?=:))(?![\w-])/i;
const levelCharacters = 120;
/**
 * Matches a name before the message: in brackets, before a colon, or with a dot, digit, slash, `-` or `_` in it. A name
 * that is alone in its line is the message.
 */
const source =
  /^(?:\[([^\]\s][^\]]{0,80})\]|([\w./$@-]{1,80})(?:\[\d+\])?:(?=\s)|([A-Za-z][\w$@]*[-./\d_][\w./$@-]{0,80})(?=\s))(?=.*\S)[^\S\n]*(?:[-–|:]\s+)?/;
/** Matches host and program of syslog. After a time in another format, the process number is required. */
const syslogSource = /^[\w.:-]{1,80} ([\w./@-]{1,60})(?:\[\d+\])?: /;
const processSource = /^[\w.:-]{1,80} ([\w./@-]{1,60})\[\d+\]: /;
const syslogTime = /^[A-Z][a-z]{2} /;

/** Matches text before a level in small letters: text without letters, an opening bracket, or a name with a colon. */
const beforeLevel = /(?:^[^\p{L}]*|[[(<|]|^\S+:)[\s[(<|-]*$/u;

/** Finds the level of a record. "Finished without error" has no level. */
function levelIn(text: string): RegExpExecArray | null {
  const found = level.exec(text.slice(0, levelCharacters));
  if (found === null || found[0] === found[0].toUpperCase()) return found;
  return beforeLevel.test(text.slice(0, found.index)) ? found : null;
}

/** Returns level, source and message of a record. */
function partsOf(text: string, timeText: string) {
  const app = (syslogTime.test(timeText) ? syslogSource : processSource).exec(text);
  if (app === null) return withoutApp(text);
  const rest = text.slice(app[0].length);
  const [named, before, after] = splitAtLevel(rest);
  return [named, app[1]!, before === '' ? after : rest];
}

/** Returns the level, and the texts before and after it. If there is no level, returns the whole text as `after`. */
function splitAtLevel(text: string): [level: string | null, before: string, after: string] {
  const found = levelIn(text);
  if (found === null) return [null, '', text];
  const before = text.slice(0, found.index).replace(/^[-–|]\s+|[\s[(<|:.-]+$/g, '');
  return [found[0], before.trim(), text.slice(found.index + found[0].length).replace(/^[\s\])>|:-]+/, '')];
}

function withoutApp(text: string) {
  const [named, before, after] = splitAtLevel(text);
  return before === '' ? withSource(named, after) : [named, before.replace(/^\[([^[\]]*)\]$/, '$1'), after];
}

function withSource(levelText: string | null, text: string) {
  const found = source.exec(text);
  return found === null
    ? [levelText, null, text]
    : [levelText, found[1] ?? found[2] ?? found[3]!, text.slice(found[0].length)];
}

/** Lines without a time, such as a stack trace, continue the record above them. */
const rowsOf: ReadRows = function* (document, reading) {
  const times = reading.times();
  const row = ({ line, time, timeText, text }: NonNullable<typeof open>) => {
    const fields = reading.wants('fields') ? fieldsOf(text) : null;
    return { line, values: [time, timeText, ...partsOf(text, timeText), fields] };
  };
  let open: { line: number; time: string; timeText: string; text: string } | null = null;
  for (const { line, text } of recordLines(document)) {
    const read = times.read(text);
    if (read === null) {
      if (text.trim() === '') continue;
      if (open === null) yield { line, problem: 'without a time' };
      else if (open.text.length + text.length < mostCharacters) open.text += `\n${text}`;
      continue;
    }
    if (open !== null) yield row(open);
    open = { line, time: read.time, timeText: read.text, text: text.slice(read.end).trimStart() };
  }
  if (open !== null) yield row(open);
};

/** Finds the records of a log whose lines begin with a time, such as syslog. */
export const findTimedLog: FindTables = (document) => {
  const { kind, head } = document;
  if (!isPlainKind(kind)) return [];
  const lines = head.filter((line) => /^\S/.test(line)).slice(0, 100);
  const times = createTimeReader(null);
  const timed = lines.filter((line) => times.read(line) !== null).length;
  // Lines with tabs are a table if the first line is a header without a time, even if the other lines begin with times.
  const tabs = (line = '') => line.split('\t').length;
  if (tabs(lines[0]) > 1 && times.read(lines[0]!) === null && lines.every((line) => tabs(line) === tabs(lines[0])))
    return [];
  const isLog = timed >= Math.min(fewestLines, lines.length) && timed > 0 && timed >= leastShare * lines.length;
  return isLog ? tableOf('log', logColumns, document, rowsOf) : [];
};
