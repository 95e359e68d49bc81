import { densityOf, weigh } from '../../context/text-size.ts';
import { renderKnown, renderPassages } from '../../prompts/prompt.ts';
import { type ReplVariables, turnText } from '../../prompts/repl.ts';
import type { Run } from '../../run/run.ts';
import type { Sandbox, TurnResult } from '../../sandbox/sandbox.ts';
import type { Completeness, ExploreStep, Passage, ToolUse } from '../../state.ts';
import { mostWrong, type StepDone, type Stepped, type StepsSoFar, takeSteps } from '../steps.ts';
import { earlierPassages, type Question } from '../strategy.ts';
import { type CodeCalls, callCharacters } from './code-calls.ts';
import type { Evidence } from './evidence.ts';
import { type ProseFinal, readTurn, type Turn, variableNameIn } from './read-turn.ts';

/** Minimum room for turns, in bytes of ordinary text. */
const fewestBytes = 3_000;

/** Share of the room for turns that one turn's output may take. */
const outputShare = 0.3;

/** Share of the room to which turns are shortened, so that they need not be shortened again soon. */
const shortenedShare = 0.6;

/** The number of bytes by which the instructions of this prompt exceed those for which the window was chosen. */
const promptBytes = 2_000;

/** The parts that fit the prompts of a question. */
export interface ReplRoom {
  /** The passages of an earlier step that are shown. */
  readonly shown: readonly Passage[];
  /** The description of the tables; empty without tables, or without room for them. */
  readonly tables: string;
  /** Room for turns, in bytes of ordinary text. */
  readonly turns: number;
  /** Maximum size of the shown output of a turn, in bytes of ordinary text. */
  readonly output: number;
}

/** Returns the parts that fit the prompts; null if there is too little room for turns. */
export function replRoomFor(question: Question, described: string, run: Run): ReplRoom | null {
  const { known, criteria, earlierStep, path } = question;
  const fixed = [
    run.text.description,
    renderKnown(known),
    ...criteria,
    earlierStep?.answer ?? '',
    ...(earlierStep?.missing ?? []),
  ];
  const free = run.models.roomFor('repl', path) - promptBytes - fixed.reduce((sum, one) => sum + weigh(one), 0);
  const tables = free - weigh(described) < fewestBytes ? '' : described;
  const room = free - weigh(tables);
  if (room < fewestBytes) return null;
  const shown = earlierPassages(question, room, run);
  const turns = room - (shown.length === 0 ? 0 : weigh(renderPassages(shown)));
  return { shown, tables, turns, output: Math.floor(turns * outputShare) };
}

type Shortened = Pick<ReplVariables, 'shortTo' | 'lineTo'>;

const sizeOf = (steps: readonly ExploreStep[], shortened: Shortened): number =>
  steps.reduce((sum, step) => sum + weigh(turnText(step, shortened)), 0);

/** Returns which turns the next prompt shortens. If the turns do not fit, also makes room for a few more turns. */
function shortenedTurns(steps: readonly ExploreStep[], room: number): Shortened & { readonly left: number } {
  let [shortTo, lineTo] = [0, 0];
  const taken = (count: number) => sizeOf(steps.slice(0, count), { shortTo, lineTo });
  for (let count = 1; count <= steps.length; count++) {
    if (taken(count) <= room) continue;
    while (shortTo < count - 1 && taken(count) > room * shortenedShare) shortTo++;
    if (taken(count) > room) while (lineTo < count - 1 && taken(count) > room * shortenedShare) lineTo++;
  }
  return { shortTo, lineTo, left: Math.max(0, room - taken(steps.length)) };
}

interface CodeFinal extends Completeness {
  readonly answer: string;
}

export type Coded = Stepped<CodeFinal>;

interface Workshop {
  readonly sandbox: Sandbox;
  readonly calls: CodeCalls;
  readonly evidence: Evidence;
  readonly room: ReplRoom;
}

const answerNow = 'Do not look further. Write FINAL(answer) now, with what was found.';
const nextStep = 'If you have seen what the answer rests on, give FINAL(answer). Else write one more block of code.';
const mend = 'Mend the code or look in another way, or give FINAL(answer) if you have seen what it rests on.';
const opening = {
  look: 'Look into the text now: reply with one fenced block of JavaScript that searches for what the answer needs, prints what it finds, and reads around it.',
  goOn: 'Look for what is missing now: reply with one fenced block of JavaScript. If the passages above hold all of the answer, give FINAL(answer).',
  only: 'There is one turn: reply with one fenced block of JavaScript that finds what the answer needs and gives FINAL(answer).',
};

interface Done {
  readonly result: string;
  readonly isWrong: boolean;
  readonly isRepeat?: boolean;
  readonly answer: CodeFinal | null;
  /** The variables that are set after the turn; null if no code ran. */
  readonly variables: string | null;
}

const noVariable = (name: string): string =>
  `FINAL_VAR: there is no variable ${name}. Set it at the top level of the code, or write FINAL(answer).`;

/** Reads an answer outside the code: its text, or the value of the variable that it names. */
async function readProse(final: ProseFinal, sandbox: Sandbox): Promise<CodeFinal | { problem: string }> {
  const { tells, missing } = final;
  const name = final.kind === 'variable' ? final.name : variableNameIn(final);
  const value = name === null ? null : await sandbox.variable(name);
  if (value !== null) return { answer: value, tells, missing };
  return final.kind === 'variable' ? { problem: noVariable(final.name) } : { answer: final.text, tells, missing };
}

