import { counted, duration } from '../../../base/text.ts';
import { now } from '../../../base/time.ts';
import type { RunEvent } from '../../../run/events.ts';
import { strategyTraits } from '../../../state.ts';
import { type Output, oneLine } from '../../terminal.ts';
import { asksModel, callsSoFar } from '../result.ts';
import { cutLine, fitsLine, wrapped } from './wrapped.ts';

export interface Branch {
  readonly path: string;
  readonly question: string;
  readonly startedAt: number;
  readonly parts: Branch[];
  state: 'working' | 'answered' | 'partial' | 'unanswered';
  /** The current work in words; empty when unknown. */
  doing: string;
  /** The length of the current reply so far. */
  characters: number;
  /** The time that the model has thought, in ms; null while it does not think. */
  thinkingMs: number | null;
  calls: number;
  timeMs: number;
}

function setReply(branch: Branch, characters: number, thinkingMs: number | null = null): void {
  branch.characters = characters;
  branch.thinkingMs = thinkingMs;
}

function update(branch: Branch, event: RunEvent): void {
  if (event.type === 'node.judged') branch.doing = strategyTraits[event.strategy].doing;
  if (event.type === 'ladder.climbed') branch.doing = 'trying another way';
  if (event.type === 'tool.called') branch.doing = `looking around (${event.tool})`;
  if (event.type === 'call.progress') setReply(branch, event.characters, event.thinkingMs);
  if (event.type === 'call.completed') setReply(branch, 0);
  if (event.type === 'call.started') {
    branch.doing = promptWords[event.prompt];
    setReply(branch, 0);
    if (asksModel(event)) branch.calls += 1;
  }
}

export function createBranches() {
  const byName = new Map<string, Branch>();
  const roots: Branch[] = [];
  let isModelRun = true;
  function add({ path, question }: Extract<RunEvent, { type: 'node.started' }>): void {
    const fresh = { startedAt: now(), parts: [], doing: '', characters: 0, thinkingMs: null, calls: 0, timeMs: 0 };
    const branch: Branch = { path, question, state: 'working', ...fresh };
    byName.set(path, branch);
    const parent = byName.get(path.slice(0, Math.max(0, path.lastIndexOf('.'))));
    if (parent) parent.doing = 'answering its parts';
    const siblings = parent?.parts ?? roots;
    siblings.push(branch);
    siblings.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  }
  return {
    roots: roots as readonly Branch[],
    onEvent(event: RunEvent): void {
      if (event.type === 'run.started') isModelRun = asksModel(event);
      if (event.type === 'node.started') add(event);
      const branch = 'path' in event ? byName.get(event.path) : undefined;
      if (branch === undefined) return;
      update(branch, event);
      if (event.type !== 'node.completed') return;
      Object.assign(branch, { state: event.status, timeMs: event.timeMs });
      setReply(branch, 0);
      if (isModelRun) branch.calls = event.calls;
    },
  };
}

export interface Drawing {
  readonly columns: number;
  readonly style: Output['style'];
  readonly workingSign: string;
}

/** Length of the longest question that is shown whole, in characters. */
const longestQuestion = 1_000;
/** A question that shares one line with its facts keeps at least this width, in columns. */
const shortestQuestion = 12;

const allOf = (branches: readonly Branch[]): Branch[] => branches.flatMap((one) => [one, ...allOf(one.parts)]);

function factsOf({ state, doing, characters, thinkingMs, calls, timeMs, startedAt }: Branch): string {
  const coming = thinkingMs === null ? counted(characters, 'character') : `thinking ${Math.round(thinkingMs / 1000)} s`;
  const written = characters > 0 ? ` (${coming})` : '';
  const what = state === 'working' ? `${doing}${written}` : state;
  const time = duration(state === 'working' ? now() - startedAt : timeMs);
  // Lines break only between facts.
  const facts = [what, callsSoFar(calls), time].filter(Boolean);
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join('\u00a0· ');
}

