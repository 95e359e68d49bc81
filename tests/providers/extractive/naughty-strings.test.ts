import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noQueries } from '../../../src/prompts/answer.ts';
import { createExtractiveProvider } from '../../../src/providers/extractive/provider.ts';

const file = new URL('../../../../shared/data/naughty-strings/blns.json', import.meta.url);

describe.skipIf(!existsSync(file))('strings that break programs (skipped without ../shared/data)', () => {
  it('do no harm as the question or as the text', async () => {
    const strings: string[] = JSON.parse(readFileSync(file, 'utf8'));
    const provider = createExtractiveProvider();
    const { signal } = new AbortController();
    const place = { source: 'a', startLine: 1, endLine: 1, startByte: 0, endByte: 0, score: 1, hash: '' };
    for (const text of strings) {
      const variables = {
        question: text,
        passages: [{ id: 'P1', text, ...place }],
        known: [],
        criteria: [],
        ...noQueries,
      };
      const options = {
        schema: null,
        tools: [],
        temperature: 0,
        seed: null,
        logprobs: false,
        reasoning: null,
        maxOutputTokens: 100,
        windowTokens: 1000,
        messages: [],
      };
      const reply = await provider.call({ input: { prompt: 'answer', variables }, ...options }, { signal });
      const { answer, citations } = JSON.parse(reply.text);
      expect(answer).not.toBe('');
      for (const { quote } of citations) expect(text.replace(/\s+/g, ' ')).toContain(quote);
    }
  });
});
