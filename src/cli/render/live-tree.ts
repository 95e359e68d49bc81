import { now } from '../../base/clock.ts';
import { counted } from '../../base/counted.ts';
import { duration } from '../../base/duration.ts';
import type { ReadingProgress, RunEvent } from '../../index.ts';
import { type Output, oneLine } from '../terminal.ts';
import { asksModel, callsSoFar } from './model-calls.ts';
import type { Progress } from './progress.ts';
import { describeEvent, describeReading, indexText } from './progress-lines.ts';

interface Branch {
  readonly path: string;
  readonly depth: number;
  readonly question: string;
  readonly startedAt: number;
  state: 'working' | 'answered' | 'partial' | 'unanswered';
  /** What it is doing: a prompt's name, or a strategy. */
  doing: string;
  calls: number;
  timeMs: number;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const drawEveryMs = 100;
/** How an answered question is marked. */
export const finishedMarks = {
  answered: { color: 'green', sign: '✔' },
  partial: { color: 'yellow', sign: '◐' },
  unanswered: { color: 'red', sign: '✘' },
} as const;

const hideCursorAndWrap = '\u001b[?25l\u001b[?7l';
const showCursorAndWrap = '\u001b[?7h\u001b[?25h';

/** Tree order: `0`, `0.1`, `0.1.1`, `0.2`; numbers compare as numbers. */
function byPath(a: Branch, b: Branch): number {
  return a.path.localeCompare(b.path, 'en', { numeric: true });
}

/** Keeps the picture of the recursion that the events paint. */
function createPicture() {
  const branches = new Map<string, Branch>();
  let stage = 'reading the input and looking for a model';
  let indexed = '';
  let calls = 0;
  let isModelRun = true;
  function onEvent(event: RunEvent): void {
    if (event.type === 'run.started') isModelRun = asksModel(event);
    if (event.type === 'stage.started') stage = event.stage;
    if (event.type === 'call.started' && asksModel(event)) calls += 1;
    if (event.type === 'index.progress') indexed = event.done < event.chunks ? indexText(event) : '';
    if (event.type === 'node.started') {
      const { path, depth, question } = event;
      branches.set(path, {
        path,
        depth,
        question,
        startedAt: now(),
        state: 'working',
        doing: '',
        calls: 0,
        timeMs: 0,
      });
    }
    const branch = 'path' in event ? branches.get(event.path) : undefined;
    if (branch === undefined) return;
    if (event.type === 'node.judged') branch.doing = event.strategy;
    if (event.type === 'call.progress')
      branch.doing = branch.doing.replace(/( [\d,]+ chars?)?$/, ` ${counted(event.characters, 'char')}`);
    if (event.type === 'tool.called') branch.doing = event.tool;
    if (event.type === 'call.started') {
      branch.doing = event.prompt;
      if (asksModel(event)) branch.calls += 1;
    }
    if (event.type === 'node.completed') {
      Object.assign(branch, { state: event.status, timeMs: event.timeMs });
      if (isModelRun) branch.calls = event.calls;
    }
  }
  function onReading(progress: ReadingProgress): void {
    stage = `reading the input: ${describeReading(progress)}`;
  }
  return {
    onEvent,
    onReading,
    branches: () => [...branches.values()].sort(byPath),
    stage: () => [stage, indexed].filter(Boolean).join(' · '),
    calls: () => calls,
  };
}

function drawBranch(branch: Branch, frame: string, stderr: Output): string {
  const isWorking = branch.state === 'working';
  const { color, sign } =
    branch.state === 'working' ? ({ color: 'cyan', sign: frame } as const) : finishedMarks[branch.state];
  const mark = stderr.style(color, sign);
  const time = duration(isWorking ? now() - branch.startedAt : branch.timeMs);
  const notes = [isWorking ? branch.doing : '', callsSoFar(branch.calls), time].filter(Boolean);
  const room = Math.max(20, stderr.columns - 2 * branch.depth - 40);
  return `${'  '.repeat(branch.depth)}${mark} ${oneLine(branch.question, room)}  ${stderr.style('dim', notes.join(' · '))}`;
}

/** The live recursion tree on a terminal; it wipes itself away when closed. */
export function createLiveTree(stderr: Output): Progress {
  const picture = createPicture();
  const startedAt = now();
  let drawn = 0;
  let tick = 0;

  const wipe = () => {
    if (drawn > 0) stderr.write(`\r\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  function draw(): void {
    tick += 1;
    const frame = frames[tick % frames.length]!;
    const branches = picture.branches();
    const room = Math.max(3, stderr.rows - 4);
    const open = branches.length > room ? branches.filter(({ state }) => state === 'working') : branches;
    const shown = open.slice(0, room).map((branch) => drawBranch(branch, frame, stderr));
    const left = branches.length - shown.length;
    if (left > 0) shown.push(stderr.style('dim', `… and ${counted(left, 'more question')}`));
    const total = [callsSoFar(picture.calls()), duration(now() - startedAt)].filter(Boolean).join(' · ');
    shown.push(`${stderr.style('cyan', frame)} ${picture.stage()}  ${stderr.style('dim', total)}`);
    wipe();
    stderr.write(`${shown.join('\n')}\n`);
    drawn = shown.length;
  }

  stderr.write(hideCursorAndWrap);
  draw();
  const timer = setInterval(draw, drawEveryMs);
  const restore = () => stderr.write(showCursorAndWrap);
  process.once('exit', restore);
  function say(line: string): void {
    wipe();
    stderr.write(`\u001b[?7hrlm: ${line}\n\u001b[?7l`);
    draw();
  }
  return {
    say,
    onReading: picture.onReading,
    onEvent(event) {
      picture.onEvent(event);
      const said = ['warning', 'scan.started', 'call.retried', 'embedding.retried'];
      const line = said.includes(event.type) ? describeEvent(event) : null;
      if (line !== null) say(line);
    },
    close() {
      clearInterval(timer);
      process.off('exit', restore);
      wipe();
      restore();
    },
  };
}
