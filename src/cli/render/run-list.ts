import { counted } from '../../base/counted.ts';
import type { ListedRun } from '../../index.ts';
import { type Output, oneLine } from '../terminal.ts';
import { asksModel } from './model-calls.ts';
import { table, widthsOf } from './table.ts';

const twoDigits = (count: number) => String(count).padStart(2, '0');

/** Formats a time in the local time zone, such as `2026-11-21 01:08`. Empty when there is none. */
export function localTime(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return oneLine(at, 20);
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${day} ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** The maximum length of a question when the output is not a terminal, in characters. */
const longestQuestion = 1_000;

/** Formats runs as lines: id, start, status, calls, question. */
export function renderRuns(runs: readonly ListedRun[], stdout: Output): string {
  const facts = runs.map(({ runId, at, status, calls, provider }) => [
    oneLine(runId),
    localTime(at),
    status,
    status === 'damaged' || !asksModel({ provider }) ? '' : counted(calls, 'call'),
  ]);
  const used = widthsOf(facts).reduce((total, width) => total + width + 2, 0);
  const room = stdout.isTerminal ? Math.max(20, stdout.columns - used) : longestQuestion;
  return table(runs.map(({ task, damage }, index) => [...facts[index]!, oneLine(task ?? damage ?? '', room)]));
}
