import type { Reply, Variables } from '../../prompts/index.ts';
import type { Passage } from '../../state.ts';
import { questionNotFound, saysNotFound, shorten } from './answer.ts';
import { type MatchFeatures, matchOf } from './features.ts';
import { readQuery, splitAtMost } from './query.ts';
import { quoteSentence } from './quote.ts';
import { type Candidate, rankSentences } from './rank.ts';
import { indexSentences } from './sentence-index.ts';

const mostClauses = 8;
const mostMissing = 12;
const mark = /\[P?\d+\]/g;

/** Returns the lines of an answer that state something, without marks. */
const statementsOf = (answer: string): string =>
  answer
    .split('\n')
    .filter((line) => !saysNotFound(line) && !/[?？:]\s*$/.test(line))
    .join('\n')
    .replace(mark, ' ');

/** Returns the features of the best quoted sentence, else of the answer's own words; null where nothing matches. */
export function quotedMatch(question: string, answer: string, passages: readonly Passage[]): MatchFeatures | null {
  if (passages.length === 0) return null;
  const said = { ...passages[0]!, id: '', source: '', score: 0, text: statementsOf(answer) };
  const index = indexSentences([...passages, said]);
  const ranked = rankSentences(readQuery(question), index);
  const isOwn = ({ sentence }: Candidate): boolean => sentence.passage === said;
  const isQuoted = ({ index: number, also, sentence }: Candidate): boolean =>
    sentence.passage !== said &&
    [number, ...also].some((one) => answer.includes(quoteSentence(index.sentences[one]!).shown));
  return (ranked.find(isQuoted) ?? ranked.find(isOwn))?.matched ?? null;
}

/** Scores an answer by the mean probability, over the questions of the task, that its matches answer. */
export function critiqueAnswer({ task, answer, passages, unanswered }: Variables<'critic'>): Reply<'critic'> {
  const notAnswered = answer.split('\n').flatMap((line) => questionNotFound(line) ?? []);
  const open = [...new Set([...unanswered, ...notAnswered])];
  const clauses = splitAtMost(task, mostClauses).map(({ question }) => question);
  const matches = clauses.map((question) => {
    const matched = quotedMatch(question, answer, passages);
    return matched === null ? 0 : matchOf(matched);
  });
  const mean = matches.reduce((sum, match) => sum + match, 0) / clauses.length;
  const left = Math.max(0, 1 - open.length / Math.max(clauses.length, open.length));
  const score = answer.search(mark) >= 0 ? Math.round(100 * Math.min(mean, left)) : 0;
  const { own } = indexSentences([...passages, { ...passages[0]!, id: '', source: '', text: statementsOf(answer) }]);
  const missing = clauses
    .flatMap((question) => readQuery(question).terms)
    .filter(({ term, soft }) => !soft && own.find(term).size === 0)
    .map(({ word }) => word);
  return {
    confidenceScore: score,
    gaps: [
      ...open.map((question) => `no evidence for: ${shorten(question)}`),
      ...(missing.length > 0 ? [`not in the evidence: ${[...new Set(missing)].slice(0, mostMissing).join(', ')}`] : []),
    ],
    verdicts: [],
    conflicts: [],
    reasoning: `Of sentences that match a question as well as the quoted ones, about ${score} of 100 held the answer; ${Math.min(open.length, clauses.length)} of ${clauses.length} questions have no answer.`,
  };
}