function printedIn({ output, error, problems, final }: TurnResult): string {
  const empty = final === null ? '(nothing was printed)' : '(answered)';
  const shown = [output.trimEnd(), error].filter(Boolean).join('\n') || empty;
  return problems === ''
    ? shown
    : `${shown}\nNot found or left out; the rest of the code ran:\n- ${problems.replaceAll('\n', '\n- ')}`;
}

/** Runs a turn. Ignores an answer next to code that failed, because the model did not know of the failure. */
async function runTurn({ code, final, fencedFinal }: Turn, { sandbox, calls }: Workshop, run: Run): Promise<Done> {
  calls.begin(code);
  const ran = code === '' ? null : await sandbox.run(code);
  const variables = ran?.variables ?? null;
  const isProse = ran?.error?.startsWith('SyntaxError') === true && fencedFinal !== null;
  if (ran !== null && !isProse && (ran.error !== null || ran.final !== null || final === null)) {
    const isWrong = ran.error !== null;
    const answer = isWrong ? null : ran.final;
    if (answer !== null && ran.problems !== '') run.events.warn('evidence', `the code of the answer: ${ran.problems}`);
    return { result: printedIn(ran), isWrong, answer, variables };
  }
  const said = isProse ? fencedFinal : final;
  if (said === null) return { result: '', isWrong: true, answer: null, variables };
  const read = await readProse(said, sandbox);
  const printed = ran === null || isProse ? '' : printedIn(ran);
  if ('problem' in read)
    return { result: [printed, read.problem].filter(Boolean).join('\n'), isWrong: true, answer: null, variables };
  return { result: printed, isWrong: false, answer: read, variables };
}

const codeTool = 'code';

function usesOf({ code }: Turn, { result, isWrong, isRepeat }: Done): readonly ToolUse[] {
  if (code === '' && result === '') return [];
  const outcome = isRepeat === true ? 'same' : isWrong ? 'wrong' : 'done';
  return [{ tool: codeTool, arguments: { code }, result, outcome }];
}

function withoutRepeat({ code }: Turn, done: Done, steps: readonly ExploreStep[]): Done {
  const isSame = ({ tool, arguments: given, result }: ToolUse) =>
    tool === codeTool && (given as { readonly code: string }).code === code && result === done.result;
  const before = done.answer === null && code !== '' ? steps.find(({ calls }) => calls.some(isSame)) : undefined;
  if (before === undefined) return done;
  const result = `This is the code of turn ${before.number}, and it printed the same. Do not write it again: search for other words, read around what was found, or write FINAL(answer).`;
  return { ...done, result, isWrong: true, isRepeat: true };
}

/** Asks for code, runs it and shows its output, until there is an answer or no further turn is possible. */
export function takeTurns(question: Question, workshop: Workshop, run: Run): Promise<Coded> {
  const { path } = question;
  const { maxIterations } = run.settings.budget;
  const { calls, evidence, room } = workshop;
  const isOnly = maxIterations === 1 || calls.callsLeft() <= 1;
  const first = isOnly ? opening.only : room.shown.length > 0 ? opening.goOn : opening.look;
  let set = '';

  function noticeFor({ steps, wrong }: StepsSoFar): string {
    if (wrong >= mostWrong) return `${mostWrong} turns in a row came to nothing. ${answerNow}`;
    const isLast = steps.length === maxIterations - 1 || calls.callsLeft() === 1;
    if (isLast) return `This is the last turn. ${answerNow}`;
    return wrong > 0 ? mend : nextStep;
  }

  function variablesFor(soFar: StepsSoFar): ReplVariables {
    const { question: text, known, criteria, allotment, earlierStep } = question;
    const { steps } = soFar;
    const { left, ...shortened } = shortenedTurns(steps, room.turns);
    const turnsLeft = maxIterations - steps.length;
    return {
      question: text,
      description: run.text.description,
      tables: room.tables,
      known,
      criteria,
      opening: first,
      passages: room.shown,
      begunAnswer: earlierStep?.answer ?? '',
      missing: earlierStep?.missing ?? [],
      callCharacters: callCharacters(question, run),
      outputCharacters: Math.floor(room.output / densityOf(run.text.store)),
      steps: [...steps],
      ...shortened,
      set,
      marks: evidence.marks(),
      notice: noticeFor(soFar),
      budget: { turns: maxIterations, calls: allotment, turnsLeft, callsLeft: calls.callsLeft(), characters: left },
    };
  }

  async function take(soFar: StepsSoFar): Promise<StepDone<CodeFinal>> {
    const number = soFar.steps.length + 1;
    const variables = variablesFor(soFar);
    const { reply } = await run.ask('repl', variables, { path, share: 'ordinary', part: `turn-${number}` });
    const turn = readTurn(reply);
    const done = withoutRepeat(turn, await runTurn(turn, workshop, run), soFar.steps);
    set = done.variables ?? set;
    const step = { number, thought: turn.thought, calls: usesOf(turn, done), findings: [], next: '' };
    const wrong = done.isWrong ? soFar.wrong + 1 : 0;
    return { step: { ...step, summarisedTo: variables.shortTo }, answer: done.answer, stopped: null, wrong };
  }

  const way = {
    callsLeft: calls.callsLeft,
    unit: ['turn', 'code'] as const,
    take,
    toldResult: (result: string) => result,
    gaveUpReason: 'the model kept writing code that fails',
  };
  return takeSteps(question, way, run);
}
