import { counted } from '../../base/counted.ts';
import { RlmError } from '../../errors.ts';
import type { ExploreVariables } from '../../prompts/explore-turns.ts';
import type { Reply } from '../../prompts/index.ts';
import type { Run } from '../../run/run.ts';
import { type FinalAnswer, finalAnswer } from '../../tools/final-answer.ts';
import type { MadeCall, Toolbox } from '../../tools/toolbox.ts';
import { mostWrong, type StepDone, type Stepped, type StepsSoFar, takeSteps } from '../steps.ts';
import type { Question } from '../strategy.ts';
import { boundsFor, createConversation, describeForExploring } from './conversation.ts';
import { type Checked, checkFact } from './findings.ts';
import { type Ground, outOfCalls } from './ground.ts';

/** The result of an exploration. */
export interface Explored extends Stepped<FinalAnswer> {
  /** Findings whose evidence the text contains. */
  readonly found: readonly Checked[];
}

const answerNow = 'Do not look further. Call final_answer now, with what was found.';

const outOfSteps = (steps: number): RlmError =>
  new RlmError('limit-iterations', `the question has used its ${counted(steps, 'step')} of exploring`, {
    hint: `Allow more with --max-iterations ${steps * 2} (setting budget.maxIterations).`,
  });

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

/** Returns the key by which repeated findings are recognised. */
const keyOf = ({ finding: { passage, evidence } }: Checked): string => `${passage} ${evidence}`;

/** Checks the findings of a reply against the text, and adds those that hold and are new to `found`. */
function checkFindings(reply: Reply<'explore'>, found: Checked[], ground: Ground, run: Run): readonly Checked[] {
  const checked = reply.findings.map((fact) => checkFact(fact, ground.seen, run));
  const right = checked.filter(({ citation }) => citation !== null);
  ground.note(right.flatMap(({ finding }) => finding.passage ?? []));
  const known = new Set(found.map(keyOf));
  for (const one of right) if (!known.has(keyOf(one)) && known.add(keyOf(one))) found.push(one);
  return checked;
}

/**
 * Explores the text: asks for a step, makes its calls, and shows the results, until there is an answer or no further
 * step is possible.
 */
export async function exploreText(
  question: Question,
  ground: Ground,
  toolbox: Toolbox,
  room: number,
  run: Run,
): Promise<Explored> {
  const { path, depth } = question;
  const { maxIterations, maxPerIteration } = run.settings.budget;
  const conversation = createConversation(room);
  const description = describeForExploring(run);
  const found: Checked[] = [];
  let dropped = 0;

  function variablesFor({ steps, wrong }: StepsSoFar): ExploreVariables {
    const { question: text, known, criteria, allotment } = question;
    const budget = {
      steps: maxIterations,
      calls: allotment,
      callsPerStep: maxPerIteration,
      stepsLeft: maxIterations - steps.length,
      callsLeft: depth === 0 ? run.budget.callsLeft('ordinary') : ground.callsLeft() - 1,
    };
    const notice = noticeFor(budget.stepsLeft, budget.callsLeft, wrong, dropped);
    const shown = conversation.shown(
      steps,
      found.map(({ finding }) => finding),
    );
    const about = { question: text, description, known, criteria, tools: toolbox.specs };
    return { ...about, ...shown, notice, budget, writesCalls: steps[0]?.calls.length === 0 };
  }

  async function take(soFar: StepsSoFar): Promise<StepDone<FinalAnswer>> {
    const number = soFar.steps.length + 1;
    const reply = await run.ask('explore', variablesFor(soFar), { path, share: 'ordinary', part: `round-${number}` });
    const summarisedTo = conversation.summarisedTo();
    const actions = reply.actions.slice(0, maxPerIteration);
    dropped = reply.actions.length - actions.length;
    const findings = checkFindings(reply, found, ground, run).map(({ finding }) => finding);
    const worldFor = ground.worldsOf(boundsFor(actions.length, room, run));
    const { calls, stopped } = await toolbox.callAll(actions, { step: number, firstShown: summarisedTo + 1, worldFor });
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

  const way = {
    callsLeft: () => (depth === 0 ? run.budget.callsLeft('ordinary') : ground.callsLeft()),
    stopped: () => null,
    outOfSteps,
    outOfCalls,
    take,
    toldResult: (result: string) => result.split('\n', 1)[0]!,
    noMore: 'the model made no more right calls',
  };
  return { ...(await takeSteps(question, way, run)), found };
}
