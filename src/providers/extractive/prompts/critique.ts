import { readOrderQuestion } from '../../../context/order/order-question.ts';
import type { Reply, Variables } from '../../../prompts/index.ts';
import type { Passage } from '../../../state.ts';
import { splitAtMost } from '../question/clauses.ts';
import { knownFrom } from '../question/known.ts';
import { questionNotFound, saysNotFound, shorten } from '../question/not-found.ts';
import { readQuery } from '../question/query.ts';
import type { Candidate } from '../ranking/candidate.ts';
import type { MatchFeatures } from '../ranking/features.ts';
import { selectInTime } from '../ranking/in-time.ts';
import { rankSentences } from '../ranking/rank.ts';
import { matchOf } from '../ranking/weights.ts';
import { quoteSentence } from '../sentences/quote.ts';
import { indexSentences, type SentenceIndex } from '../sentences/sentence-index.ts';
import { createTextIndex } from '../sentences/text-index.ts';

interface Judged {
  readonly question: string;
  /** Probability that the first matching quoted sentence answers it, 0–1. */
  readonly match: number;
  /** Words of the question that neither the answer nor the evidence contains. */
  readonly missing: readonly string[];
}

const mostClauses = 8;
/**
 * Returns the features of the quoted sentence that matches a question best, or of the answer's own words where it
 * quotes none; null where nothing matches.
 */
export function quotedMatch(question: string, answer: string, passages: readonly Passage[]): MatchFeatures | null {
  const query = readQuery(question);
  const words = new Set(query.terms.map(({ term }) => term));
  const said = { ...passages[0]!, id: '', source: '', score: 0, text: quotedWords(answer) };
  const index = indexSentences([...passages, said]);
  const ranked = rankSentences(query, index, knownFrom([]));
  const isOwn = ({ sentence }: Candidate): boolean => sentence.passage === said;
  const isQuoted = ({ index: number, also, sentence }: Candidate): boolean =>
    sentence.passage !== said &&
    [number, ...also].some((one) => answer.includes(quoteSentence(index.sentences[one]!, words).shown));
  return (ranked.find(isQuoted) ?? ranked.find(isOwn))?.matched ?? null;
}

/** Probability that an answer by the order of time is right, measured on labelled questions. */
const inTime = 0.6;

function judge(question: string, answer: string, passages: readonly Passage[], index: SentenceIndex): Judged {
  const query = readQuery(question);
  const matched = passages.length === 0 ? null : quotedMatch(question, answer, passages);
  const isTimed = readOrderQuestion(question) !== null && selectInTime(question, query, index) !== null;
  const said = createTextIndex([quotedWords(answer)]);
  const missing = query.terms
    .filter(({ term, soft }) => !soft && index.own.find(term).size === 0 && said.find(term).size === 0)
    .map(({ word }) => word);
  return { question, match: Math.max(isTimed ? inTime : 0, matched === null ? 0 : matchOf(matched)), missing };
}

function quotedWords(answer: string): string {
  const lines = answer.split('\n').filter((line) => !saysNotFound(line) && !/[?？]\s*$/.test(line));
  return lines.join('\n').replace(/\[P?\d+\]/g, ' ');
}

function gapsOf(clauses: readonly Judged[], unanswered: readonly string[]): string[] {
  const missing = [...new Set(clauses.flatMap((clause) => clause.missing))].slice(0, 12);
  const gaps = [...new Set(unanswered.map(shorten))].map((question) => `no evidence for: ${question}`);
  if (missing.length > 0) gaps.push(`not in the evidence: ${missing.join(', ')}`);
  return gaps;
}

function isCited(answer: string): boolean {
  return /\[P?\d+\]/.test(answer);
}

/**
 * Scores an answer by the probability that its matches answer: the mean over the questions of the task, 0 for one
 * without an answer.
 */
export function critiqueAnswer(variables: Variables<'critic'>): Reply<'critic'> {
  const { task, answer, passages } = variables;
  const index = indexSentences(passages);
  const notAnswered = answer.split('\n').flatMap((line) => questionNotFound(line) ?? []);
  const unanswered = [...new Set([...variables.unanswered, ...notAnswered])];
  const clauses = splitAtMost(task, mostClauses).map(({ question }) => judge(question, answer, passages, index));
  const left = Math.max(0, 1 - unanswered.length / Math.max(clauses.length, unanswered.length));
  const mean = clauses.reduce((sum, { match }) => sum + match, 0) / clauses.length;
  const score = isCited(answer) ? Math.round(100 * Math.min(mean, left)) : 0;
  const open = `${Math.min(unanswered.length, clauses.length)} of ${clauses.length} questions have no answer`;
  return {
    confidenceScore: score,
    gaps: gapsOf(clauses, unanswered),
    verdicts: [],
    conflicts: [],
    reasoning: `Of sentences that match a question as well as the quoted ones, about ${score} of 100 held the answer; ${open}.`,
  };
}
