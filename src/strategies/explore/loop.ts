/** The loop of an exploration. When the window is full, older steps are shortened together. */

import { counted, grouped } from '../../base/text.ts';
import { densityOf, weigh } from '../../context/text-size.ts';
import { markedIds } from '../../evidence/marks.ts';
import { callLine, type ExploreVariables, renderFinding } from '../../prompts/explore.ts';
import { renderKnown, renderPassages, type ToolSpec } from '../../prompts/prompt.ts';
import type { Run } from '../../run/run.ts';
import { whileTooLong } from '../../run/text/refit.ts';
import type { ExploredFinding, ExploreStep, Passage } from '../../state.ts';
import { type FinalAnswer, finalAnswer } from '../../tools/final-answer.ts';
import { describeTexts } from '../../tools/texts/list-files.ts';
import type { Bounds } from '../../tools/tool.ts';
import type { MadeCall, Toolbox } from '../../tools/toolbox.ts';
import { mostWrong, type StepDone, type Stepped, type StepsSoFar, takeSteps } from '../steps.ts';
import { type EarlierStep, earlierPassages, type Question } from '../strategy.ts';
import type { Ground } from './ground.ts';

/** Minimum room for steps and notes, in bytes. */
const fewestBytes = 3_000;

/** Shares of the room for a step's results: the share that the prompt states, and the share that results may take. */
const toldShare = 0.55;
const stepShare = 0.65;

/** Share of the room for the summary of hidden steps. */
const earlierShare = 0.25;

/** Share of the room that steps may fill after older steps were shortened. */
const keptShare = 0.5;

/** Bytes that a prompt adds to each step, and to each tool call with its result. */
const callBytes = 150;

/** Size limit of the text's description. list_files shows the rest. */
const mostDescribed = { characters: 2_400, lines: 60 };

function describeForExploring({ text: { store, description }, settings }: Run): string {
  return settings.retrieval.server === null ? describeTexts(store.documents, mostDescribed) : description;
}

/** Returns the room for earlier passages, steps and notes, in bytes; null if there is too little. */
export function exploreRoomFor(question: Question, specs: readonly ToolSpec[], run: Run): number | null {
  const { known, criteria, path } = question;
  const sent = specs.map(({ name, about, schema }) => ({ name, about, schema }));
  const fixed = [describeForExploring(run), renderKnown(known), ...criteria, JSON.stringify(sent)];
  const room = run.models.roomFor('explore', path) - fixed.map(weigh).reduce((sum, one) => sum + one, 0);
  return room < fewestBytes ? null : room;
}

/** Returns the earlier step with the passages that fit a third of the room; null without an earlier step. */
export const earlierStepFor = (question: Question, room: number, run: Run): EarlierStep | null =>
  question.earlierStep && { ...question.earlierStep, shown: earlierPassages(question, room, run) };

/** Returns the room for a step's results. `told`: the room that the prompt states, in characters. */
function stepRoom(room: number, { settings, text }: Run): { readonly told: number; readonly bounds: Bounds } {
  const { maxCharacters, maxLines } = settings.tools;
  const told = Math.min(maxCharacters, (room * toldShare) / densityOf(text.store));
  const characters = Math.min(maxCharacters, Math.floor(room * stepShare));
  return { told: Math.floor(told / 100) * 100, bounds: { characters, lines: maxLines } };
}

const sizeOf = (step: ExploreStep): number => weigh(JSON.stringify(step)) + callBytes * (1 + step.calls.length);

/** Tools whose results are kept word for word, because the results cost model calls or are the model's own words. */
const keptTools: readonly string[] = ['sub_query', 'classify', 'note'];

function wordsOf({ number, thought, findings, calls }: ExploreStep): string[] {
  const own = calls.filter(({ tool, outcome }) => outcome === 'done' && keptTools.includes(tool));
  const standing = findings.filter(({ passage }) => passage !== null).map((finding) => `- ${renderFinding(finding)}`);
  const said = own.map((call) => `- ${callLine(call)}${call.tool === 'note' ? '' : `\n${call.result}`}`);
  const words = [...(thought === '' ? [] : [thought]), ...standing, ...said];
  return words.length === 0 ? [] : [`Step ${number}: ${words.join('\n')}`];
}

