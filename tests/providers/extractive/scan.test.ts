import { describe, expect, it } from 'vitest';
import { scanPassages } from '../../../src/providers/extractive/prompts.ts';
import type { Passage } from '../../../src/state.ts';

function passage(text: string, number = 1, source = 'app.log'): Passage {
  const place = { startLine: 1, endLine: 9, startByte: 0, endByte: Buffer.byteLength(text) };
  return { id: `P${number}`, source, ...place, text, score: 0, hash: '' };
}

const scan = (question: string, ...texts: string[]) =>
  scanPassages({
    question,
    passages: texts.map((text, index) => passage(text, index + 1)),
    most: 12,
    isNumbered: false,
  });

const log = [
  '02:14 ERROR pool exhausted, 3 callers wait',
  '02:15 INFO pool has 4 connections',
  '02:16 ERROR pool exhausted, 5 callers wait',
  '02:17 INFO request done',
].join('\n');

describe('the extractive provider scans a piece of the text', () => {
  it('for every sentence with most words of the question, without counting', () => {
    const { findings, asksFor, more } = scan('Where was the pool exhausted?', log, log);
    expect([asksFor, more]).toEqual(['list', 'no']);
    expect(findings.map(({ passage: id, quote }) => [id, quote])).toEqual([
      ['P1', '02:14 ERROR pool exhausted, 3 callers wait'],
      ['P1', '02:16 ERROR pool exhausted, 5 callers wait'],
      ['P2', '02:14 ERROR pool exhausted, 3 callers wait'],
      ['P2', '02:16 ERROR pool exhausted, 5 callers wait'],
    ]);
  });

  it('and finds nothing if only one of the words occurs', () => {
    expect(scan('How many times was the pool exhausted?', '02:15 pool has 4 connections\n').findings).toEqual([]);
    expect(scan('How often did Vienna pay?', 'Berlin did pay twice.\n').findings).toEqual([]);
  });
});
