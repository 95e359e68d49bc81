import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../../src/retrievers/lexical/retriever.ts';
import type { Query } from '../../../src/retrievers/retriever.ts';
import { followUpQueries, searchAgain } from '../../../src/run/text/find-passages.ts';

const { signal } = new AbortController();
const texts = [
  'The film Harbour Lights was directed by Anna Berg in 1987.',
  'Anna Berg lived in Tromso, where she married the painter Ole Dahl.',
  'The film Northern Nights tells of a harbour and its lights.',
  'A painter of the town married his teacher.',
];
const store = createContextStore(texts.map((text, place) => ({ name: `d${place}`, bytes: Buffer.from(text) })));
const retriever = createLexicalRetriever(store);
const find = (query: Query) => retriever.retrieve(query, signal);
const query = (text: string, limit = 1) => ({ text, limit, maxBytes: 10_000 });

async function again(question: string, mayAsk = () => true) {
  const asked: Query[] = [];
  const found = await find(query(question));
  const noting = (one: Query) => {
    asked.push(one);
    return find(one);
  };
  return { found, asked, groups: await searchAgain(noting, query(question), found, mayAsk) };
}

const spouse = 'Which spouse was married to the one who directed Harbour Lights?';

describe('a second search', () => {
  it('searches for the missing words and for the names in the found passages', async () => {
    const { found, asked, groups } = await again(spouse);
    expect(found.map(({ source }) => source)).toEqual(['d0']);
    expect(asked).toMatchObject([
      { text: 'spouse married one spouse married one Anna Berg 1987', focus: spouse, byWords: true },
    ]);
    expect(groups[0]![0]!.source).toBe('d1');
  });

  it('adds new passages, with lower scores than the found ones', async () => {
    const { found, groups } = await again(spouse);
    expect(groups.flat().map(({ source }) => source)).not.toContain('d0');
    expect(Math.max(...groups.flat().map(({ score }) => score))).toBe(found.at(-1)!.score);
  });

  it('is not made if one passage has nearly all words of the question', async () => {
    expect((await again('Who directed the film Harbour Lights?')).asked).toEqual([]);
    expect((await again('Who painted the film Harbour Lights?')).asked).toEqual([]);
    expect(followUpQueries(spouse, [])).toEqual([]);
  });

  it('has no empty query for a passage that has all words of the question and no new names', () => {
    const [poor] = store.documents.map((_, index) => store.passageWithoutOverlap(store.chunk(index)));
    const full = { ...poor!, text: 'which spouse was married to the one who directed harbour lights' };
    expect(followUpQueries(spouse, [poor!, full])).toEqual(['spouse married one spouse married one Anna Berg 1987']);
  });

  it('uses the first line as the question, and stops if no search is left', async () => {
    const { asked } = await again(`${spouse}\nWhat else would be good to know of sailing`);
    expect(asked.map(({ text }) => text)).toEqual(['spouse married one spouse married one Anna Berg 1987']);
    expect((await again(spouse, () => false)).groups).toEqual([]);
  });
});
