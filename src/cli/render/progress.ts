import { counted, duration, grouped, money } from '../../base/text.ts';
import { now } from '../../base/time.ts';
import type { ReadingProgress } from '../../inputs/gather-inputs.ts';
import type { Result } from '../../result.ts';
import type { EventListener, RunEvent } from '../../run/events.ts';
import { type Output, oneLine } from '../terminal.ts';
import { asksModel, callsSoFar, whoServes } from './result.ts';

export interface Progress {
  readonly onEvent: EventListener;
  readonly onReading: (progress: ReadingProgress) => void;
  /** Shows a line that is not an event. */
  say(line: string): void;
  /** @param result null when the run has no result. */
  close(result: Result | null): void;
}

const startNoticeMs = 700;
const silenceMs = 15_000;
const readingMs = 3_000;

/** Length of the longest message that is shown whole, in characters. */
const longestMessage = 2_000;
const longestName = 60;

const rounded = (amount: number) => (amount < 9.95 ? amount.toFixed(1) : String(Math.round(amount)));

/** Formats a size: `9,999 bytes`, `10 kB`, `1.1 MB`, `312 MB`, `1.1 GB`. */
export function size(bytes: number): string {
  if (bytes < 10_000) return counted(bytes, 'byte');
  if (bytes < 999_500) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 999_500_000 ? `${rounded(bytes / 1e6)} MB` : `${rounded(bytes / 1e9)} GB`;
}

/** Returns a text such as `312 MB` or `1,200 documents, 312 MB, now report.pdf`. */
export const describeReading = ({ files, bytes, name }: ReadingProgress): string => {
  const read = files > 1 ? `${counted(files, 'document')}, ${size(bytes)}` : size(bytes);
  return name === undefined ? read : `${read}, now ${oneLine(name, longestName)}`;
};

const agesMs = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 };

/** Returns a text such as ` (index docs, updated 3 hours ago)`; empty without an index. */
function indexNote({ index }: RunEvent & { type: 'run.started' }): string {
  if (index === null) return '';
  const ms = Math.max(0, Date.now() - Date.parse(index.updatedAt));
  const [unit, length] = Object.entries(agesMs).find(([, least]) => ms >= least) ?? ['second', 1_000];
  const watched = index.isWatched ? ', watched' : '';
  return ` (index ${oneLine(index.name)}, updated ${counted(Math.floor(ms / length), unit)} ago${watched})`;
}

/** Returns who answers, the amount of text, the age of an index, the id of the run, and what a paid run may spend. */
export function headerLine(event: RunEvent & { type: 'run.started' }): string {
  const { documents, bytes, recordedCalls, runId, atMost } = event;
  const after = asksModel(event) ? ` after ${counted(recordedCalls, 'call')}` : '';
  const recorded = recordedCalls > 0 ? `, resumed${after}` : '';
  const most =
    atMost === null
      ? ''
      : ` · at most ${counted(atMost.calls, 'call')}, ${counted(atMost.tokens, 'token')}, ${money(atMost.usd)}`;
  return `${whoServes(event)} · ${counted(documents, 'document')}, ${size(bytes)}${indexNote(event)} · run ${runId}${recorded}${most}`;
}

function scanLine(event: RunEvent & { type: 'scan.started' }): string {
  const { pieces, chosen, bytes, chosenBytes, fewestCalls, mostCalls, callsLeft } = event;
  const part =
    chosen < pieces
      ? `${size(chosenBytes)} of ${size(bytes)}, ${grouped(chosen)} of ${counted(pieces, 'piece')},`
      : `all ${size(bytes)}, ${counted(pieces, 'piece')},`;
  return `scan: reading ${part} in ${counted(fewestCalls, 'call')}, at most ${Math.min(mostCalls, callsLeft)}`;
}

