/**
 * Selects what a prompt shows of an exploration: the newest steps in full, earlier ones summarised, and all findings.
 */
import { describe, renderDescription } from '../../context/description.ts';
import type { ExploreVariables } from '../../prompts/explore-turns.ts';
import { renderFinding } from '../../prompts/explore-turns.ts';
import type { ToolSpec } from '../../prompts/message.ts';
import { renderKnown } from '../../prompts/prompt.ts';
import type { Run } from '../../run/run.ts';
import type { ExploredFinding, ExploreStep } from '../../state.ts';
import type { Bounds } from '../../tools/tool.ts';
import type { Question } from '../strategy.ts';

/** Bytes of room for steps and findings, at least; with less, nothing useful can be shown. */
const fewestBytes = 3_000;

/** Share of the room for one step's results, and for summaries; the rest is for earlier steps. */
const stepShare = 0.4;
const shortShare = 0.15;

/** Bytes around a tool call and its result. */
const callBytes = 150;

const bytes = (text: string): number => Buffer.byteLength(text);

/** Bytes of the text's description, at most; tools show the rest. */
const mostDescribed = 3_000;

/** Describes the text to the model: its documents, without their content. */
export function describeForExploring({ text: { store, description }, settings }: Run): string {
  if (settings.retrieval.server !== null) return description;
  return renderDescription(describe(store, { firstLines: 0 }), mostDescribed);
}

/** Returns the room for steps and findings, in bytes, or null when there is too little. */
export function roomFor({ known, criteria, path }: Question, specs: readonly ToolSpec[], run: Run): number | null {
  const fixed = [describeForExploring(run), renderKnown(known), ...criteria, JSON.stringify(specs)].map(bytes);
  const room = run.models.roomFor('explore', path) - fixed.reduce((sum, one) => sum + one, 0);
  return room < fewestBytes ? null : room;
}

/** Returns how much each of a step's calls may show. */
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

/** Summarises a step in a line or two: its thought, its calls, and the beginning of each result. */
function inShort({ number, thought, calls }: ExploreStep): string {
  const done = calls.map(({ tool, arguments: given, result }) => {
    const [first = ''] = result.split('\n');
    return `${tool} ${oneLine(JSON.stringify(given) ?? '', 100)} → ${oneLine(first, 100)}`;
  });
  return `Step ${number}: ${[oneLine(thought, 200), ...done].filter(Boolean).join('; ')}`;
}

/** Returns the newest items that fit. */
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

/** The shown part of a growing conversation. */
export interface Conversation {
  /** Number of the last summarised step; 0: none. */
  summarisedTo(): number;
  /** Returns what the prompt shows of the steps and findings so far. */
  shown(
    steps: readonly ExploreStep[],
    findings: readonly ExploredFinding[],
  ): Pick<ExploreVariables, 'steps' | 'earlier' | 'findings'>;
}

/** @param room room for steps and findings, in bytes. */
export function createConversation(room: number): Conversation {
  let summarised = 0;
  return {
    summarisedTo: () => summarised,
    shown(steps, findings) {
      const short = Math.floor(room * shortShare);
      const kept = newest(findings, (finding) => bytes(renderFinding(finding)) + 3, short * 2);
      const whole = room - 2 * short - kept.reduce((sum, one) => sum + bytes(renderFinding(one)), 0);
      const size = (from: number) => steps.slice(from).reduce((sum, step) => sum + sizeOf(step), 0);
      // Half at a time, so that most steps keep the beginning of the conversation that a server has cached.
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
