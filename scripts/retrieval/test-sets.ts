/**
 * Reads public test sets for retrieval. Each passage or abstract becomes a document: its title on the first line, then
 * its text.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '../../src/context/document.ts';

/** A query with its relevant documents. */
export interface TestQuery {
  readonly text: string;
  /** The names of relevant documents, with their relevance. */
  readonly relevant: ReadonlyMap<string, number>;
}

export interface TestSet<Q extends TestQuery = TestQuery> {
  readonly documents: readonly Document[];
  readonly queries: readonly Q[];
}

/** A question that needs several passages in sequence. */
export interface HopQuestion extends TestQuery {
  readonly answers: readonly string[];
  /** The gold decomposition; `#1` in a question stands for the answer to the first one. */
  readonly hops: readonly { readonly question: string; readonly answer: string }[];
}

/** Returns a name of letters that no query can match. */
const nameOf = (index: number): string =>
  `d${[...index.toString(10)].map((digit) => 'qwxzjkvpfy'[Number(digit)]).join('')}`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const documentOf = (index: number, title: string, text: string): Document => ({
  name: nameOf(index),
  bytes: Buffer.from(`${oneLine(title)}\n${text.trim()}\n`),
});

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function tagged(xml: string, tag: string): string {
  const inner = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(xml)?.[1] ?? '';
  return inner.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole).trim();
}

/** The judgements number the queries by their position in the file. */
async function readJudgements(path: string): Promise<Map<string, number>[]> {
  const judged: Map<string, number>[] = [];
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const [query, , document, grade] = line.trim().split(/\s+/).map(Number);
    if (query === undefined || document === undefined || !(grade! > 0)) continue;
    judged[query - 1] = (judged[query - 1] ?? new Map()).set(nameOf(document - 1), grade!);
  }
  return judged;
}

/** Reads Cranfield: 1,400 abstracts, 225 queries. Rejects like `readFile` if it is missing. */
export async function readCranfield(data: string): Promise<TestSet> {
  const folder = join(data, 'cranfield');
  const [abstracts, queries, judged] = await Promise.all([
    readFile(join(folder, 'cran.all.1400.xml'), 'utf8'),
    readFile(join(folder, 'cran.qry.xml'), 'utf8'),
    readJudgements(join(folder, 'cranqrel.trec.txt')),
  ]);
  const entries = abstracts.split('</doc>').filter((entry) => entry.includes('<docno>'));
  const asked = queries.split('</top>').filter((entry) => entry.includes('<title>'));
  return {
    documents: entries.map((entry, index) => documentOf(index, tagged(entry, 'title'), tagged(entry, 'text'))),
    queries: asked.map((entry, index) => ({
      text: oneLine(tagged(entry, 'title')),
      relevant: judged[index] ?? new Map(),
    })),
  };
}

interface MusiqueQuestion {
  readonly question: string;
  readonly answer: string;
  readonly answer_aliases: readonly string[];
  readonly question_decomposition: readonly { readonly question: string; readonly answer: string }[];
  readonly paragraphs: readonly { title: string; paragraph_text: string; is_supporting: boolean }[];
}

/** Reads MuSiQue: 100 questions of two to four hops over 1,890 passages. Rejects like `readFile` if it is missing. */
export async function readMusique(data: string): Promise<TestSet<HopQuestion>> {
  const read = async (name: string) => JSON.parse(await readFile(join(data, 'musique', name), 'utf8')) as unknown;
  const corpus = (await read('corpus.json')) as readonly { title: string; text: string }[];
  const questions = (await read('questions.json')) as readonly MusiqueQuestion[];
  const key = (title: string, text: string) => `${title}\n${text}`;
  const names = new Map(corpus.map(({ title, text }, index) => [key(title, text), nameOf(index)]));
  return {
    documents: corpus.map(({ title, text }, index) => documentOf(index, title, text)),
    queries: questions.map((asked) => ({
      text: asked.question,
      relevant: new Map(
        asked.paragraphs
          .filter(({ is_supporting }) => is_supporting)
          .map(({ title, paragraph_text }) => [names.get(key(title, paragraph_text))!, 1]),
      ),
      answers: [asked.answer, ...asked.answer_aliases],
      hops: asked.question_decomposition.map(({ question, answer }) => ({ question, answer })),
    })),
  };
}

interface SquadArticle {
  readonly title: string;
  readonly paragraphs: readonly {
    readonly text: string;
    readonly questions: readonly { readonly question: string; readonly answerable: boolean }[];
  }[];
}

/** The bench asks every n-th question of `squad2`. */
const squadStep = 4;

/** Reads SQuAD 2.0: questions that one of 301 paragraphs answers. Rejects like `readFile` if it is missing. */
export async function readSquad(data: string): Promise<TestSet> {
  const articles: SquadArticle[] = JSON.parse(await readFile(join(data, 'squad2', 'questions.json'), 'utf8'));
  const paragraphs = articles.flatMap(({ title, paragraphs }) => paragraphs.map((one) => ({ title, ...one })));
  const asked = paragraphs.flatMap(({ questions }, index) =>
    questions
      .filter(({ answerable }) => answerable)
      .map(({ question }) => ({ text: oneLine(question), relevant: new Map([[nameOf(index), 1]]) })),
  );
  return {
    documents: paragraphs.map(({ title, text }, index) => documentOf(index, title, text)),
    queries: asked.filter((_, index) => index % squadStep === 0),
  };
}
