/** The prompts besides the answer's: planning, splitting, scanning. */
import type { Reply, Variables } from '../../prompts/index.ts';
import type { Finding } from '../../prompts/reply/fields.ts';
import type { Passage } from '../../state.ts';
import { answerFromPassages, shorten } from './answer.ts';
import { above, matchTerms, share, shareOfNames } from './features.ts';
import { type ClauseQuery, readQuery, splitAtMost } from './query.ts';
import { quoteSentence } from './quote.ts';
import { indexSentences, type SentenceIndex } from './sentence-index.ts';

const mostParts = 5;

/** Whether a task asks for everything of a kind, which the best passages do not answer. */
const asksForAll = (task: string): boolean =>
  /^\W*(?:please )?(?:list|name|enumerate|find|show|give)(?: me)? (?:all|every|each)\b/i.test(task);

/** Plans a task by its clauses. */
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

/** Splits a question into its clauses. */
export const decomposeQuestion = ({ question }: Variables<'decompose'>): Reply<'decompose'> => ({
  subQuestions: splitAtMost(question, mostParts),
});

/** Share of the question's words that a sentence and its headings have to contain. */
const enough = 0.66;
const namesNeeded = 0.7;

/** Returns the sentences with most words of a clause, by index. */
function findAll(query: ClauseQuery, index: SentenceIndex): number[] {
  const matches = matchTerms(query, index).filter(({ soft }) => !soft);
  const names = matches.filter(({ name }) => name);
  const numbers = new Set(matches.flatMap(({ own }) => [...own.keys()]));
  return [...numbers].filter((number) => {
    const sentence = index.sentences[number]!;
    const said = share(matches, ({ own, around }) => Math.max(own.get(number) ?? 0, (around.get(number) ?? 0) * above));
    return sentence.kind !== 'heading' && said >= enough && shareOfNames(names, number, sentence) >= namesNeeded;
  });
}

const wholes = /\b(?:every|each|all|whole|entire)\b/gi;

/** Lists every sentence of a piece of the text that has most words of the question. It counts nothing. */
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

/** Answers what a text asks from the passages in it, or else from the text itself. */
export function answerQuery({ text }: Variables<'query'>): Reply<'query'> {
  const [question = '', ...rest] = text.split('\n');
  const found = passagesIn(text);
  const { answer } = answerFromPassages({
    question,
    passages: found.length > 0 ? found : [passageOf('P1', 'text', rest.join('\n'))],
  });
  return { reply: found.length > 0 ? answer : answer.replace(/\s*\[P1\]/g, '') };
}
