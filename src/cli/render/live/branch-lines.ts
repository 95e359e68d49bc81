import { now } from '../../../base/clock.ts';
import { counted } from '../../../base/counted.ts';
import { duration } from '../../../base/duration.ts';
import { type Output, oneLine } from '../../terminal.ts';
import { callsSoFar } from '../model-calls.ts';
import type { Branch } from './branches.ts';
import { finishedMarks } from './words.ts';
import { cutLine, fitsLine, wrapped } from './wrapped.ts';

/** The options for drawing a tree. */
export interface Drawing {
  readonly columns: number;
  readonly style: Output['style'];
  /** The sign of a question in progress. */
  readonly workingSign: string;
}

/** How much of a question is shown. */
export interface Shortness {
  /** Whether the parts of a finished question are only counted. */
  readonly hidesParts: boolean;
  /** Whether a question gets only one line. */
  readonly isShort: boolean;
}

/** The prefixes of the first line of a question, and of its other lines. */
export interface Guides {
  readonly first: string;
  readonly others: string;
}

/** In characters. */
const longestQuestion = 1_000;
/** The minimum width of a question with one line, in columns. */
const shortestQuestion = 12;

/** Whether a question is finished. */
export const isOver = ({ state }: Branch): boolean => state !== 'working';

/** Counts questions, including their parts. */
export const countAll = (branches: readonly Branch[]): number =>
  branches.reduce((total, { parts }) => total + 1 + countAll(parts), 0);

function factsOf(branch: Branch, hidesParts: boolean): string {
  const { state, doing, characters, calls, parts, timeMs, startedAt } = branch;
  const written = characters > 0 ? ` (${counted(characters, 'character')})` : '';
  const hidden = hidesParts && isOver(branch) && parts.length > 0 ? counted(countAll(parts), 'part') : '';
  const what = state === 'working' ? `${doing}${written}` : state;
  const time = duration(state === 'working' ? now() - startedAt : timeMs);
  // Lines break only between facts.
  const facts = [what, hidden, callsSoFar(calls), time].filter(Boolean);
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join('\u00a0· ');
}

function signOf({ state }: Branch, { style, workingSign }: Drawing): string {
  if (state === 'working') return style('cyan', workingSign);
  const { color, sign } = finishedMarks[state];
  return style(color, sign);
}

/** Returns the question and its facts, wrapped to a width in columns. */
function words(branch: Branch, width: number, { isShort, hidesParts }: Shortness, style: Output['style']): string[] {
  const facts = factsOf(branch, hidesParts);
  const question = oneLine(branch.question, longestQuestion);
  const styled = `${question}  ${style('dim', facts)}`;
  if (fitsLine(`${question}  ${facts}`, width)) return [styled];
  if (!isShort) return wrapped(styled, width);
  const kept = cutLine(facts, width - shortestQuestion - 2);
  return [`${cutLine(question, width - kept.length - 2)}  ${style('dim', kept)}`];
}

/** Returns the lines of a question, with its guides. */
export function branchLines(
  branch: Branch,
  { first, others }: Guides,
  shortness: Shortness,
  drawing: Drawing,
): string[] {
  const { style, columns } = drawing;
  const width = Math.max(16, columns - Math.max(first.length, others.length) - 2);
  return words(branch, width, shortness, style).map((line, index) =>
    index === 0
      ? `${style('dim', first)}${signOf(branch, drawing)} ${line}`
      : `${style('dim', others.padEnd(first.length))}  ${line}`,
  );
}

/** Returns a line with the number of finished questions by state. */
export function finishedLine(over: readonly Branch[], first: string, { style }: Drawing): string {
  const states = (Object.keys(finishedMarks) as (keyof typeof finishedMarks)[]).flatMap((state) => {
    const count = over.filter((one) => one.state === state).length;
    const { color, sign } = finishedMarks[state];
    return count === 0 ? [] : [`${style(color, sign)} ${style('dim', `${count} ${state}`)}`];
  });
  return `${style('dim', first)}${states.join('  ')}`;
}
