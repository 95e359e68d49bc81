import { describe, expect, it } from 'vitest';
import { scanPassages } from '../../../src/providers/extractive/prompts/scan.ts';
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
  it('for every sentence about the question, each as a separate case', () => {
    const { findings, asksFor, more } = scan('How many times was the pool exhausted?', log, log);
    expect([asksFor, more]).toEqual(['count', 'no']);
    expect(findings.map(({ passage: id, quote }) => [id, quote])).toEqual([
      ['P1', '02:14 ERROR pool exhausted, 3 callers wait'],
      ['P1', '02:16 ERROR pool exhausted, 5 callers wait'],
      ['P2', '02:14 ERROR pool exhausted, 3 callers wait'],
      ['P2', '02:16 ERROR pool exhausted, 5 callers wait'],
    ]);
    expect(new Set(findings.map(({ key }) => key)).size).toBe(4);
  });

  it.each([
    ['an INFO line with error_rate=0.0', 'How many errors are there?', 0],
    ['a line that says that it failed', 'How many errors are there?', 0],
    ['an ERROR line', 'How many errors are there?', 1],
    ['error=PoolAcquireTimeout', 'How many timeouts are there?', 1],
    ['event=pool_exhausted id=7', 'How many times was the pool exhausted?', 1],
  ])('and counts what is called by the word that is asked for: %s', (line, question, count) => {
    expect(scan(question, `${line}\nanother line\nyet another\n`).findings).toHaveLength(count);
  });

  it('and leaves it to the words which ones of a list are the same', () => {
    const { findings, asksFor } = scan('List every error', log, log);
    expect(asksFor).toBe('list');
    expect(findings).toHaveLength(4);
    expect(new Set(findings.map(({ key }) => key))).toEqual(new Set(['']));
  });

  it('and finds nothing where only one of the words stands', () => {
    expect(scan('How many times was the pool exhausted?', '02:15 pool has 4 connections\n').findings).toEqual([]);
    expect(scan('How often did Vienna pay?', 'Berlin did pay twice.\n').findings).toEqual([]);
  });

  it('and says what it is about where nothing is named', () => {
    const prose = 'The ledger keeps what customers owe. It is closed each month. Nobody may change a closed month.\n';
    const { findings } = scan('Summarize the whole text', prose);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.length).toBeLessThanOrEqual(2);
    for (const { quote } of findings) expect(prose).toContain(quote);
  });
});
