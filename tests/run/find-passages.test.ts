import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/layers.ts';
import { packageRoot } from '../../src/config/package-root.ts';
import { createContextStore } from '../../src/context/store.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical.ts';
import { createBudget } from '../../src/run/budget.ts';
import { createPassageFinder } from '../../src/run/find-passages.ts';

const { settings: shipped } = loadConfiguration({ cwd: packageRoot, env: { HOME: '/dev/null/nowhere' } });
const limits = { calls: 9, tokens: null, usd: null, wallTimeMs: 60_000, fetches: 9 };
const signal = new AbortController().signal;

function finder(passageBytes: number) {
  const bytes = Buffer.from('first apple\nthen a pear\nlast a plum\n');
  const store = createContextStore([{ name: 'a', bytes }], { chunkBytes: 12, overlapBytes: 12 });
  const settings = { ...shipped, context: { ...shipped.context, chunkTokens: 4, overlapTokens: 4 } };
  return createPassageFinder({
    store,
    retriever: createLexicalRetriever(store),
    rerank: null,
    settings,
    window: { tokens: 1_000, passageBytes, fits: true },
    budget: createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
    warn: () => {},
  });
}

const textsOf = (passages: readonly { readonly text: string }[]) => passages.map(({ text }) => text);

describe('the passages of a question', () => {
  it('are all of the text without overlap where it fits, and else the best with it', async () => {
    const passages = finder(1_000);
    const whole = await passages.find('pear', 0, '0', signal);
    expect(textsOf(whole)).toEqual(['first apple\n', 'then a pear\n', 'last a plum\n']);
    expect(textsOf(await passages.find('pear', 900, '0', signal))).toEqual(['first apple\nthen a pear\n']);
  });

  it('are remembered with the most that was shown of them', async () => {
    const passages = finder(1_000);
    await passages.find('pear', 900, '0', signal);
    await passages.find('pear', 0, '0', signal);
    expect(textsOf(passages.given(['P2', 'P3']))).toEqual(['first apple\nthen a pear\n', 'last a plum\n']);
  });

  it('need room for a chunk and what is shown before it', async () => {
    await expect(finder(23).find('pear', 0, '0', signal)).rejects.toMatchObject({ code: 'prompt-too-long' });
    expect(textsOf(await finder(24).find('pear', 0, '0', signal))).toEqual(['first apple\nthen a pear\n']);
  });
});
