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

/** Lines of the tree that the words of an answer leave it. */
const fewestTreeLines = 4;

/** Events that are shown as notes. */
const noted: readonly RunEvent['type'][] = ['warning', 'call.retried', 'embedding.retried'];

/** The end of the answer in so many lines, set off by blank ones where these have room. */
function answerLines(words: readonly string[], room: number): readonly string[] {
  if (words.length === 0 || room < 1) return [];
  return room < 3 ? words.slice(-room) : ['', ...words.slice(2 - room), ''];
}

/** What the events of a run come to on a screen. */
export function createScreen(stderr: Pick<Output, 'columns' | 'rows' | 'style'>, showsAnswer: boolean) {
  const { style } = stderr;
  const [branches, draft, notes, reading] = [createBranches(), createDraft(), createNotes(), createReading()];
  const spent = createSpent(now());
  let header: string | null = null;
  let doing = 'reading the input and looking for a model';

  function onEvent(event: RunEvent): void {
    for (const part of [branches, reading, spent]) part.onEvent(event);
    if (showsAnswer) draft.onEvent(event);
    if (event.type === 'run.started') header = headerLine(event);
    if (event.type === 'stage.started') doing = stageWords[event.stage];
    if (noted.includes(event.type)) notes.add(describeEvent(event)!.replace(/^note: /, ''));
  }

  /** Of many notes the last ones. */
  function headLines(): string[] {
    const { columns, rows } = stderr;
    const told = notes.lines().slice(-Math.max(1, Math.floor(rows / 8)));
    return [
      ...(header === null ? [] : wrapped(style('dim', header), columns)),
      ...told.map((line) => style('yellow', cutLine(line, columns))),
    ];
  }

  /** The bar of a scan, what is being done, and what is spent: beside it where both fit a line. */
  function footLines(sign: string): string[] {
    const { columns } = stderr;
    const bar = reading.line(style);
    const figures = [spent.text(), reading.left()].filter(Boolean).join(' · ');
    const what = `${style('cyan', sign)} ${doing}`;
    const isShort = fitsLine(`+ ${doing}  ${figures}`, columns);
    const status = isShort ? [`${what}  ${style('dim', figures)}`] : [what, ...wrapped(style('dim', figures), columns)];
    return [...(bar === null ? [] : [cutLine(bar, columns)]), ...status];
  }

  /** @param sign what marks what is worked on. */
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
    /** What stays when the tree is gone. */
    left: (result: Result | null): string[] => [
      ...notes.lines(),
      ...(result === null ? [] : draft.left(result).map((one) => withdrawnLine(one, style))),
    ],
  };
}

/**
 * The live recursion tree on a terminal, and below it the words of the answer as they come. When it is closed it wipes
 * itself away; the notes stay.
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
