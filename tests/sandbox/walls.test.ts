import { describe, expect, it } from 'vitest';
import { checkEscapes, checkExhaustion } from '../../scripts/walls/sandbox.ts';
import { readMessage } from '../../src/sandbox/from-worker.ts';
import { exhaustionPrograms } from './escapes/exhaustion.ts';
import { escapePrograms } from './escapes/programs.ts';

/** `npm run test:walls` runs all programs. */
const everyNth = 12;

describe('the walls of the sandbox', () => {
  it('hold against programs that try to escape', async () => {
    expect((await checkEscapes(everyNth)).breaches).toEqual([]);
  }, 60_000);

  it('hold against programs that use too much', async () => {
    const { breaches } = await checkExhaustion(6, 200);
    expect(breaches.filter((breach) => !breach.startsWith('took'))).toEqual([]);
  }, 60_000);

  it('are tried by enough programs', () => {
    expect(new Set(escapePrograms({ file: '/f', variable: 'V', port: 1 })).size).toBeGreaterThanOrEqual(200);
    expect(new Set(exhaustionPrograms).size).toBeGreaterThanOrEqual(50);
  });
});

describe('a message from the worker', () => {
  const call = {
    kind: 'call',
    id: 1,
    name: 'llm_query',
    args: ['a'],
    ranges: [{ document: 0, startByte: 0, endByte: 5 }],
  };

  const done = { kind: 'done', output: 'a', printed: 1, error: null, final: null, problems: '', variables: '' };

  it.each([
    call,
    { kind: 'ready' },
    { kind: 'read', range: { document: 0, startByte: 0, endByte: 1 }, slot: 0 },
    { ...done, final: { answer: 'b', tells: 'part', missing: ['Why?'] } },
    { kind: 'value', text: null },
  ])('is accepted unchanged: $kind', (message) => {
    expect(readMessage(message)).toBe(message);
  });

  it.each([
    null,
    1,
    'ready',
    [],
    [call],
    {},
    { kind: '__proto__' },
    { kind: 'constructor' },
    { kind: ['ready'] },
    { kind: 'ready', more: 1 },
    { ...call, id: -1 },
    { ...call, id: 0.5 },
    { ...call, id: Number.NaN },
    { ...call, id: '1' },
    { ...call, name: null },
    { ...call, args: 'a' },
    { ...call, args: [1] },
    { ...call, args: { length: 1, 0: 'a' } },
    { ...call, args: Array(20_000).fill('a') },
    { ...call, ranges: [{ document: 0, startByte: 0 }] },
    { ...call, ranges: [{ document: 0, startByte: 0, endByte: 2 ** 60 }] },
    { ...call, ranges: Array(2_000).fill(call.ranges[0]) },
    { ...done, output: 1 },
    { ...done, printed: -1 },
    { ...done, error: undefined },
    { ...done, problems: null },
    { ...done, variables: 1 },
    { ...done, final: 'b' },
    { ...done, final: { answer: 'b', tells: 'some', missing: [] } },
    { ...done, final: { answer: 'b', tells: null, missing: Array(21).fill('Why?') } },
    { ...done, final: { answer: 'b', tells: null, missing: [], more: 1 } },
    { kind: 'read', range: null, slot: 0 },
    { kind: 'value', text: { toString: () => 'a' } },
  ])('is refused if it is invalid: %j', (message) => {
    expect(readMessage(message)).toBeNull();
  });
});
