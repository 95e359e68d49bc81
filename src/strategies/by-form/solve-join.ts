/** Answers a question with a description: first what is described, then the question with its name. */
import { contentTerms } from '../../context/words/terms.ts';
import { carryCitations } from '../../evidence/citations.ts';
import { tellsNothing } from '../../evidence/claims/tells-nothing.ts';
import { rewriteMarks } from '../../evidence/marks.ts';
import { namesOf } from '../../evidence/support/names.ts';
import type { Run } from '../../run/run.ts';
import type { TreeNode } from '../../state.ts';
import { inHandFor } from '../decompose/parts.ts';
import { draftBy } from '../draft.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import type { Join } from './join.ts';

/** Characters of a name, at most; a longer answer is a sentence about what is described. */
const longestName = 60;
const mostWords = 6;

/**
 * Returns what an answer names: the whole of a short one, else the first name that its question lacks; null for none.
 */
export function namedIn(answer: string, question: string): string | null {
  const plain = rewriteMarks(answer, () => '')
    .split('\n')[0]!
    .trim()
    .replace(/[.\s]+$/, '');
  const isShort = plain.length <= longestName && plain.split(/\s+/).length <= mostWords;
  const asked = new Set(contentTerms(question));
  const fresh = namesOf(`It is ${plain}`).filter((name) => !contentTerms(name).some((term) => asked.has(term)));
  if (fresh.length > 0) return fresh[0]!;
  return isShort && plain !== '' && !/\b(?:is|are|was|were|the question)\b/i.test(plain) ? plain : null;
}

const isAnswered = ({ answer }: TreeNode): boolean => answer !== null && !tellsNothing(answer);

/** Returns the final answer, followed by the answer about the description. */
function draftFrom({ described }: Join, [inner, outer]: readonly [TreeNode, TreeNode]): Draft {
  const children = [inner, outer];
  const error = outer.error ?? inner.error;
  if (outer.answer === null) return draftBy('decompose', { status: 'unanswered', children, error });
  const onTheWay = `${described.charAt(0).toUpperCase()}${described.slice(1)}: ${inner.answer}`;
  const { answer, citations } = carryCitations(`${outer.answer}\n\n${onTheWay}`, children);
  const assumptions = [...new Set([...inner.assumptions, ...outer.assumptions])];
  return draftBy('decompose', { answer, citations, assumptions, children, error });
}

/** Asks both questions in turn; returns a draft without an answer where what is described is not found. */
export async function solveJoin(asked: Question, join: Join, run: Run, recurse: Recurse): Promise<Draft> {
  const { path, known, question } = asked;
  const allotment = Math.max(1, Math.floor(asked.allotment / 2));
  const ask = (text: string, place: number, earlier: readonly TreeNode[], more: typeof known) =>
    recurse({
      question: text,
      path: `${path}.${place}`,
      known: [...known, ...more],
      inHand: inHandFor(asked, earlier, run),
      allotment,
      isPlain: true,
    });
  const inner = await ask(join.inner, 1, [], []);
  if (!isAnswered(inner)) return draftBy('decompose', { status: 'unanswered', children: [inner], error: inner.error });
  const name = namedIn(inner.answer!, join.inner);
  const outer = await (name === null
    ? ask(question, 2, [inner], [{ question: join.inner, answer: inner.answer }])
    : ask(join.outer(name), 2, [inner], []));
  return draftFrom(join, [inner, outer]);
}
