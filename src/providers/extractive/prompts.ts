import type { Reply, Variables } from '../../prompts/index.ts';
import type { Finding } from '../../prompts/reply/fields.ts';
import type { Passage } from '../../state.ts';
import { answerFromPassages, mostClauses, questionNotFound, saysNotFound, shorten } from './answer.ts';
import { above, type MatchFeatures, matchOf, matchTerms, share, shareOfNames } from './features.ts';
import { type ClauseQuery, readQuery, splitAtMost } from './query.ts';
import { quoteSentence } from './quote.ts';
import { type Candidate, isTableHead, rankSentences } from './rank.ts';
import { indexSentences, type SentenceIndex } from './sentence-index.ts';

const mostParts = 5;

/** Whether a task asks for everything of a kind. The best passages alone cannot answer such a task. */
const asksForAll = (task: string): boolean =>
  /^\W*(?:please )?(?:list|name|enumerate|find|show|give)(?: me)? (?:all|every|each)\b/i.test(task);

export function planTask({ task, approaches }: Variables<'planner'>): Reply<'planner'> {
  const clauses = splitAtMost(task, mostParts);
  const wanted = clauses.length > 1 ? 'decompose' : asksForAll(task) ? 'scan' : 'direct';
  const words = readQuery(task).terms.filter(({ soft }) => !soft);
  return {
    taskDecomposition: clauses.map((clause) => `find the sentences that answer: ${shorten(clause.question)}`),
    keyQuestions: clauses,
    requiredInformation: [...new Set(words.map(({ word }) => word))].slice(0, 24),
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

export const decomposeQuestion = ({ question }: Variables<'decompose'>): Reply<'decompose'> => ({
  subQuestions: splitAtMost(question, mostParts),
});

const enough = 0.66;
const namesNeeded = 0.7;

function findAll(query: ClauseQuery, index: SentenceIndex): number[] {
  const matches = matchTerms(query, index).filter(({ soft }) => !soft);
  const names = matches.filter(({ name }) => name);
  const numbers = new Set(matches.flatMap(({ own }) => [...own.keys()]));
  return [...numbers].filter((number) => {
    const sentence = index.sentences[number]!;
    if (isTableHead(sentence)) return false;
    const said = share(matches, ({ own, around }) => Math.max(own.get(number) ?? 0, (around.get(number) ?? 0) * above));
    return sentence.kind !== 'heading' && said >= enough && shareOfNames(names, number, sentence) >= namesNeeded;
  });
}

const wholes = /\b(?:every|each|all|whole|entire)\b/gi;

/** Lists the sentences, from all passages, that contain most words of the question. */
export function scanPassages({ question, passages }: Variables<'scan'>): Reply<'scan'> {
  const index = indexSentences(passages);
  const queries = splitAtMost(question.replace(wholes, ' '), mostParts).map((clause) => readQuery(clause.question));
  const numbers = [...new Set(queries.flatMap((query) => findAll(query, index)))].sort((a, b) => a - b);
  const findings = numbers.map((number): Finding => {
    const sentence = index.sentences[number]!;
    const { shown, quote } = quoteSentence(sentence);
    return { passage: sentence.passage.id, quote, key: '', finding: shown };
  });
  return { findings, lines: [], more: 'no', asksFor: 'list' };
}

const tagged =
  /<passage id="(P\d+)" source="([^"\n]*)" lines="(\d+)-(\d+)"(?: under="[^"\n]*")?>\n([\s\S]*?)\n<\/passage>/g;

const passageOf = (id: string, source: string, text: string, startLine = 1, endLine = 1): Passage => {
  return { id, source, startLine, endLine, startByte: 0, endByte: 0, text, score: 0, hash: '' };
};

const passagesIn = (text: string): Passage[] =>
  [...text.matchAll(tagged)].map(([, id, source, first, last, body]) =>
    passageOf(id!, source!, body!, Number(first), Number(last)),
  );

/** Answers the question in the first line of a text. Uses the passages in the text, or else all of its other lines. */
export function answerQuery({ text }: Variables<'query'>): Reply<'query'> {
  const [question = '', ...rest] = text.split('\n');
  const found = passagesIn(text);
  const { answer } = answerFromPassages({
    question,
    passages: found.length > 0 ? found : [passageOf('P1', 'text', rest.join('\n'))],
  });
  return { reply: found.length > 0 ? answer : answer.replace(/\s*\[P1\]/g, '') };
}

const mostMissing = 12;
const mark = /\[P?\d+\]/g;

const statementsOf = (answer: string): string =>
  answer
    .split('\n')
    .filter((line) => !saysNotFound(line) && !/[?？:]\s*$/.test(line))
    .join('\n')
    .replace(mark, ' ');

/** Returns the features of the best sentence that the answer quotes, or else of the best sentence in the answer. */
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

/** Scores an answer, 0–100. */
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
    reasoning: `Of 100 sentences that match a question as closely as the quoted sentences, about ${score} contain the answer; ${Math.min(open.length, clauses.length)} of ${clauses.length} questions have no answer.`,
  };
}
