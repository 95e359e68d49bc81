import { now } from '../../base/clock.ts';
import { counted } from '../../base/counted.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import type { ReplVariables } from '../../prompts/repl.ts';
import type { Run } from '../../run/run.ts';
import type { Sandbox, TurnResult } from '../../sandbox/sandbox.ts';
import type { ExploreStep, ToolUse } from '../../state.ts';
import type { Question } from '../strategy.ts';
import type { CodeCalls } from './code-calls.ts';
import { shownTurns } from './history.ts';
import { nameIn, type ProseFinal } from './read-final.ts';
import { readTurn, type Turn } from './read-turn.ts';

/** What the turns came to. */
export interface Coded {
  readonly steps: readonly ExploreStep[];
  /** Null when they ended without one. */
  readonly answer: string | null;
  /** What kept them from going on, or null. */
  readonly stopped: RlmError | null;
  /** Why they ended without an answer though nothing kept them; empty otherwise. */
  readonly gaveUp: string;
}

interface Workshop {
  readonly sandbox: Sandbox;
  readonly calls: CodeCalls;
  /** For the turns, in a prompt, in bytes. */
  readonly room: number;
}

/** After so many turns in a row that came to nothing a model is told to answer. */
const mostWrong = 3;

const answerNow = 'Do not look further. Write FINAL(answer) now, with what was found.';

const outOfTurns = (turns: number): RlmError =>
  new RlmError('limit-iterations', `the question has used its ${counted(turns, 'turn')} of code`, {
    hint: `Allow more with --max-iterations ${turns * 2} (setting budget.maxIterations).`,
  });

const outOfCalls = (): RlmError =>
  new RlmError('limit-calls', 'the model calls for looking into the text are used up; what is left is for the answer', {
    hint: 'Allow more with --max-calls (setting budget.maxCalls).',
  });

/** What a turn came to, and the answer that it gave, or null. */
interface Done {
  readonly result: string;
  readonly isWrong: boolean;
  readonly isRepeat?: boolean;
  readonly answer: string | null;
}

const noVariable = (name: string): string =>
  `FINAL_VAR: there is no variable ${name}. Set it at the top level of the code, or write FINAL(answer).`;

/** The answer that stands outside of the code: the words, or what is in the variable that they name. */
async function readProse(final: ProseFinal, sandbox: Sandbox): Promise<{ answer: string } | { problem: string }> {
  const name = final.kind === 'variable' ? final.name : nameIn(final);
  const value = name === null ? null : await sandbox.variable(name);
  if (value !== null) return { answer: value };
  return final.kind === 'variable' ? { problem: noVariable(final.name) } : { answer: final.text };
}

const printedIn = ({ output, error, final }: TurnResult): string =>
  [output.trimEnd(), error].filter(Boolean).join('\n') || (final === null ? '(nothing was printed)' : '(answered)');

/** Runs the code of a turn; an answer beside code that failed was written without knowing that, and does not count. */
async function carryOut({ code, final, fencedFinal }: Turn, { sandbox, calls }: Workshop): Promise<Done> {
  calls.begin();
  const ran = code === '' ? null : await sandbox.run(code);
  const isProse = ran?.error?.startsWith('SyntaxError') === true && fencedFinal !== null;
  if (ran !== null && !isProse && (ran.error !== null || ran.final !== null || final === null)) {
    return { result: printedIn(ran), isWrong: ran.error !== null, answer: ran.error === null ? ran.final : null };
  }
  const said = isProse ? fencedFinal : final;
  if (said === null) return { result: '', isWrong: true, answer: null };
  const read = await readProse(said, sandbox);
  const printed = ran === null || isProse ? '' : printedIn(ran);
  if ('problem' in read)
    return { result: [printed, read.problem].filter(Boolean).join('\n'), isWrong: true, answer: null };
  return { result: printed, isWrong: false, answer: read.answer };
}

function tell(step: ExploreStep, path: string, timeMs: number, run: Run): void {
  for (const [index, { tool, arguments: given, outcome, result }] of step.calls.entries()) {
    const about = { path, step: step.number, call: index + 1, tool, arguments: given, outcome };
    run.emit({ type: 'tool.called', ...about, result: result.slice(0, 300) });
  }
  const { number, thought, next, findings, summarisedTo } = step;
  run.emit({ type: 'step.completed', path, step: number, thought, next, findings, summarisedTo, timeMs });
}

