import { now } from '../../base/clock.ts';
import { counted } from '../../base/counted.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import type { ExploreVariables } from '../../prompts/explore-turns.ts';
import type { Reply } from '../../prompts/index.ts';
import type { Run } from '../../run/run.ts';
import type { ExploreStep } from '../../state.ts';
import { type FinalAnswer, finalAnswer } from '../../tools/final-answer.ts';
import type { MadeCall, Toolbox } from '../../tools/toolbox.ts';
import type { Question } from '../strategy.ts';
import { boundsFor, createConversation, describeForExploring } from './conversation.ts';
import { type Checked, checkFact } from './findings.ts';
import { type Ground, outOfCalls } from './ground.ts';

/** What an exploration came to. */
export interface Explored {
  readonly steps: readonly ExploreStep[];
  /** Those whose evidence stands in the text. */
  readonly found: readonly Checked[];
  /** Null when it ended without one. */
  readonly answer: FinalAnswer | null;
  /** What kept it from going on, or null. */
  readonly stopped: RlmError | null;
  /** Why it ended without an answer though nothing kept it; empty otherwise. */
  readonly gaveUp: string;
}

/** After so many wrong calls in a row a model is told to answer. */
const mostWrong = 3;

const answerNow = 'Do not look further. Call final_answer now, with what was found.';

const outOfSteps = (steps: number): RlmError =>
  new RlmError('limit-iterations', `the question has used its ${counted(steps, 'step')} of exploring`, {
    hint: `Allow more with --max-iterations ${steps * 2} (setting budget.maxIterations).`,
  });

/** Calls that were wrong since the last right one. A step without any call, or with none that is new, counts as one. */
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

/** A finding that is noted again is the same. */
const keyOf = ({ finding: { passage, evidence } }: Checked): string => `${passage} ${evidence}`;

/** Tells what a step was, call by call. */
function tell(step: ExploreStep, path: string, timeMs: number, run: Run): void {
  for (const [index, { tool, arguments: given, outcome, result }] of step.calls.entries()) {
    const about = { path, step: step.number, call: index + 1, tool, arguments: given, outcome };
    run.emit({ type: 'tool.called', ...about, result: result.split('\n', 1)[0]!.slice(0, 300) });
  }
  const { number, thought, next, findings, summarisedTo } = step;
  run.emit({ type: 'step.completed', path, step: number, thought, next, findings, summarisedTo, timeMs });
}

/** The findings of a reply, held against the text; those that stand and are new are added to what was found. */
function checkFindings(reply: Reply<'explore'>, found: Checked[], ground: Ground, run: Run): readonly Checked[] {
  const checked = reply.findings.map((fact) => checkFact(fact, ground.seen, run));
  const right = checked.filter(({ citation }) => citation !== null);
  ground.note(right.flatMap(({ finding }) => finding.passage ?? []));
  const known = new Set(found.map(keyOf));
  for (const one of right) if (!known.has(keyOf(one)) && known.add(keyOf(one))) found.push(one);
  return checked;
}

/** Explores: asks for a step, makes its calls, and shows what they came to, until there is an answer or no going on. */
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
  const steps: ExploreStep[] = [];
  const found: Checked[] = [];
  let [wrong, dropped] = [0, 0];

  const ended = (rest: Partial<Explored>): Explored => ({
    steps,
    found,
    answer: null,
    stopped: null,
    gaveUp: '',
    ...rest,
  });

  /**
   * Whether another step would leave no call for the answer. The root's is kept apart, but of very few calls none
   * is.
   */
  function isLastCall(): boolean {
    if (depth > 0) return ground.callsLeft() < 2;
    return run.budget.callsLeft('ordinary') > 0 && run.budget.callsLeft('kept') < 2;
  }

  function whyNoStep(): RlmError | null {
    if (steps.length >= maxIterations) return outOfSteps(maxIterations);
    return isLastCall() ? outOfCalls() : null;
  }

  function variablesNow(): ExploreVariables {
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

  async function takeStep(reply: Reply<'explore'>, startedAt: number) {
    const number = steps.length + 1;
    const summarisedTo = conversation.summarisedTo();
    const actions = reply.actions.slice(0, maxPerIteration);
    dropped = reply.actions.length - actions.length;
    const findings = checkFindings(reply, found, ground, run).map(({ finding }) => finding);
    const worldFor = ground.worldsOf(boundsFor(actions.length, room, run));
    const { calls, stopped } = await toolbox.callAll(actions, { step: number, firstShown: summarisedTo + 1, worldFor });
    const { thought, next } = reply;
    const step = { number, thought, calls: calls.map(({ use }) => use), findings, next, summarisedTo };
    steps.push(step);
    tell(step, path, Math.round(now() - startedAt), run);
    return { calls, stopped };
  }

  for (;;) {
    const why = whyNoStep();
    if (why !== null) return ended({ stopped: why });
    const startedAt = now();
    const told = wrong >= mostWrong;
    try {
      const place = { path, share: 'ordinary', part: `round-${steps.length + 1}` } as const;
      const { calls, stopped } = await takeStep(await run.ask('explore', variablesNow(), place), startedAt);
      const answer = calls.find(({ use, given }) => use.tool === finalAnswer.name && given !== null);
      if (answer !== undefined) return ended({ answer: answer.given as FinalAnswer });
      if (stopped !== null) return ended({ stopped });
      wrong = wrongInARow(wrong, calls);
      if (told && wrong > mostWrong) return ended({ gaveUp: 'the model made no more right calls' });
    } catch (error) {
      if (!(error instanceof RlmError)) throw error;
      return isForgivable(error) ? ended({ gaveUp: error.message }) : ended({ stopped: error });
    }
  }
}