function newest<T>(all: readonly T[], size: (one: T) => number, room: number): { kept: readonly T[]; left: number } {
  let left = room;
  const first = all.findLastIndex((one) => {
    if (size(one) > left) return true;
    left -= size(one);
    return false;
  });
  return { kept: all.slice(first + 1), left };
}

const hidden = (count: number, what: string, many: string, how = ''): string[] =>
  count === 0 ? [] : [`${counted(count, what, many)} ${count === 1 ? 'is' : 'are'} hidden here${how}.`];

function earlierLines(steps: readonly ExploreStep[], seen: ReadonlyMap<string, Passage>, room: number): string[] {
  if (steps.length === 0) return [];
  const said = steps.flatMap(wordsOf);
  const words = newest(said, weigh, room);
  const ids = [...new Set(said.flatMap(markedIds))];
  const behind = ids.flatMap((id) => seen.get(id) ?? []);
  const passages = newest(behind, (passage) => weigh(renderPassages([passage])), words.left);
  const calls = steps.flatMap((step) => step.calls.filter(({ tool }) => !keptTools.includes(tool)).map(callLine));
  const named = newest([...new Set(calls)], (call) => weigh(call) + 2, passages.left);
  return [
    ...hidden(said.length - words.kept.length, 'older note', 'older notes'),
    ...words.kept,
    ...(passages.kept.length > 0 ? [`Passages that this rests on:\n${renderPassages(passages.kept)}`] : []),
    ...hidden(
      behind.length - passages.kept.length,
      'more passage',
      'more passages',
      '; read_file shows its lines again',
    ),
    ...(named.kept.length > 0
      ? [`Results that are hidden now; the same call shows one again: ${named.kept.join('; ')}`]
      : []),
    ...hidden(new Set(calls).size - named.kept.length, 'result of an older call', 'results of older calls'),
  ];
}

/** Factor by which the room shrinks after a prompt was too long. */
const tightShare = 0.85;

/** Creates the memory of the steps. `whole`: the room for steps and notes, in bytes. */
function createStepMemory(whole: number) {
  let room = whole;
  let shortened = 0;
  // The summary of hidden steps is written when they are hidden, and stays the same until more steps are hidden.
  let earlier: readonly string[] = [];
  return {
    /** Returns the number of the last shortened step; 0 if no step was shortened. */
    shortenedTo: () => shortened,
    /** Shortens older steps if the room is full. Returns the steps and the summary to show, and the bytes `left`. */
    shown(steps: readonly ExploreStep[], seen: ReadonlyMap<string, Passage>) {
      const size = () => steps.slice(shortened).reduce((sum, step) => sum + sizeOf(step), 0);
      const taken = () => size() + weigh(earlier.join('\n'));
      if (taken() > room) {
        // Shortens to about half in one go, so that most prompts keep the beginning that a server has cached.
        do shortened += 1;
        while (shortened < steps.length - 1 && size() > room * keptShare);
        shortened = Math.min(shortened, Math.max(0, steps.length - 1));
        // With long answers of sub-queries, the last step alone may exceed the room. Then it is shortened, too.
        if (size() > room) shortened = steps.length;
        const earlierRoom = shortened === steps.length ? room : Math.min(room * earlierShare, room - size());
        earlier = earlierLines(steps.slice(0, shortened), seen, Math.max(0, earlierRoom));
      }
      return { steps: steps.slice(shortened), earlier, left: Math.max(0, room - taken()) };
    },
    tighten(): boolean {
      room *= tightShare;
      return true;
    },
  };
}

const leftInWords = (bytes: number): string => `about ${grouped(Math.floor(bytes / 1_000) * 1_000)} characters`;

const answerNow = 'Do not look further. Call final_answer now, with what was found.';

