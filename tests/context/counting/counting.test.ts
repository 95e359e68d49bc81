import { describe, expect, it } from 'vitest';
import { countLines } from '../../../src/context/counting/count-lines.ts';
import { readCounting, readCountTokens } from '../../../src/context/counting/readings.ts';
import { createContextStore } from '../../../src/context/store/store.ts';

const store = (texts: Readonly<Record<string, string>>) =>
  createContextStore(Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })));

/** How many lines each reading of the question counts. */
async function counts(question: string, texts: Readonly<Record<string, string>>): Promise<number[]> {
  const asked = readCounting(question, Object.keys(texts))!;
  const { signal } = new AbortController();
  const found = asked.readings.map((one) => countLines(store(texts), one, asked.documents, signal));
  return (await Promise.all(found)).map(({ lines }) => lines);
}

const patterns = (question: string) => readCounting(question, [])!.readings[0]!.criteria.map(({ find }) => find);

describe('a question that asks to count lines', () => {
  it.each([
    ['How many WARN lines are there?', ['\\bWARN\\b']],
    ['How often does `a.b(c)` occur?', ['\\ba\\.b\\(c\\)']],
    ['How many times does “needle one” appear?', ['\\bneedle one\\b']],
    ['How many lines contain user_id?', ['\\buser_id\\b']],
    ['How many 503 responses did it return?', ['\\b503\\b', 'respon', 'retur']],
    ['HOW MANY CRASHES WERE THERE?', ['cras']],
    ['How many order uploads failed?', ['orde', 'uploa', 'fai']],
    ['How many requests did the gateway reject?', ['reques', 'gatewa', 'rejec']],
  ])('%s has a rule', (question, expected) => {
    expect(patterns(question)).toEqual(expected);
  });

  it.each([
    'How many connections did the pool have?',
    'How many errors were there by service?',
    'How many different users are there?',
    'How many requests took longer than 2 s?',
    'How many errors were there, and why did they happen?',
    'How many lines are there?',
    'What does WARN mean?',
  ])('is not: %s', (question) => {
    expect(readCounting(question, [])).toBeNull();
  });

  it('is exact where only tokens and log levels are asked for', () => {
    const isExact = (question: string) => readCounting(question, [])!.isExact;
    expect(isExact('How many WARN lines are there?')).toBe(true);
    expect(isExact('How many errors are there?')).toBe(true);
    expect(isExact('How many times did the pool fail?')).toBe(false);
  });

  it('is read by its tokens alone where the rest cannot be found', () => {
    const { readings } = readCountTokens('How many WARN lines are there before 14:00?', [])!;
    expect(readings.map(({ criteria }) => criteria.map(({ find }) => find))).toEqual([['\\bWARN\\b'], ['WARN']]);
    expect(readCountTokens('Which lines say WARN?', [])).toBeNull();
  });
});

describe('a count within times of day', () => {
  const log = ['12:59:58 INFO a', '13:00:00 WARN b', '13:10:00 WARN c', '14:00:00 WARN d'];
  const texts = { 'a.log': `${log.map((line) => `2026-03-17 ${line}`).join('\n')}\n` };

  it.each([
    ['How many WARN lines are there before 14:00?', 2],
    ['How many lines were written before 13:00, all three logs together?', 1],
    ['How many WARN lines are there between 13:00 and 13:10?', 1],
    ['How many WARN lines after 13:05?', 2],
  ])('%s', async (question, lines) => {
    expect((await counts(question, texts))[0]).toBe(lines);
  });
});

describe('counting lines', () => {
  it('takes words in any form, and verbs with their particle together or apart', async () => {
    const log = 'pool timed out\npool timeout\nPoolTimeout\npools time out\na timeout\npool in time\n';
    expect((await counts('How often did the pool time out?', { 'a.log': log }))[0]).toBe(4);
  });

  it('takes log levels as logs write them', async () => {
    const log = 'a WARN b\nlevel=warn c\n{"level":"warning"}\n[warn] d\nwarning e\nFOREWARNED\n';
    expect((await counts('How many warnings are there?', { 'a.log': log }))[0]).toBe(4);
  });

  it('keeps to the documents that the question names', async () => {
    const texts = { 'logs/a.log': 'ERROR\nERROR\n', 'logs/b.log': 'ERROR\n' };
    expect((await counts('How many ERROR lines are in a.log?', texts))[0]).toBe(2);
  });

  it('counts words in logs only, as prose speaks about them', async () => {
    const log = '2026-01-01T00:00:00Z pool failed\n2026-01-01T00:00:01Z pool failed\n';
    const note = 'If the pool fails, restart it.\n';
    const question = 'How many times did the pool fail?';
    expect((await counts(question, { app: log, 'note.md': note }))[0]).toBe(2);
    expect((await counts(question, { 'note.md': note }))[0]).toBe(0);
  });

  it('counts every line of a long text, and the last one without an end', async () => {
    const log = `${'x INFO y\nx HIT y\n'.repeat(20_000)}HIT`;
    expect((await counts('How many HIT lines are there?', { 'a.log': log }))[0]).toBe(20_001);
  });
});

it('a word that a question names twice is one criterion', () => {
  const says = readCounting('How many apt-get lines name apt-get?', [])!.readings[0]!.criteria.map((one) => one.says);
  expect(new Set(says).size).toBe(says.length);
});