/** Returns one line for an event. Null for an event that is not shown. */
export function describeEvent(event: RunEvent): string | null {
  switch (event.type) {
    case 'run.started':
      return headerLine(event);
    case 'warning':
      return `note: ${oneLine(event.message, longestMessage)}`;
    case 'plan':
      return `plan: ${event.plan.approach} (${oneLine(event.plan.reason)})`;
    case 'node.started':
      return event.depth > 0 ? `${event.path} ${oneLine(event.question)}` : null;
    case 'node.completed':
      return event.path.includes('.') ? `${event.path} ${event.status} in ${duration(event.timeMs)}` : null;
    case 'search.completed':
      return `${event.path} searched for "${oneLine(event.query)}": ${counted(event.found.length, 'passage')}`;
    case 'tool.called': {
      const given = oneLine(JSON.stringify(event.arguments) ?? '', 120);
      return `${event.path} ${oneLine(event.tool)} ${given}: ${oneLine(event.result)}`;
    }
    case 'scan.started':
      return scanLine(event);
    case 'embedding.retried':
    case 'call.retried':
      return `retry ${event.attempt - 1} in ${duration(event.waitMs)}: ${oneLine(event.error.message, longestMessage)}`;
    default:
      return null;
  }
}

/** The shortest time before the first line about vectors and between two such lines, in ms. */
const indexLineMs = 10_000;

/** Shows progress as static lines, for logs and pipes. After 15 s without a line it reports that it is working. */
export function createProgressLines(stderr: Output): Progress {
  const startedAt = now();
  let calls = 0;
  let indexedAt: number | null = null;
  const say = (line: string) => stderr.write(`rlm: ${line}\n`);
  let reading: string | null = null;
  let waitsFor = '';
  /** Reports what delays the start of the run. Looks again at growing intervals, and reports changes. */
  const noteWaiting = (afterMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      const what = reading ?? 'and the provider';
      if (what !== waitsFor) say(`waiting for the input ${what} …`);
      waitsFor = what;
      starting = noteWaiting(2 * afterMs);
    }, afterMs);
  let starting = noteWaiting(startNoticeMs);
  const reportSilence = () => {
    const doing = reading === null ? '' : `reading ${reading}`;
    say(`still working: ${[doing, callsSoFar(calls), duration(now() - startedAt)].filter(Boolean).join(', ')}`);
  };
  const silence = setInterval(reportSilence, silenceMs);
  let reportedReadingAt = startedAt;
  return {
    say,
    onReading(progress) {
      reading = progress.name === undefined ? null : oneLine(progress.name);
      if (now() - reportedReadingAt < readingMs) return;
      reportedReadingAt = now();
      say(`reading the input: ${describeReading(progress)}`);
      silence.refresh();
    },
    onEvent(event) {
      if (event.type === 'run.started') clearTimeout(starting);
      if (event.type === 'call.started' && asksModel(event)) calls += 1;
      let line = describeEvent(event);
      if (event.type === 'index.progress') indexedAt ??= now();
      if (event.type === 'index.progress' && now() - indexedAt! >= indexLineMs) {
        indexedAt = now();
        line = `vectors of ${grouped(event.done)} of ${counted(event.chunks, 'passage')}`;
      }
      if (line === null) return;
      say(line);
      silence.refresh();
    },
    close() {
      clearTimeout(starting);
      clearInterval(silence);
    },
  };
}

const drawEveryMs = 100;

/**
 * Shows the state of long work. On a terminal, redraws one line. On other outputs, writes a new line at intervals.
 * @param everyMs the shortest time before the first line and between two lines, in ms. Does not apply to a terminal.
 */
export function createStatusLine(stderr: Pick<Output, 'isTerminal' | 'columns' | 'write'>, everyMs: number) {
  let shownAt = now();
  let line = '';
  // Without wrapping, a line of wide characters stays one line.
  const draw = () => stderr.write(`\u001b[?7l\r\u001b[2K${[...line].slice(0, stderr.columns - 1).join('')}\u001b[?7h`);
  return {
    /** @param isDue whether to ignore the interval. */
    show(text: string, isDue = false): void {
      line = text;
      if (!isDue && now() - shownAt < (stderr.isTerminal ? drawEveryMs : everyMs)) return;
      shownAt = now();
      if (stderr.isTerminal) draw();
      else stderr.write(`rlm: ${text}\n`);
    },
    /** Leaves the current line on the terminal, and begins a new line. */
    keep(): void {
      if (stderr.isTerminal && line !== '') {
        draw();
        stderr.write('\n');
      }
      line = '';
    },
    close(): void {
      if (stderr.isTerminal && line !== '') stderr.write('\r\u001b[2K');
      line = '';
    },
  };
}
