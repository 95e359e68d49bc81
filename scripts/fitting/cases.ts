/** Reads public questions, with the passages that the lexical retriever finds for them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContextStore } from '../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Query } from '../../src/retrievers/retriever.ts';
import type { Passage } from '../../src/state.ts';
import { searchTwice } from '../retrieval/search-twice.ts';

export interface Article {
  readonly title: string;
  readonly paragraphs: readonly { readonly text: string; readonly questions: readonly ArticleQuestion[] }[];
}

interface ArticleQuestion {
  readonly question: string;
  readonly answerable: boolean;
  readonly answers: readonly { readonly text: string; readonly start: number }[];
}

/** A question, and the passages found for it. */
export interface Case {
  readonly question: string;
  /** Each of these is right; empty if the text does not answer the question. */
  readonly answers: readonly string[];
  /** The answer with the text around it, to distinguish it from the same words elsewhere; null if unknown. */
  readonly spot: string | null;
  readonly passages: readonly Passage[];
}

interface Asked extends Omit<Case, 'passages'> {
  readonly article: Article;
}

interface Document {
  readonly name: string;
  readonly text: string;
}

const passagesRead = 8;
const chunkBytes = 1500;
const around = 20;

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Reads articles of `squad2`: every other one is used for the fit, the rest is held out. */
export function readArticles(data: string, half: 'fitted' | 'held out'): Article[] {
  const all: Article[] = read(join(data, 'squad2/questions.json'));
  return all.filter((_, place) => (place % 2 === 0) === (half === 'fitted'));
}

const documentOf = ({ title, paragraphs }: Article): Document => ({
  name: `${title}.txt`,
  text: paragraphs.map(({ text }) => text).join('\n\n'),
});

/** Returns a search over documents, like the search of `ask`. */
function searchOver(documents: readonly Document[]): (question: string) => Promise<readonly Passage[]> {
  const stored = documents.map(({ name, text }) => ({ name, bytes: Buffer.from(text) }));
  const retriever = createLexicalRetriever(createContextStore(stored, { chunkBytes }));
  const find = (query: Query) => retriever.retrieve(query, new AbortController().signal);
  return (text) => searchTwice(find, { text, limit: passagesRead, maxBytes: 1e9 });
}

function questionsOf(articles: readonly Article[]): Asked[] {
  return articles.flatMap((article) =>
    article.paragraphs.flatMap(({ text, questions }) =>
      questions.map(({ question, answerable, answers }) => {
        const [first] = answerable ? answers : [];
        const spot = first
          ? text.slice(Math.max(0, first.start - around), first.start + first.text.length + around)
          : null;
        return { article, question, answers: answerable ? answers.map((answer) => answer.text) : [], spot };
      }),
    ),
  );
}

/** Returns the questions of all articles, asked about all articles together. About half of them have no answer. */
export async function casesOf(articles: readonly Article[], all: readonly Article[]): Promise<Case[]> {
  const search = searchOver(all.map(documentOf));
  return Promise.all(
    questionsOf(articles).map(async (asked) => ({ ...asked, passages: await search(asked.question) })),
  );
}

/** Returns the answerable questions, asked about the other articles. */
export async function strayCases(articles: readonly Article[]): Promise<Case[]> {
  const asked = questionsOf(articles).filter(({ answers }) => answers.length > 0);
  const searches = new Map(
    articles.map((own) => [own, searchOver(articles.filter((other) => other !== own).map(documentOf))]),
  );
  return Promise.all(
    asked.map(async ({ question, article }) => {
      return { question, answers: [], spot: null, passages: await searches.get(article)!(question) };
    }),
  );
}

/** Reads MuSiQue: questions that need two to four passages, and the texts of all passages. */
export async function readMusique(data: string): Promise<{ cases: Case[]; texts: string[] }> {
  const corpus: { title: string; text: string }[] = read(join(data, 'musique/corpus.json'));
  const questions: { question: string; answer: string; answer_aliases?: string[] }[] = read(
    join(data, 'musique/questions.json'),
  );
  const search = searchOver(
    corpus.map(({ title, text }, place) => ({
      name: `${title.replace(/[\\/]/g, ' ')} ${place}`,
      text: `${title}\n\n${text}\n`,
    })),
  );
  const cases = questions.map(async ({ question, answer, answer_aliases: aliases = [] }) => {
    return { question, answers: [answer, ...aliases], spot: null, passages: await search(question) };
  });
  return { cases: await Promise.all(cases), texts: corpus.map(({ title, text }) => `${title}: ${text}`) };
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ');

/** Whether a text contains one of the answers. */
export const holds = (text: string, answers: readonly string[]): boolean =>
  answers.some((answer) => plain(text).includes(plain(answer)));
