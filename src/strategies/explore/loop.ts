import { counted } from '../../base/text.ts';
import { densityOf } from '../../context/text-size.ts';
import type { ExploreVariables } from '../../prompts/explore.ts';
import type { Run } from '../../run/run.ts';
import { whileTooLong } from '../../run/text/refit.ts';
import type { ExploredFinding } from '../../state.ts';
import { type FinalAnswer, finalAnswer } from '../../tools/final-answer.ts';
import type { MadeCall, Toolbox } from '../../tools/toolbox.ts';
import { mostWrong, type StepDone, type Stepped, type StepsSoFar, takeSteps } from '../steps.ts';
import type { Begun, Question } from '../strategy.ts';
import type { Ground } from './ground.ts';
import { createStepMemory, describeForExploring, leftInWords, stepRoom } from './memory.ts';

export interface Exploring {
  readonly ground: Ground;
  readonly toolbox: Toolbox;
  /** What was read before, as far as the prompt shows it. */
  readonly begun: Begun | null;
  /** Room for steps and notes, in bytes. */
  readonly room: number;
}

const answerNow = 'Do not look further. Call final_answer now, with what was found.';

/** Counts wrong calls since the last right one. A step without calls, or with only repeated ones, counts as one. */
function wrongInARow(before: number, calls: readonly MadeCall[]): number {
  if (calls.every(({ use }) => use.outcome === 'same')) return before + 1;
  return calls.reduce((wrong, { use }) => (use.outcome === 'wrong' ? wrong + 1 : 0), before);
}

function noticeFor(stepsLeft: number, callsLeft: number, wrong: number, dropped: number): string {
  const notes = [
    dropped > 0 ? `${counted(dropped, 'call')} too many for one step: not made.` : '',
    wrong >= mostWrong ? `${mostWrong} calls in a row came to nothing. ${answerNow}` : '',
    stepsLeft === 1 || callsLeft === 1 ? `This is the last step. ${answerNow}` : '',
  ];
  return notes.filter(Boolean).join(' ');
}

/** Explores the text: asks for a step, makes its calls, and shows the results, until there is an answer. */
export async function exploreInSteps(
  question: Question,
  { ground, toolbox, begun, room }: Exploring,
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
    const about = { question: text, description, known, criteria, tools: toolbox.specs, begun };
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
      noMore: 'the model made no more right calls',
    },
    run,
  );
}