const codeTool = 'code';

/** The use of the sandbox that a turn is; none where it had nothing to do. */
function usesOf({ code }: Turn, { result, isWrong, isRepeat }: Done): readonly ToolUse[] {
  if (code === '' && result === '') return [];
  const outcome = isRepeat === true ? 'same' : isWrong ? 'wrong' : 'done';
  return [{ tool: codeTool, arguments: { code }, result, outcome }];
}

/**
 * Code that was run before, and printed the same, brings nothing: the model is told so instead of being shown it
 * again.
 */
function withoutRepeat({ code }: Turn, done: Done, steps: readonly ExploreStep[]): Done {
  const isSame = ({ tool, arguments: given, result }: ToolUse) =>
    tool === codeTool && (given as { readonly code: string }).code === code && result === done.result;
  const before = done.answer === null && code !== '' ? steps.find(({ calls }) => calls.some(isSame)) : undefined;
  if (before === undefined) return done;
  const result = `This is the code of turn ${before.number}, and it printed the same. Do not write it again: search for fewer or other words with context.grep, read around what was found with print(context.lines(10, 40)), or write FINAL(answer).`;
  return { ...done, result, isWrong: true, isRepeat: true };
}

/** Asks for code, runs it and shows what it printed, until there is an answer or no going on. */
export async function takeTurns(question: Question, workshop: Workshop, run: Run): Promise<Coded> {
  const { path, depth } = question;
  const { maxIterations } = run.settings.budget;
  const { calls, room } = workshop;
  const steps: ExploreStep[] = [];
  let wrong = 0;

  const ended = (rest: Partial<Coded>): Coded => ({ steps, answer: null, stopped: null, gaveUp: '', ...rest });

  /**
   * Whether another turn would leave no call for the answer. The root's is kept apart, but of very few calls none
   * is.
   */
  function isLastCall(): boolean {
    if (depth > 0) return calls.callsLeft() < 2;
    return calls.callsLeft() > 0 && run.budget.callsLeft('kept') < 2;
  }

  function whyNoTurn(): RlmError | null {
    if (calls.stopped() !== null) return calls.stopped();
    if (steps.length >= maxIterations) return outOfTurns(maxIterations);
    return isLastCall() ? (run.stopped() ?? outOfCalls()) : null;
  }

  function variablesNow(): ReplVariables {
    const { question: text, known, criteria, allotment } = question;
    const turnsLeft = maxIterations - steps.length;
    const mustAnswer = turnsLeft === 1 || calls.callsLeft() === 1 ? `This is the last turn. ${answerNow}` : '';
    const notice = wrong >= mostWrong ? `${mostWrong} turns in a row came to nothing. ${answerNow}` : mustAnswer;
    return {
      question: text,
      description: run.description,
      known,
      criteria,
      pieceCharacters: Math.floor(run.passageBytes / 2 / 1_000) * 1_000,
      ...shownTurns(steps, room),
      notice,
      budget: { turns: maxIterations, calls: allotment, turnsLeft, callsLeft: calls.callsLeft() },
    };
  }

  async function takeTurn(): Promise<string | null> {
    const startedAt = now();
    const number = steps.length + 1;
    const variables = variablesNow();
    const { reply } = await run.ask('repl', variables, { path, share: 'ordinary', part: `turn-${number}` });
    const turn = readTurn(reply);
    const done = withoutRepeat(turn, await carryOut(turn, workshop), steps);
    const summarisedTo = number - 1 - variables.steps.length;
    const step = { number, thought: turn.thought, calls: usesOf(turn, done), findings: [], next: '', summarisedTo };
    steps.push(step);
    tell(step, path, Math.round(now() - startedAt), run);
    wrong = done.isWrong ? wrong + 1 : 0;
    return done.answer;
  }

  for (;;) {
    const why = whyNoTurn();
    if (why !== null) return ended({ stopped: why });
    const told = wrong >= mostWrong;
    try {
      const answer = await takeTurn();
      if (answer !== null) return ended({ answer });
      if (told && wrong > mostWrong) return ended({ gaveUp: 'the model made no more code that runs' });
    } catch (error) {
      if (!(error instanceof RlmError)) throw error;
      return isForgivable(error) ? ended({ gaveUp: error.message }) : ended({ stopped: error });
    }
  }
}
