import { createHash } from 'node:crypto';
import { type CheckedAnswer, checkCitations } from '../../evidence/citations.ts';
import { type KnownAnswer, renderKnown } from '../../prompts/prompt.ts';
import type { Run } from '../../run/run.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';
import type { TreeNode } from '../../state.ts';
import { answerAtOnce } from '../direct.ts';
import { conclude, stepsDraft, whyNoSteps } from '../steps.ts';
import { asKnown, type Draft, type Question, type Recurse, toldPassages } from '../strategy.ts';
import { tablesOf } from '../tool-world.ts';
import { createCodeCalls } from './code-calls.ts';
import { createEvidence, type Evidence } from './evidence.ts';
import { type Coded, replRoomFor, takeTurns } from './loop.ts';

/** Share of a prompt's room for printed output; the rest is for passages. */
const printedShare = 0.4;

/** Returns what the code printed: the newest outputs that fit, and always the last one. */
function printedIn({ steps }: Coded, room: number): readonly KnownAnswer[] {
  let left = room;
  const printed = steps.flatMap(({ number, calls }) =>
    calls
      .filter(({ outcome }) => outcome === 'done')
      .map(({ result }) => ({ question: `What did the code of turn ${number} print?`, answer: result })),
  );
  const first = printed.findLastIndex(({ answer }) => {
    left -= Buffer.byteLength(answer) + 100;
    return left < 0;
  });
  return printed.slice(Math.min(first + 1, Math.max(0, printed.length - 1)));
}

async function askToConclude(asked: Question, coded: Coded, evidence: Evidence, nodes: readonly TreeNode[], run: Run) {
  const { question, criteria, path, depth } = asked;
  const known = [...asked.known, ...nodes.map(asKnown), ...printedIn(coded, run.models.passageBytes() * printedShare)];
  const thoughts = coded.steps.map(({ thought }) => thought.slice(0, 300)).filter(Boolean);
  const taken = Buffer.byteLength(renderKnown(known)) + Buffer.byteLength(thoughts.join('\n'));
  const seen = evidence.passages();
  const passages = run.passages.fit([seen, seen.length === 0 ? (asked.passages ?? asked.inHand) : []], taken);
  const place = { path, share: depth === 0 ? 'kept' : 'ordinary', part: 'conclusion' } as const;
  const reply = await run.ask('conclude', { question, known, criteria, findings: [], thoughts, passages }, place);
  const named = checkCitations(reply.answer, reply.citations, [...passages, ...seen]);
  const checked = named.citations.length > 0 ? named : evidence.check(reply.answer, nodes);
  return { ...checked, assumptions: reply.assumptions, error: null };
}

function listFound(coded: Coded, evidence: Evidence, nodes: readonly TreeNode[]): CheckedAnswer | null {
  const answers = nodes.flatMap(({ question, answer }) => (answer === null ? [] : [`${question}\n${answer}`]));
  const found = [...answers, ...printedIn(coded, 0).map(({ answer }) => answer!)];
  return found.length === 0 ? null : evidence.check(found.join('\n\n'), nodes);
}

/** Maximum number of calls by the code in one turn, regardless of the budget. */
const mostCalls = 1_000;

/** Returns the seed of the sandbox's clock and random numbers, which is the same in a resumed run. */
const seedOf = ({ question, path }: Question): number =>
  createHash('sha256').update(`${path} ${question}`).digest().readUInt32BE(0) % 86_400_000;

/** Answers with code that explores the text. Throws RlmError if there is no answer at all. */
export async function solveWithCode(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const { settings } = run;
  const { store } = run.text;
  const { signal } = run.budget;
  const why = whyNoSteps('repl', store.chunkCount > 0, question.path, run);
  if (why !== null) return answerAtOnce(question, why, run);
  const room = replRoomFor(question, await tablesOf(run), run);
  if (room === null) {
    const tooLittle = 'the window has too little room to look into the text with code';
    run.events.warn('answered-directly', `${tooLittle}; the question is answered directly`);
    return answerAtOnce(question, tooLittle, run);
  }
  const evidence = createEvidence(run, room.shown, toldPassages(question));
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
    const ask = () => askToConclude(question, coded, evidence, children, run);
    const concluded =
      answer === null
        ? await conclude(coded.stopped, ask, () => listFound(coded, evidence, children), run)
        : { ...answer, ...evidence.check(answer.answer, children), assumptions: [], error: null };
    if (coded.gaveUp !== '')
      run.events.warn(
        'ended-early',
        `the code ended early, and the question was answered from what it found: ${coded.gaveUp}`,
      );
    return stepsDraft('repl', question, coded, children, concluded, evidence.passages(), run);
  } finally {
    sandbox.close();
    calls.close();
  }
}
