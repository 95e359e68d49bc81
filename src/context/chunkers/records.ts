import type { BoundaryFinder } from './boundaries.ts';

/** Beginnings of records of a log or of JSON lines. Each pattern takes linear time. */
const beginnings: readonly RegExp[] = [
  /^\{\s*"/,
  // 2026-11-21T10:00, 2026/11/21 10:00, also in brackets or after a syslog priority
  /^(?:<\d{1,3}>\d? ?)?[[(]?\d{4}[-/.]\d{2}[-/.]\d{2}[T _]\d{2}:\d{2}/,
  // 21/Nov/2026:10:00, 21.11.2026 10:00
  /^[[(]?\d{1,2}[-/. ](?:\d{1,2}|[A-Z][a-z]{2})[-/. ]\d{2,4}[ T:,]+\d{2}:\d{2}/,
  // Nov 21 10:00:00, Sat Nov 21 10:00:00
  /^(?:<\d{1,3}>)?[[(]?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}/,
  // 10:00:00
  /^[[(]?\d{2}:\d{2}:\d{2}(?!\d)/,
  // 1700000000.123, [12.345678]
  /^[[(]?\d{10}(?:\d{3})?(?:\.\d+)?(?!\d)/,
  /^\[ *\d+\.\d{6}\]/,
  // E1121 10:00:00
  /^[IWEF]\d{4} \d{2}:\d{2}/,
  // 127.0.0.1 - - [21/Nov/2026:10:00:00
  /^\S{1,100} \S{1,50} \S{1,50} \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:/,
  /^[[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)(?![\w-])/,
];

const beginsRecord = (line: string) => beginnings.some((pattern) => pattern.test(line));

const isIndented = (byte: number | undefined) => byte === undefined || byte <= 0x20;

/**
 * Finds records, and keeps them whole wherever they fit a chunk; lines after a record's first line, such as a stack
 * trace, belong to it.
 */
export const betweenRecords: BoundaryFinder = (text, start, end) =>
  !isIndented(text[start]) && beginsRecord(text.toString('latin1', start, end)) ? 3 : 0;

/** In UTF-8, read as Latin-1. */
const byteOrderMark = /^\xef\xbb\xbf/;

/** Whether a text consists of records, judged by its beginning: its first line and two more begin a record. */
export function looksLikeRecords(head: Buffer): boolean {
  const lines = head.toString('latin1').replace(byteOrderMark, '').split('\n');
  const isBeginning = lines.filter((line) => line.trim() !== '').map(beginsRecord);
  return isBeginning[0] === true && isBeginning.filter(Boolean).length >= 3;
}
