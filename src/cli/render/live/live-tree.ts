import { now } from '../../../base/clock.ts';
import type { Result, RunEvent } from '../../../index.ts';
import type { Output } from '../../terminal.ts';
import type { Progress } from '../progress.ts';
import { describeEvent, describeReading, headerLine } from '../progress-lines.ts';
import { createBranches } from './branches.ts';
import { createDraft, withdrawnLine } from './draft.ts';
import { createNotes } from './notes.ts';
import { createReading } from './reading.ts';
import { createRegion, drawEveryMs } from './region.ts';
import { createSpent } from './spent.ts';
import { treeLines } from './tree-lines.ts';
import { stageWords, workingSigns } from './words.ts';
import { cutLine, fitsLine, ownLines, wrapped } from './wrapped.ts';

/** The minimum number of lines for the tree beside the answer. */
const fewestTreeLines = 4;

/** Events that are shown as notes. */
const noted: readonly RunEvent['type'][] = ['warning', 'call.retried', 'embedding.retried'];

/** Returns the end of the answer in at most `room` lines, with blank lines around it when there is room. */
function answerLines(words: readonly string[], room: number): readonly string[] {
  if (words.length === 0 || room < 1) return [];
  return room < 3 ? words.slice(-room) : ['', ...words.slice(2 - room), ''];
}

/** Converts the events of a run to the lines of a screen. */
export function createScreen(stderr: Pick<Output, 'columns' | 'rows' | 'style'>, showsAnswer: boolean) {
  const { style } = stderr;
  const [branches, draft, notes, reading] = [createBranches(), createDraft(), createNotes(), createReading()];
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

  /** Returns the header and the most recent notes. */
  function headLines(): string[] {
    const { columns, rows } = stderr;
    const recent = notes.lines().slice(-Math.max(1, Math.floor(rows / 8)));
    return [
      ...(header === null ? [] : wrapped(style('dim', header), columns)),
      ...recent.map((line) => style('yellow', cutLine(line, columns))),
    ];
  }

  /** Returns the progress bar, the current activity and the usage, the latter two in one line if they fit. */
  function footLines(sign: string): string[] {
    const { columns } = stderr;
    const bar = reading.line(style);
    const figures = [spent.text(), reading.left()].filter(Boolean).join(' · ');
    const what = `${style('cyan', sign)} ${doing}`;
    const isShort = fitsLine(`+ ${doing}  ${figures}`, columns);
    const status = isShort ? [`${what}  ${style('dim', figures)}`] : [what, ...wrapped(style('dim', figures), columns)];
    return [...(bar === null ? [] : [cutLine(bar, columns)]), ...status];
  }

  /** @param sign the sign of work in progress. */
  function lines(sign: string): string[] {
    const { columns, rows } = stderr;
    const [head, foot] = [headLines(), footLines(sign)];
    const room = Math.max(3, rows - 1 - head.length - foot.length);
    const words = draft.lines(columns, style);
    const beside = words.length === 0 ? room : Math.max(Math.min(fewestTreeLines, room - 3), room - words.length - 2);
    const tree = treeLines(branches.roots, Math.max(2, beside), { columns, style, workingSign: sign });
    return [...head, ...tree, ...answerLines(words, room - tree.length), ...foot];
  }

  return {
    onEvent,
    lines,
    onReading: (progress: Parameters<Progress['onReading']>[0]) => {
      doing = `reading the input: ${describeReading(progress)}`;
    },
    /** Returns the lines that stay after the tree is erased. */
    left: (result: Result | null): string[] => [
      ...notes.lines(),
      ...(result === null ? [] : draft.left(result).map((one) => withdrawnLine(one, style))),
    ],
  };
}

/**
 * Shows the live recursion tree on a terminal, with the answer below it while it is generated. `close` erases both but
 * keeps the notes.
 */
export function createLiveTree(stderr: Output, showsAnswer: boolean): Progress {
  const screen = createScreen(stderr, showsAnswer);
  const region = createRegion(stderr);
  let tick = 0;
  function draw(): void {
    tick += 1;
    region.draw(screen.lines(workingSigns[tick % workingSigns.length]!));
  }
  draw();
  const timer = setInterval(draw, drawEveryMs);
  return {
    say(line) {
      region.say(`rlm: ${line}`);
      draw();
    },
    onReading: screen.onReading,
    onEvent: screen.onEvent,
    close(result) {
      clearInterval(timer);
      region.close();
      const left = screen.left(result);
      const notes = left.map((line) => ownLines(`rlm: ${line}\n`, stderr.columns));
      if (notes.length > 0) stderr.write(`${notes.join('')}\n`);
    },
  };
}
