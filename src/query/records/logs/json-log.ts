import { isPlainKind } from '../../../context/chunkers/languages.ts';
import { holdsJsonLines, type JsonObject, parseRecordObject, toCell } from '../data/json.ts';
import { type FindTables, firstLines, type RecordDocument, rowsByLine, tableOf } from '../reader.ts';
import { createTimeReader, type TimeReader, timeOfEpoch } from '../times.ts';
import { fieldsOf, logColumns } from './log.ts';

/** Keys of log entries, the most usual keys first. journald writes the keys in capitals. */
const keys = {
  time: ['time', 'timestamp', '@timestamp', 'ts', 't', 'datetime', 'date', '__REALTIME_TIMESTAMP'],
  level: ['level', 'severity', 'lvl', 'loglevel', 'log.level', 'PRIORITY'],
  source: ['logger', 'source', 'service', 'component', 'name', 'SYSLOG_IDENTIFIER', '_COMM', 'hostname'],
  message: ['message', 'msg', 'MESSAGE', 'event'],
};

const keyOf = (object: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => object[name] !== undefined && object[name] !== null);

/** Names of the priorities 0 to 7 of journald and syslog. */
const journalLevels = ['EMERG', 'ALERT', 'CRIT', 'ERR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];
/** Names of pino's levels, by number. */
const pinoLevels: Readonly<Record<string, string>> = {
  ...{ 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' },
};

function levelOf(key: string | undefined, value: unknown): string | null {
  if (value === undefined) return null;
  if (key === 'PRIORITY') return journalLevels[Number(value)] ?? String(value);
  return pinoLevels[String(value)] ?? String(value);
}

function timeOf(value: unknown, times: TimeReader): string | null {
  const text = String(value);
  return /^\d{9,20}(?:\.\d+)?$/.test(text) ? timeOfEpoch(Number(text)) : (times.read(text)?.time ?? null);
}

function isLogEntry(object: JsonObject): boolean {
  const time = keyOf(object, keys.time);
  if (time === undefined || timeOf(object[time], createTimeReader(null)) === null) return false;
  return (
    keyOf(object, keys.message) !== undefined && (keyOf(object, keys.level) ?? keyOf(object, keys.source)) !== undefined
  );
}

type ParseLine = (text: string) => JsonObject | null;

/** Parses a line of logfmt: `ts=… level=warn msg="slow query"`. */
function parseLogfmt(text: string): JsonObject | null {
  const fields = /^[A-Za-z_@][\w.-]*=/.test(text) ? fieldsOf(text) : null;
  return fields === null ? null : parseRecordObject(fields);
}

const rowsBy = (parse: ParseLine) =>
  rowsByLine((text, times) => {
    const object = parse(text);
    const timeKey = object === null ? undefined : keyOf(object, keys.time);
    if (object === null || timeKey === undefined) return object === null ? 'that are no objects' : 'without a time';
    const [level, source, message] = [keys.level, keys.source, keys.message].map((names) => keyOf(object, names));
    const cells = [source, message].map((key) => (key === undefined ? null : toCell(object[key])));
    const levelText = levelOf(level, level === undefined ? undefined : object[level]);
    const time = timeOf(object[timeKey], times);
    return [time, String(object[timeKey]), levelText, ...cells, JSON.stringify(object)];
  });

function findLog(document: RecordDocument, parse: ParseLine) {
  const lines = firstLines(document, 20);
  const objects = lines.map(parse).filter((object) => object !== null);
  const entries = objects.filter(isLogEntry).length;
  const isLog = objects.length * 2 > lines.length && entries * 2 > objects.length;
  return isLog ? tableOf('log', logColumns, document, rowsBy(parse)) : [];
}

/** Finds a log with one JSON object per line, such as journald's. The column `fields` contains all keys. */
export const findJsonLog: FindTables = (document) =>
  holdsJsonLines(document) ? findLog(document, parseRecordObject) : [];

/** Finds a log of `key=value` pairs with one entry per line. The column `fields` contains all keys. */
export const findLogfmt: FindTables = (document) => (isPlainKind(document.kind) ? findLog(document, parseLogfmt) : []);
