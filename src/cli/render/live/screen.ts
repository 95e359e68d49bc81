import { counted, grouped, money } from '../../../base/text.ts';
import { now } from '../../../base/time.ts';
import type { Result } from '../../../result.ts';
import type { RunEvent } from '../../../run/events.ts';
import { type Output, oneLine, repliedText } from '../../terminal.ts';
import { describeEvent, describeReading, headerLine, type Progress } from '../progress.ts';
import { asksModel, faultLines, styleClaims } from '../result.ts';
import { createBranches, stageWords, treeLines, workingSigns } from './tree.ts';
import { cutLine, fitsLine, ownLines, wrapped } from './wrapped.ts';

function createDraft(style: Output['style']) {
  let call = 0;
  let text = '';
  let checked: Extract<RunEvent, { type: 'evidence.checked' }> | null = null;
  /** The answer of each earlier step, and why it was withdrawn; `text` is empty if no answer arrived. */
  const withdrawn: { readonly text: string; readonly reason: string }[] = [];
  /** Formats withdrawn answers: `withdrawn: Alice (no cited text says so)`, with the answer struck through. */
  const withdrawnLines = (kept = -1): string[] =>
    withdrawn.flatMap((one, index) => {
      const struck = style('strikethrough', oneLine(one.text, 160));
      const why = style('dim', `(${oneLine(one.reason, 300)})`);
      return index === kept || one.text === '' ? [] : [`${style('yellow', 'withdrawn:')} ${struck} ${why}`];
    });
  function body(): string[] {
    if (checked === null) return text === '' ? [] : [repliedText(text)];
    const { answer, claims } = checked;
    return [styleClaims(answer, claims, style, true), ...faultLines(claims, style)];
  }
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'answer.progress') {
        if (event.call !== call) [text, checked] = ['', null];
        text = text.slice(0, event.from) + event.text;
        call = event.call;
      }
      if (event.type === 'evidence.checked') checked = event;
      if (event.type !== 'ladder.climbed') return;
      withdrawn.push({ text, reason: event.reason });
      [text, checked] = ['', null];
    },
    lines(columns: number): string[] {
      const all = [...withdrawnLines(), ...body()];
      return all.length === 0 ? [] : wrapped(all.join('\n'), columns);
    },
    /** Returns the withdrawn answers, without the one that became the final answer. */
    left: ({ ladder }: Pick<Result, 'ladder'>): string[] => withdrawnLines(ladder.findIndex(({ isKept }) => isKept)),
  };
}

const hideCursorAndWrap = '\u001b[?25l\u001b[?7l';
const showCursorAndWrap = '\u001b[?7h\u001b[?25h';

const fewestTreeLines = 4;

const noted: readonly RunEvent['type'][] = ['warning', 'call.retried', 'embedding.retried'];

function answerLines(words: readonly string[], room: number): readonly string[] {
  if (words.length === 0 || room < 1) return [];
  return room < 3 ? words.slice(-room) : ['', ...words.slice(2 - room), ''];
}

/** Converts the events of a run to the lines of a screen. */
export function createScreen(stderr: Pick<Output, 'columns' | 'rows' | 'style'>, showsAnswer: boolean) {
  const { style } = stderr;
  const [branches, draft, notes, reading] = [createBranches(), createDraft(style), createNotes(), createReadingLine()];
  const spent = createSpent(now());
  let header: string | null = null;
  let doing = 'reading the input and connecting to the model';

  function onEvent(event: RunEvent): void {
    for (const part of [branches, reading, spent]) part.onEvent(event);
    if (showsAnswer) draft.onEvent(event);
    if (event.type === 'run.started') header = headerLine(event);
    if (event.type === 'stage.started') doing = stageWords[event.stage];
    if (noted.includes(event.type)) notes.add(describeEvent(event)!.replace(/^note: /, ''));
  }

  function headLines(): string[] {
    const { columns, rows } = stderr;
    const recent = notes.lines().slice(-Math.max(1, Math.floor(rows / 8)));
    return [
      ...(header === null ? [] : wrapped(style('dim', header), columns)),
      ...recent.map((line) => style('yellow', cutLine(line, columns))),
    ];
  }

  function footLines(sign: string): string[] {
    const { columns } = stderr;
    const bar = reading.line(style);
    const figures = [spent.text(), reading.left()].filter(Boolean).join(' · ');
    const what = `${style('cyan', sign)} ${doing}`;
    const isShort = fitsLine(`+ ${doing}  ${figures}`, columns);
    const status = isShort ? [`${what}  ${style('dim', figures)}`] : [what, ...wrapped(style('dim', figures), columns)];
    return [...(bar === null ? [] : [cutLine(bar, columns)]), ...status];
  }

  function lines(sign: string): string[] {
    const { columns, rows } = stderr;
    const [head, foot] = [headLines(), footLines(sign)];
    const room = Math.max(3, rows - 1 - head.length - foot.length);
    const words = draft.lines(columns);
    const beside = words.length === 0 ? room : Math.max(Math.min(fewestTreeLines, room - 3), room - words.length - 2);
    const tree = treeLines(branches.roots, Math.max(2, beside), { columns, style, workingSign: sign });
    return [...head, ...tree, ...answerLines(words, room - tree.length), ...foot].slice(-Math.max(1, rows - 1));
  }

  return {
    onEvent,
    lines,
    onReading: (progress: Parameters<Progress['onReading']>[0]) => {
      doing = `reading the input: ${describeReading(progress)}`;
    },
    /** Returns the lines that stay after the tree is erased. */
    left: (result: Result | null): string[] => [...notes.lines(), ...(result === null ? [] : draft.left(result))],
  };
}

