import type { Reply, Variables } from '../../../prompts/index.ts';
import { splitAtMost } from '../question/clauses.ts';
import { questionNotFound, saysNotFound, shorten } from '../question/not-found.ts';
import { readQuery } from '../question/query.ts';
import { rarity } from '../sentences/match.ts';
import { createTextIndex, type TextIndex } from '../sentences/text-index.ts';

interface Covered {
  readonly question: string;
  readonly share: number;
  /** Words of the question that neither the answer nor the evidence has. */
  readonly missing: readonly string[];
}

const mostClauses = 8;
const inEvidenceOnly = 0.4;
const enough = 0.34;
// A count of words cannot know that an answer is right.
const highest = 85;
const highestUncited = 20;
const onlyFound =
  'First and last are meant among the passages that search found: there may be earlier or later ones in the rest of the text.';
const notUnderstood =
  'The words were matched, not understood: whether the quoted sentences answer the question is for the reader to judge.';

function coverClause(question: string, answer: TextIndex, evidence: TextIndex): Covered {
  const words = readQuery(question)
    .terms.filter(({ soft }) => !soft)
    .map(({ term, word, weight }) => {
      const found = evidence.find(term);
      const said = answer.find(term).get(0) ?? 0;
      return {
        word,
        weight: weight * rarity(found.size, evidence.size),
        had: Math.max(said, found.size > 0 ? inEvidenceOnly : 0),
      };
    });
  // A question that names nothing, such as "Summarize this", has no words to tell by.
  const total = words.reduce((sum, word) => sum + word.weight, 0);
  const had = words.reduce((sum, word) => sum + word.weight * word.had, 0);
  const missing = words.filter((word) => word.had === 0).map(({ word }) => word);
  return { question, share: total === 0 ? 0.5 : had / total, missing };
}

function quotedWords(answer: string): string {
  const lines = answer.split('\n').filter((line) => !saysNotFound(line) && !/[?？]\s*$/.test(line));
  return lines.join('\n').replace(/\[P?\d+\]/g, ' ');
}

function gapsOf(clauses: readonly Covered[], unanswered: readonly string[]): string[] {
  const thin = clauses.filter((clause) => clause.share < enough).map((clause) => shorten(clause.question));
  const missing = [...new Set(clauses.flatMap((clause) => clause.missing))].slice(0, 12);
  const gaps = [...new Set([...unanswered.map(shorten), ...thin])].map((question) => `no evidence for: ${question}`);
  if (missing.length > 0) gaps.push(`not in the evidence: ${missing.join(', ')}`);
  return gaps;
}

function asksForExtreme(task: string): boolean {
  const { intents } = readQuery(task);
  return intents.has('first') || intents.has('last');
}

function isCited(answer: string): boolean {
  return /\[P?\d+\]/.test(answer);
}

/** Scores an answer by the share of the task's words that it and its evidence have. */
export function critiqueAnswer(variables: Variables<'critic'>): Reply<'critic'> {
  const { task, answer, passages } = variables;
  const said = createTextIndex([quotedWords(answer)]);
  const evidence = createTextIndex(passages.map((passage) => passage.text));
  const clauses = splitAtMost(task, mostClauses).map((clause) => coverClause(clause.question, said, evidence));
  const notAnswered = answer.split('\n').flatMap((line) => questionNotFound(line) ?? []);
  const unanswered = [...new Set([...variables.unanswered, ...notAnswered])];
  const mean = clauses.reduce((sum, clause) => sum + clause.share, 0) / clauses.length;
  const left = Math.max(0, 1 - unanswered.length / Math.max(clauses.length, unanswered.length));
  const score = Math.round(Math.min(isCited(answer) ? highest : highestUncited, highest * mean * left));
  return {
    confidenceScore: score,
    gaps: gapsOf(clauses, unanswered),
    uncertainties: isCited(answer) ? [notUnderstood, ...(asksForExtreme(task) ? [onlyFound] : [])] : [],
    reasoning: `The answer and its evidence have ${Math.round(mean * 100)} % of the question's words, weighted by rarity; ${clauses.length === 1 ? (unanswered.length === 0 ? 'the question has an answer' : 'the question has no answer') : `${Math.min(unanswered.length, clauses.length)} of ${clauses.length} parts have no answer`}.`,
  };
}
