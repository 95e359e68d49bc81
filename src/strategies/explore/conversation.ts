/** How much of an exploration a prompt shows: the newest steps whole, those before in short, and all findings. */
import { describe, renderDescription } from '../../context/description.ts';
import type { ExploreVariables } from '../../prompts/explore-turns.ts';
import { renderFinding } from '../../prompts/explore-turns.ts';
import type { ToolSpec } from '../../prompts/message.ts';
import { renderKnown } from '../../prompts/prompt.ts';
import type { Run } from '../../run/run.ts';
import type { ExploredFinding, ExploreStep } from '../../state.ts';
import type { Bounds } from '../../tools/tool.ts';
import type { Question } from '../strategy.ts';

/** With less room nothing useful can be shown. */
const fewestBytes = 3_000;

/** The parts of the room for what one step brings, and for what is said in short; the rest is for the steps before. */
const stepShare = 0.4;
const shortShare = 0.15;

/** What stands around a tool call and its result, in bytes. */
const callBytes = 150;

const bytes = (text: string): number => Buffer.byteLength(text);

/** More of a description than that is looked up with tools, in bytes. */
const mostDescribed = 3_000;

/** What the model is told of the text: what there is, and nothing of what it says. */
export function describeForExploring({ text: { store, description }, settings }: Run): string {
  if (settings.retrieval.server !== null) return description;
  return renderDescription(describe(store, { firstLines: 0 }), mostDescribed);
}

/** Room for the steps and findings, in bytes, or null when there is too little. */
export function roomFor({ known, criteria, path }: Question, specs: readonly ToolSpec[], run: Run): number | null {
  const fixed = [describeForExploring(run), renderKnown(known), ...criteria, JSON.stringify(specs)].map(bytes);
  const room = run.models.roomFor('explore', path) - fixed.reduce((sum, one) => sum + one, 0);
  return room < fewestBytes ? null : room;
}

/** What each of so many calls of a step may show. */
export function boundsFor(calls: number, room: number, { settings }: Run): Bounds {
  const { maxCharacters, maxLines } = settings.tools;
  const characters = Math.floor((room * stepShare) / Math.max(1, calls));
  return { characters: Math.max(400, Math.min(maxCharacters, characters)), lines: maxLines };
}

const sizeOf = (step: ExploreStep): number => bytes(JSON.stringify(step)) + callBytes * (1 + step.calls.length);

const oneLine = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
};

/** A step in a line or two: what was thought, called, and how each result began. */
function inShort({ number, thought, calls }: ExploreStep): string {
  const done = calls.map(({ tool, arguments: given, result }) => {
    const [first = ''] = result.split('\n');
    return `${tool} ${oneLine(JSON.stringify(given) ?? '', 100)} → ${oneLine(first, 100)}`;
  });
  return `Step ${number}: ${[oneLine(thought, 200), ...done].filter(Boolean).join('; ')}`;
}

/** The newest of some lines that fit. */
function newest<T>(all: readonly T[], size: (one: T) => number, room: number): readonly T[] {
  let left = room;
  const first = all.findLastIndex((one) => {
    left -= size(one);
    return left < 0;
  });
  return all.slice(first + 1);
}

function earlierLines(steps: readonly ExploreStep[], room: number): readonly string[] {
  const lines = newest(steps.map(inShort), bytes, room);
  const left = steps.length - lines.length;
  return left === 0 ? lines : [`Steps 1 to ${left} are left out here.`, ...lines];
}

/** What of the conversation is shown, as it grows. */
export interface Conversation {
  /** The number of the last step that is shown in short; 0: none. */
  summarisedTo(): number;
  /** What the prompt holds of the steps and findings so far. */
  shown(
    steps: readonly ExploreStep[],
    findings: readonly ExploredFinding[],
  ): Pick<ExploreVariables, 'steps' | 'earlier' | 'findings'>;
}

/** @param room for all of it, in bytes. */
export function createConversation(room: number): Conversation {
  let summarised = 0;
  return {
    summarisedTo: () => summarised,
    shown(steps, findings) {
      const short = Math.floor(room * shortShare);
      const kept = newest(findings, (finding) => bytes(renderFinding(finding)) + 3, short * 2);
      const whole = room - 2 * short - kept.reduce((sum, one) => sum + bytes(renderFinding(one)), 0);
      const size = (from: number) => steps.slice(from).reduce((sum, step) => sum + sizeOf(step), 0);
      // By half, so that most steps leave the beginning of the conversation as a server knows it already.
      if (size(summarised) > whole)
        while (summarised < steps.length - 1 && size(summarised) > whole / 2) summarised += 1;
      return {
        steps: steps.slice(summarised),
        earlier: earlierLines(steps.slice(0, summarised), short),
        findings: kept,
      };
    },
  };
}
