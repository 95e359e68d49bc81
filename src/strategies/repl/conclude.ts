import { type CheckedAnswer, checkCitations } from '../../evidence/citations.ts';
import { type KnownAnswer, renderKnown } from '../../prompts/prompt.ts';
import type { Run } from '../../run/run.ts';
import type { TreeNode } from '../../state.ts';
import { type Concluded, conclude } from '../steps.ts';
import { asKnown, type Question } from '../strategy.ts';
import type { Evidence } from './evidence.ts';
import type { Coded } from './loop.ts';

/** Share of a prompt's room for printed output; the rest is for passages. */
const printedShare = 0.4;

/** Returns what the code printed: as much of the newest as fits, and always the last output. */
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

/** Lists the results as the answer, for when no call can be made; null when there are none. */
function listFound(coded: Coded, evidence: Evidence, nodes: readonly TreeNode[]): CheckedAnswer | null {
  const answers = nodes.flatMap(({ question, answer }) => (answer === null ? [] : [`${question}\n${answer}`]));
  const found = [...answers, ...printedIn(coded, 0).map(({ answer }) => answer!)];
  return found.length === 0 ? null : evidence.check(found.join('\n\n'), nodes);
}

/** Answers from the code's results in one last call, or lists them. Throws RlmError when nothing was found. */
export const concludeCode = (
  asked: Question,
  coded: Coded,
  evidence: Evidence,
  nodes: readonly TreeNode[],
  run: Run,
): Promise<Concluded> =>
  conclude(
    coded.stopped,
    () => askToConclude(asked, coded, evidence, nodes, run),
    () => listFound(coded, evidence, nodes),
    run,
  );
