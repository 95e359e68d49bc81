import { now } from '../../../base/clock.ts';
import { counted } from '../../../base/counted.ts';
import { duration } from '../../../base/duration.ts';
import { type Output, oneLine } from '../../terminal.ts';
import { callsSoFar } from '../model-calls.ts';
import type { Branch } from './branches.ts';
import { finishedMarks } from './words.ts';
import { cutLine, fitsLine, wrapped } from './wrapped.ts';

/** How a tree is drawn. */
export interface Drawing {
  readonly columns: number;
  readonly style: Output['style'];
  /** What marks a question that is worked on. */
  readonly workingSign: string;
}

/** How much of a question is shown. */
export interface Shortness {
  /** Its parts are only counted, once it is answered. */
  readonly hidesParts: boolean;
  /** It has one line. */
  readonly isShort: boolean;
}

/** What stands before the first line of a question, and before its others. */
export interface Guides {
  readonly first: string;
  readonly others: string;
}

/** In characters. */
const longestQuestion = 1_000;
/** Of a question that has one line, in columns. */
const shortestQuestion = 12;

export const isOver = ({ state }: Branch): boolean => state !== 'working';

/** How many questions these are, their parts included. */
export const countAll = (branches: readonly Branch[]): number =>
  branches.reduce((total, { parts }) => total + 1 + countAll(parts), 0);

function factsOf(branch: Branch, hidesParts: boolean): string {
  const { state, doing, characters, calls, parts, timeMs, startedAt } = branch;
  const written = characters > 0 ? ` (${counted(characters, 'character')})` : '';
  const hidden = hidesParts && isOver(branch) && parts.length > 0 ? counted(countAll(parts), 'part') : '';
  const what = state === 'working' ? `${doing}${written}` : state;
  const time = duration(state === 'working' ? now() - startedAt : timeMs);
  // Lines break between facts alone.
  const facts = [what, hidden, callsSoFar(calls), time].filter(Boolean);
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join('\u00a0· ');
}

function signOf({ state }: Branch, { style, workingSign }: Drawing): string {
  if (state === 'working') return style('cyan', workingSign);
  const { color, sign } = finishedMarks[state];
  return style(color, sign);
}

/** The question, then what is done for it, in lines of that width. */
function words(branch: Branch, width: number, { isShort, hidesParts }: Shortness, style: Output['style']): string[] {
  const facts = factsOf(branch, hidesParts);
  const question = oneLine(branch.question, longestQuestion);
  const styled = `${question}  ${style('dim', facts)}`;
  if (fitsLine(`${question}  ${facts}`, width)) return [styled];
  if (!isShort) return wrapped(styled, width);
  const kept = cutLine(facts, width - shortestQuestion - 2);
  return [`${cutLine(question, width - kept.length - 2)}  ${style('dim', kept)}`];
}

/** A question with its guides. */
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

/** How many questions are over, by what came of them. */
export function finishedLine(over: readonly Branch[], first: string, { style }: Drawing): string {
  const states = (Object.keys(finishedMarks) as (keyof typeof finishedMarks)[]).flatMap((state) => {
    const count = over.filter((one) => one.state === state).length;
    const { color, sign } = finishedMarks[state];
    return count === 0 ? [] : [`${style(color, sign)} ${style('dim', `${count} ${state}`)}`];
  });
  return `${style('dim', first)}${states.join('  ')}`;
}
