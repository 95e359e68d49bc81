/** Selects what a prompt shows of the turns: the newest in full, earlier ones summarised. */

import { renderKnown } from '../../prompts/prompt.ts';
import { codeOf } from '../../prompts/repl.ts';
import type { Run } from '../../run/run.ts';
import type { ExploreStep } from '../../state.ts';
import type { Question } from '../strategy.ts';

/** Bytes of room for turns, at least; with less, nothing useful can be shown. */
const fewestBytes = 3_000;

/** Share of the room for one turn's output, and for summaries. */
const outputShare = 0.35;
const shortShare = 0.15;

/** Bytes by which this prompt's instructions are longer than those the window was chosen for. */
const promptBytes = 2_000;

/** Bytes around a turn. */
const turnBytes = 100;

const bytes = (text: string): number => Buffer.byteLength(text);

/** Returns the room for turns, in bytes, or null when there is too little. */
export function roomFor({ known, criteria }: Question, run: Run): number | null {
  const fixed = [run.text.description, renderKnown(known), ...criteria].map(bytes);
  const room = run.models.passageBytes() - promptBytes - fixed.reduce((sum, one) => sum + one, 0);
  return room < fewestBytes ? null : room;
}

/** Returns the characters of a turn's output that are shown, at most. */
export const outputFor = (room: number, { settings }: Run): number =>
  Math.max(500, Math.min(settings.tools.maxCharacters, Math.floor((room * outputShare) / 2)));

const sizeOf = (step: ExploreStep): number =>
  turnBytes +
  bytes(step.thought) +
  bytes(codeOf(step)) +
  step.calls.reduce((sum, { result }) => sum + bytes(result), 0);

const oneLine = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
};

const inShort = (step: ExploreStep): string => {
  const results = step.calls.map(({ result }) => oneLine(result, 200)).join(' ');
  return `Turn ${step.number}: ${oneLine(step.thought || codeOf(step), 200)} → ${results}`;
};

/** Returns the newest items that fit; always the last one. */
function newest<T>(all: readonly T[], size: (one: T) => number, room: number): readonly T[] {
  let left = room;
  const before = all.findLastIndex((one) => {
    left -= size(one);
    return left < 0;
  });
  return all.slice(Math.min(before + 1, Math.max(0, all.length - 1)));
}

/** Returns the turns as the next prompt shows them. */
export function shownTurns(steps: readonly ExploreStep[], room: number) {
  const whole = newest(steps, sizeOf, room * (1 - shortShare));
  const before = steps.slice(0, steps.length - whole.length).map(inShort);
  return { steps: whole, earlier: newest(before, bytes, room * shortShare) };
}