function signOf({ state }: Branch, { style, workingSign: sign }: Drawing): string {
  const mark = state === 'working' ? ({ color: 'cyan', sign } as const) : finishedMarks[state];
  return style(mark.color, mark.sign);
}

function words(branch: Branch, width: number, isShort: boolean, style: Output['style']): string[] {
  const facts = factsOf(branch);
  const question = oneLine(branch.question, longestQuestion);
  const styled = `${question}  ${style('dim', facts)}`;
  if (fitsLine(`${question}  ${facts}`, width)) return [styled];
  if (!isShort) return wrapped(styled, width);
  const kept = cutLine(facts, width - shortestQuestion - 2);
  return [`${cutLine(question, width - kept.length - 2)}  ${style('dim', kept)}`];
}

/** Formats a question. The tree's strokes `first` precede the first line, and `others` precede the other lines. */
function branchLines(branch: Branch, first: string, others: string, isShort: boolean, drawing: Drawing): string[] {
  const { style, columns } = drawing;
  const width = Math.max(16, columns - Math.max(first.length, others.length) - 2);
  return words(branch, width, isShort, style).map((line, index) =>
    index === 0
      ? `${style('dim', first)}${signOf(branch, drawing)} ${line}`
      : `${style('dim', others.padEnd(first.length))}  ${line}`,
  );
}

function linesOf(branch: Branch, first: string, before: string, isShort: boolean, drawing: Drawing): string[] {
  const { parts } = branch;
  const own = branchLines(branch, first, parts.length > 0 ? `${before}│` : before, isShort, drawing);
  const below = parts.flatMap((part, index) => {
    const [guide, blank] = index === parts.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
    return linesOf(part, before + guide, before + blank, isShort, drawing);
  });
  return [...own, ...below];
}

function workingLines(roots: readonly Branch[], room: number, drawing: Drawing): string[] {
  const all = allOf(roots);
  const shown = all.filter(({ state }) => state === 'working').slice(-Math.max(1, room - 1));
  const lines = shown.flatMap((one) => branchLines(one, '', '', true, drawing));
  return [...lines, drawing.style('dim', `… and ${counted(all.length - shown.length, 'more question')}`)];
}

/** Returns at most `room` (2 or more) lines: the tree if it fits, else short lines, else the questions in progress. */
export function treeLines(roots: readonly Branch[], room: number, drawing: Drawing): string[] {
  for (const isShort of allOf(roots).length <= room ? [false, true] : []) {
    const lines = roots.flatMap((root) => linesOf(root, '', '', isShort, drawing));
    if (lines.length <= room) return lines;
  }
  return workingLines(roots, room, drawing);
}

type NameOf<K extends RunEvent['type'], P extends string> =
  Extract<RunEvent, { type: K }> extends Record<P, infer N> ? N & string : never;

const promptWords: Readonly<Record<NameOf<'call.started', 'prompt'>, string>> = {
  planner: 'planning',
  assess: 'assessing the difficulty',
  decompose: 'splitting into parts',
  answer: 'answering',
  scan: 'reading all of the text',
  explore: 'looking around',
  repl: 'working with code',
  conclude: 'concluding',
  compose: 'composing the answer',
  form: 'converting the answer to JSON',
  critic: 'checking the answer',
  answerable: 'checking whether the passages suffice',
  hop: 'naming what is missing',
  query: 'answering a question that code asked',
  classify: 'sorting by meaning',
  transcribe: 'reading pictures',
};

export const stageWords: Readonly<Record<NameOf<'stage.started', 'stage'>, string>> = {
  transcription: 'reading pictures',
  planner: 'planning',
  retriever: 'searching the text',
  reasoner: 'answering',
  form: 'converting the answer to JSON',
  critic: 'checking the answer',
};

/** The colour and the sign of each final state of a question. */
export const finishedMarks = {
  answered: { color: 'green', sign: '✔' },
  partial: { color: 'yellow', sign: '◐' },
  unanswered: { color: 'red', sign: '✘' },
} as const;

export const workingSigns = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
