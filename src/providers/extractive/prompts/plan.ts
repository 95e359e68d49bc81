import type { Reply, Variables } from '../../../prompts/index.ts';
import { type Clause, splitAtMost } from '../question/clauses.ts';
import { shorten } from '../question/not-found.ts';
import { readQuery } from '../question/query.ts';
import { asksForAll } from './scan.ts';

const mostParts = 5;
const mostTerms = 24;

function termsOfInterest(question: string): string[] {
  const { terms } = readQuery(question);
  const hard = terms.filter((term) => !term.soft);
  const words = (hard.length > 0 ? hard : terms).map(({ word }) => word);
  return [...new Set(words)].slice(0, mostTerms);
}

/** Plans a task by its clauses. */
export function planTask({ task, approaches }: Variables<'planner'>): Reply<'planner'> {
  const clauses = splitAtMost(task, mostParts);
  const wanted = clauses.length > 1 ? 'decompose' : asksForAll(task) ? 'scan' : 'direct';
  return {
    taskDecomposition: clauses.map((clause) => `find the sentences that answer: ${shorten(clause.question)}`),
    keyQuestions: clauses,
    requiredInformation: termsOfInterest(task),
    successCriteria: clauses.map((clause) => `answers: ${shorten(clause.question)}`),
    approach: approaches.includes(wanted) ? wanted : 'direct',
  };
}

/** Assesses a question: COMPLEX when it has several clauses. */
export function assessQuestion({ question }: Variables<'assess'>): Reply<'assess'> {
  const { length } = splitAtMost(question, mostParts);
  return length > 1
    ? { verdict: 'COMPLEX', reason: `the question has ${length} clauses` }
    : { verdict: 'SIMPLE', reason: 'the question has one clause' };
}

/** Splits a question into its clauses. */
export function decomposeQuestion({ question }: Variables<'decompose'>): Reply<'decompose'> {
  const subQuestions: readonly Clause[] = splitAtMost(question, mostParts);
  return { subQuestions };
}