/** Shows the live recursion tree on a terminal. Hides the cursor until `close` or the end of the process. */
export function createLiveTree(stderr: Output, showsAnswer: boolean): Progress {
  const screen = createScreen(stderr, showsAnswer);
  let [tick, drawn] = [0, 0];
  const erased = () => (drawn > 0 ? `\r\u001b[${drawn}A\u001b[0J` : '');
  const restore = () => stderr.write(showCursorAndWrap);
  function draw(above = ''): void {
    tick += 1;
    const lines = screen.lines(workingSigns[tick % workingSigns.length]!);
    stderr.write(`${erased()}${above}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
  }
  stderr.write(hideCursorAndWrap);
  process.once('exit', restore);
  draw();
  const timer = setInterval(() => draw(), 100);
  return {
    say: (line) => draw(`\u001b[?7hrlm: ${line}\n\u001b[?7l`),
    onReading: screen.onReading,
    onEvent: screen.onEvent,
    close(result) {
      clearInterval(timer);
      process.off('exit', restore);
      stderr.write(erased());
      restore();
      const kept = screen.left(result).map((line) => ownLines(`rlm: ${line}\n`, stderr.columns));
      if (kept.length > 0) stderr.write(`${kept.join('')}\n`);
    },
  };
}

function createNotes() {
  const kinds = new Map<string, { readonly message: string; count: number }>();
  return {
    add(message: string): void {
      // Notes that differ only in numbers or quoted names are of one kind.
      const kind = message.replace(/"[^"]*"/g, '""').replace(/\d+/g, '0');
      const known = kinds.get(kind);
      if (known) known.count += 1;
      else kinds.set(kind, { message: oneLine(message, 2_000), count: 1 });
    },
    /** Returns lines such as `note: …` or `note (3 times): …`. */
    lines: (): string[] =>
      [...kinds.values()].map(({ message, count }) => `note${count > 1 ? ` (${count} times)` : ''}: ${message}`),
  };
}

const barCells = 24;
const fewestSteps = 2;

/** Shows the progress of work of a known size: a scan of the text, or the computation of vectors. */
function createReadingLine() {
  const begin = (what: string, unit: string, total: number) => ({ what, unit, total, startedAt: now(), done: 0 });
  let work: ReturnType<typeof begin> | null = null;
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'scan.started') work = begin('reading all of the text', 'pieces', event.chosen);
      if (event.type === 'index.progress') {
        if (work?.unit !== 'passages') work = begin('computing vectors', 'passages', event.chunks);
        work.done = event.done;
        if (event.done >= event.chunks) work = null;
      }
      const isPiece = event.type === 'call.completed' || event.type === 'call.reused';
      if (isPiece && event.prompt === 'scan' && work?.unit === 'pieces') work.done += 1;
      if (isPiece && event.prompt === 'compose') work = null;
      if (event.type === 'node.completed' && event.path === '0') work = null;
    },
    line(style: Output['style']): string | null {
      if (work === null) return null;
      const { what, unit, total, done } = work;
      const share = Math.min(1, done / Math.max(1, total));
      const full = Math.round(share * barCells);
      const bar = `${style('cyan', '━'.repeat(full))}${style('dim', '─'.repeat(barCells - full))}`;
      return `${what} ${bar} ${grouped(Math.min(done, total))}/${grouped(total)} ${unit}`;
    },
    left(): string {
      if (work === null || work.done < fewestSteps || work.done >= work.total) return '';
      return timeLeft(((now() - work.startedAt) / work.done) * (work.total - work.done));
    },
  };
}

/** Formats a time: `0:48`, `12:05` or `1:02:05`. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const padded = (part: number) => String(part).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${padded(minutes)}` : minutes}:${padded(seconds % 60)}`;
}

const of = (limit: string | null): string => (limit === null ? '' : ` of ${limit}`);

/** Formats a time: `about 20 s left` or `about 3 min left`. */
function timeLeft(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 100) return `about ${seconds < 10 ? seconds : Math.round(seconds / 5) * 5} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}

function createSpent(startedAt: number) {
  let limits: Extract<RunEvent, { type: 'run.started' }>['limits'] | null = null;
  let asks = true;
  let [calls, tokens, usd] = [0, 0, 0];
  function callsText(): string {
    if (calls === 0 && (limits === null || !asks)) return '';
    return limits !== null && asks ? `calls ${grouped(calls)}/${grouped(limits.calls)}` : counted(calls, 'call');
  }
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'run.started') [limits, asks] = [event.limits, asksModel(event)];
      if (event.type === 'call.started' && asksModel(event)) calls += 1;
      if (event.type !== 'call.completed') return;
      tokens += event.tokens.input + event.tokens.output;
      usd += event.cost ?? 0;
    },
    /** Returns a text such as `calls 16/50 · 12,400 tokens · $0.02 · 0:48 of 10:00`. */
    text(): string {
      const tokenLimit = limits?.tokens == null ? null : grouped(limits.tokens);
      const usdLimit = limits?.usd == null ? null : money(limits.usd);
      const used = tokens > 0 ? `${grouped(tokens)}${of(tokenLimit)} tokens` : '';
      const paid = usd > 0 ? `${money(usd)}${of(usdLimit)}` : '';
      const time = `${clockTime(now() - startedAt)}${of(limits && clockTime(limits.wallTimeMs))}`;
      return [callsText(), used, paid, time].filter(Boolean).join(' · ');
    },
  };
}