/** Counts consecutive wrong calls. A step with no calls, or only repeated calls, counts as one wrong call. */
function wrongInARow(before: number, calls: readonly MadeCall[]): number {
  const fresh = calls.filter(({ use }) => use.outcome !== 'same');
  if (fresh.length === 0) return before + 1;
  return fresh.reduce((wrong, { use }) => (use.outcome === 'wrong' ? wrong + 1 : 0), before);
}

function noticeFor(stepsLeft: number, callsLeft: number, wrong: number, dropped: number): string {
  const notes = [
    dropped > 0 ? `${counted(dropped, 'call')} too many for one step: not made.` : '',
    wrong >= mostWrong ? `${mostWrong} calls in a row came to nothing. ${answerNow}` : '',
    stepsLeft === 1 || callsLeft === 1 ? `This is the last step. ${answerNow}` : '',
  ];
  return notes.filter(Boolean).join(' ');
}

interface Exploring {
  readonly ground: Ground;
  readonly toolbox: Toolbox;
  readonly earlierStep: EarlierStep | null;
  /** Room for steps and notes, in bytes. */
  readonly room: number;
}

/** Explores the text: asks for a step, makes its calls, and shows the results, until there is an answer. */
export async function exploreInSteps(
  question: Question,
  { ground, toolbox, earlierStep, room }: Exploring,
  run: Run,
): Promise<Stepped<FinalAnswer>> {
  const { path, depth } = question;
  const { maxIterations, maxPerIteration } = run.settings.budget;
  const memory = createStepMemory(room);
  const { told, bounds } = stepRoom(room, run);
  const description = describeForExploring(run);
  let dropped = 0;

  function variablesFor({ steps, wrong }: StepsSoFar): ExploreVariables {
    const { question: text, known, criteria, allotment } = question;
    const { left, ...shown } = memory.shown(steps, ground.seen);
    const budget = {
      steps: maxIterations,
      calls: allotment,
      callsPerStep: maxPerIteration,
      characters: told,
      subQueryCharacters: Math.floor(ground.pieceBytes / densityOf(run.text.store) / 100) * 100,
      stepsLeft: maxIterations - steps.length,
      callsLeft: depth === 0 ? run.budget.callsLeft('ordinary') : ground.callsLeft() - 1,
      roomLeft: leftInWords(left),
    };
    const notice = noticeFor(budget.stepsLeft, budget.callsLeft, wrong, dropped);
    const about = { question: text, description, known, criteria, tools: toolbox.specs, begun: earlierStep };
    return { ...about, ...shown, notice, budget, writesCalls: steps[0]?.calls.length === 0 };
  }

  async function take(soFar: StepsSoFar): Promise<StepDone<FinalAnswer>> {
    const number = soFar.steps.length + 1;
    const place = { path, share: 'ordinary', part: `round-${number}` } as const;
    const reply = await whileTooLong(() => run.ask('explore', variablesFor(soFar), place), memory.tighten);
    const summarisedTo = memory.shortenedTo();
    const actions = reply.actions.slice(0, maxPerIteration);
    dropped = reply.actions.length - actions.length;
    const findings: ExploredFinding[] = reply.findings.map((fact) => ground.check(fact).finding);
    const world = ground.world(bounds, ({ finding }) => finding.passage !== null && findings.push(finding));
    const where = { step: number, firstShown: summarisedTo + 1, world, keep: ground.keep };
    const { calls, stopped } = await toolbox.callAll(actions, where);
    const { thought, next } = reply;
    const step = { number, thought, calls: calls.map(({ use }) => use), findings, next, summarisedTo };
    const answer = calls.find(({ use, given }) => use.tool === finalAnswer.name && given !== null);
    return {
      step,
      answer: answer === undefined ? null : (answer.given as FinalAnswer),
      stopped,
      wrong: wrongInARow(soFar.wrong, calls),
    };
  }

  return takeSteps(
    question,
    {
      callsLeft: () => (depth === 0 ? run.budget.callsLeft('ordinary') : ground.callsLeft()),
      unit: ['step', 'exploring'],
      take,
      toldResult: (result: string) => result.split('\n', 1)[0]!,
      gaveUpReason: 'the model kept making wrong calls',
    },
    run,
  );
}
