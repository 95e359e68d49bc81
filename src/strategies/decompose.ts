import { plainWords } from '../context/words/same-question.ts';
import { isForgivable, RlmError } from '../errors.ts';
import { carryCitations, checkCitations } from '../evidence/citations.ts';
import { citeClaims } from '../evidence/claims/cite-claims.ts';
import { completenessOf } from '../prompts/answer.ts';
import type { Run } from '../run/run.ts';
import type { Passage, SubQuestion, TreeNode } from '../state.ts';
import { answerAtOnce } from './direct.ts';
import { allotmentLeft, asKnown, budgetLeft, type Draft, draftBy, type Question, type Recurse } from './strategy.ts';

/** Removes parts that repeat the question or an earlier part, and renumbers the needs of the remaining parts. */
export function distinctParts(question: string, parts: readonly SubQuestion[]): readonly SubQuestion[] {
  const kept: SubQuestion[] = [];
  /** New number of a part, by its words; null for the question itself. */
  const byWords = new Map<string, number | null>([[plainWords(question), null]]);
  const numbers = parts.map(({ question: part, needs }) => {
    const words = plainWords(part);
    if (!byWords.has(words)) {
      byWords.set(words, kept.length + 1);
      kept.push({ question: part, needs });
    }
    return byWords.get(words)!;
  });
  return kept.map(({ question: part, needs }, place) => {
    const renumbered = needs.flatMap((need) => numbers[need - 1] ?? []);
    return { question: part, needs: [...new Set(renumbered)].filter((need) => need <= place) };
  });
}

const passagesOf = ({ passages, children }: TreeNode): string[] => [
  ...passages.map(({ id }) => id),
  ...children.flatMap(passagesOf),
];

function inHandFor({ passages, inHand }: Question, needed: readonly TreeNode[], run: Run): readonly Passage[] {
  const ids = [...(passages ?? inHand).map(({ id }) => id), ...needed.flatMap(passagesOf)];
  return run.passages.byId([...new Set(ids)]);
}

const mostParts = 5;

/** Fewest parts of a split question. A single part would ask the question again, one level deeper. */
const fewestParts = 2;

const inTurn = (questions: readonly string[]): readonly SubQuestion[] =>
  questions.map((question, index) => ({ question, needs: Array.from({ length: index }, (_, before) => before + 1) }));

/** Returns the parts, or why the question cannot be split. */
async function split(question: Question, run: Run): Promise<readonly SubQuestion[] | string> {
  if (question.parts.length >= fewestParts) return question.parts;
  if (question.earlierStep !== null && question.earlierStep.missing.length > 0)
    return inTurn(question.earlierStep.missing);
  const variables = { question: question.question, known: question.known, budget: budgetLeft(question, run) };
  try {
    const { subQuestions } = await run.ask('decompose', variables, { path: question.path, share: 'ordinary' });
    const parts = distinctParts(question.question, subQuestions);
    return parts.length >= fewestParts ? parts : 'it has no parts that can be asked separately';
  } catch (error) {
    if (!isForgivable(error)) throw error;
    return error.message;
  }
}

function answerParts(parts: readonly SubQuestion[], whole: Question, run: Run, recurse: Recurse): Promise<TreeNode[]> {
  const { path, known } = whole;
  // One call is kept for composing the answers; at the root, that call comes from the reserve.
  const left = allotmentLeft(whole, run) - (whole.depth === 0 ? 0 : 1);
  const allotment = Math.max(1, Math.floor(left / parts.length));
  const nodes: Promise<TreeNode>[] = [];
  for (const [index, { question, needs }] of parts.entries()) {
    const needed = Promise.all(needs.map((need) => nodes[need - 1]!));
    nodes.push(
      needed.then((earlier) =>
        recurse({
          question,
          path: `${path}.${index + 1}`,
          known: [...known, ...earlier.map(asKnown)],
          inHand: inHandFor(whole, earlier, run),
          allotment,
        }),
      ),
    );
  }
  return Promise.all(nodes);
}

function citedBefore({ question, earlierStep }: Question) {
  if (earlierStep === null || earlierStep.answer === null) return [];
  const cited = earlierStep.shown.map(({ id: passage }) => ({ passage, quote: null }));
  return [{ question, citations: checkCitations(earlierStep.answer, cited, earlierStep.shown).citations }];
}

async function composeParts(question: Question, children: readonly TreeNode[], run: Run): Promise<Draft> {
  const assumed = children.flatMap(({ assumptions }) => assumptions);
  const unanswered = children.find(({ status }) => status !== 'answered')?.error ?? null;
  const before = question.earlierStep?.answer ?? null;
  const known = before === null ? [] : [{ question: question.question, answer: before }];
  const parts = [...known, ...children.map(asKnown)];
  const variables = { question: question.question, parts, criteria: question.criteria };
  const share = question.depth === 0 ? 'kept' : 'ordinary';
  try {
    const reply = await run.ask('compose', variables, { path: question.path, share });
    const cited = [...citedBefore(question), ...children];
    const carried = carryCitations(reply.finalAnswer, cited);
    const read = run.passages.byId([...new Set(children.flatMap(passagesOf))]);
    const { answer, citations, problems } = citeClaims(carried, question.question, read);
    for (const problem of problems) run.events.warn('evidence', problem);
    const assumptions = [...new Set([...assumed, ...reply.assumptions])];
    return draftBy('decompose', {
      answer,
      ...completenessOf(reply),
      citations,
      assumptions,
      children,
      error: unanswered,
    });
  } catch (thrown) {
    if (!(thrown instanceof RlmError)) throw thrown;
    const answered = children.filter(({ answer }) => answer !== null);
    const list = answered.map((child) => `${child.question}\n${child.answer}`).join('\n\n');
    const { answer, citations } = carryCitations(list, children);
    const error = unanswered ?? thrown.toInfo();
    return draftBy('decompose', { answer, tells: 'part', citations, assumptions: assumed, children, error });
  }
}

/** Splits a question into parts, answers each as a question of its own, and composes one answer. */
export async function decompose(question: Question, run: Run, recurse: Recurse): Promise<Draft> {
  const most = Math.min(mostParts, run.settings.budget.maxPerIteration);
  const all = most < fewestParts ? 'budget.maxPerIteration is less than two' : await split(question, run);
  if (typeof all === 'string') {
    if (question.earlierStep === null)
      run.events.warn('answered-directly', `"${question.question}" is answered directly: ${all}`);
    return answerAtOnce(question, `it could not be split: ${all}`, run);
  }
  const parts = all.slice(0, most);
  for (const { question: dropped } of all.slice(most)) {
    run.events.warn('left-out', `a question has at most ${most} parts; "${dropped}" was not asked`);
  }
  const children = await answerParts(parts, question, run, recurse);
  const isAnswered = children.some(({ answer }) => answer !== null);
  if (isAnswered) return composeParts(question, children, run);
  return draftBy('decompose', { status: 'unanswered', children, error: children[0]!.error });
}
