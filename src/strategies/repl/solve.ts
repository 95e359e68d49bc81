import { createHash } from 'node:crypto';
import type { Run } from '../../run/run.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';
import { answerAtOnce, stepsDraft, whyNoSteps } from '../steps.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import { tablesOf } from '../tool-world.ts';
import { createCodeCalls } from './code-calls.ts';
import { concludeCode } from './conclude.ts';
import { createEvidence } from './evidence.ts';
import { replRoomFor } from './history.ts';
import { takeTurns } from './loop.ts';

/** Calls that the code of one turn may make, regardless of the budget. */
const mostCalls = 1_000;

/** Returns the seed of the sandbox's clock and random numbers, the same in a resumed run. */
const seedOf = ({ question, path }: Question): number =>
  createHash('sha256').update(`${path} ${question}`).digest().readUInt32BE(0) % 86_400_000;

/** Answers with code that explores the text. Throws RlmError when there is no answer at all. */
export async function solveWithCode(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const { settings } = run;
  const { store } = run.text;
  const { signal } = run.budget;
  const why = whyNoSteps('repl', store.chunkCount > 0, question.path, run);
  if (why !== null) return answerAtOnce(question, why, run);
  const room = replRoomFor(question, await tablesOf(run), run);
  if (room === null) {
    const tooLittle = 'the window has too little room to look into the text with code';
    run.events.warn(`${tooLittle}; the question is answered directly`);
    return answerAtOnce(question, tooLittle, run);
  }
  const evidence = createEvidence(run, room.shown);
  const calls = createCodeCalls(question, evidence, run, recurse);
  const limits = {
    turnMs: settings.sandbox.turnTimeout * 1_000,
    memoryMb: settings.sandbox.memory,
    calls: mostCalls,
    outputCharacters: room.output,
  };
  const sandbox = createSandbox({ source: store, limits, answer: calls.answer, seed: seedOf(question), signal });
  try {
    const coded = await takeTurns(question, { sandbox, calls, evidence, room }, run);
    const children = calls.children();
    const { answer } = coded;
    const concluded =
      answer === null
        ? await concludeCode(question, coded, evidence, children, run)
        : { ...answer, ...evidence.check(answer.answer, children), assumptions: [], error: null };
    if (coded.gaveUp !== '')
      run.events.warn(`the code ended early, and the question was answered from what it found: ${coded.gaveUp}`);
    return stepsDraft('repl', question, coded, children, concluded, evidence.passages(), run);
  } finally {
    sandbox.close();
    calls.close();
  }
}
