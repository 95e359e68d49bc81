import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citeFields } from '../../../src/evidence/fields/cite-fields.ts';
import { writeJson } from '../../../src/evidence/fields/write-json.ts';
import { passagesOf } from '../../support/passages.ts';

const text = `# Pools

The pool of the orders service has 20 connections since 1 May 2026.
The pool of the billing service has 35 connections since 3 June 2026.
Jo Kern owns the billing service and reviews its limits each month, as the last outage has shown that this is needed.
`;

const cite = (value: unknown, choices: readonly string[] = []) =>
  citeFields(
    writeJson(value).leaves,
    { isChoice: (path) => choices.includes(path.join('.')), about: () => '' },
    'Which pools are there?',
    passagesOf(text),
  );

describe('the fields of a form', () => {
  it('are written as JSON, each with its place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { text: json, leaves } = writeJson(value);
        expect(json).toBe(JSON.stringify(value, null, 2));
        for (const leaf of leaves)
          expect(JSON.parse(json.slice(leaf.start, leaf.end))).toEqual(JSON.parse(JSON.stringify(leaf.value)));
      }),
    );
    expect(writeJson({ 'a/b': { '~': [1] } }).leaves[0]!.pointer).toBe('/a~1b/~0/0');
  });

  it('cite the sentence that has the value with the neighbouring values', () => {
    const { fieldCitations, claims, citations } = cite([
      { service: 'billing', connections: 35, since: '2026-06-03' },
      { service: 'orders', connections: 20, since: '2026-05-01' },
    ]);
    const lines = Object.entries(fieldCitations).map(([pointer, [first]]) => [pointer, first!.startLine]);
    expect(Object.fromEntries(lines)).toEqual({
      '/0/service': 4,
      '/0/connections': 4,
      '/0/since': 4,
      '/1/service': 3,
      '/1/connections': 3,
      '/1/since': 3,
    });
    expect(citations.map(({ number, startLine }) => [number, startLine])).toEqual([
      [1, 4],
      [2, 3],
    ]);
    expect(claims.every(({ verdict, reason }) => verdict === 'unchecked' && reason === null)).toBe(true);
  });

  it('cite only their own line, even in a text with bytes that are not UTF-8', () => {
    const [whole] = passagesOf('size �: 40\ntimeout: 5\n');
    const passage = { ...whole!, endByte: whole!.endByte - 2 };
    const { leaves } = writeJson({ size: 40, timeout: 5 });
    const { claims, fieldCitations } = citeFields(leaves, { isChoice: () => false, about: () => '' }, '', [passage]);
    expect(claims.map(({ citations }) => citations)).toEqual([[1], [2]]);
    expect(fieldCitations['/timeout']).toMatchObject([{ quote: 'timeout: 5' }]);
  });

  it('cite, of several lines with the same value, the one with words of the name, description or question', () => {
    const settings = 'readPool:\n  size: 40\n  timeout: 5\nwritePool:\n  size: 40\n  timeout: 5\n';
    const inFile = (form: object, about = '', question = '') =>
      citeFields(
        writeJson(form).leaves,
        { isChoice: () => false, about: () => about },
        question,
        passagesOf(settings, 10_000, 'pools.yaml'),
      ).citations.map(({ startLine, startByte }) => [startLine, startByte]);
    expect(inFile({ writePool: { size: 40 } })).toEqual([[5, settings.lastIndexOf('size')]]);
    expect(inFile({ readPool: { timeout: 5 } })).toEqual([[3, settings.indexOf('timeout')]]);
    expect(inFile({ n: 40 }, 'size of the write pool')).toEqual([[5, settings.lastIndexOf('size')]]);
    expect(inFile({ n: 40 }, '', 'What is the size in writePool?')).toEqual([[5, settings.lastIndexOf('size')]]);
  });

  it('are named if their value occurs nowhere, except choices and switches; none is judged', () => {
    const { claims, fieldCitations } = cite(
      { connections: 50, owner: 'Ada Byron', risk: 'high', isShared: false, none: null },
      ['risk'],
    );
    expect(claims.map(({ text, verdict, support, reason }) => [text, verdict, support, reason])).toEqual([
      ['connections: 50', 'unchecked', null, 'the passages do not contain 50'],
      ['owner: Ada Byron', 'unchecked', null, 'the passages do not contain "Ada Byron"'],
      ['risk: high', 'unchecked', null, null],
      ['isShared: false', 'unchecked', null, null],
    ]);
    expect(fieldCitations).toEqual({});
  });

  it.each([
    ['2026-05-01', 'on May 1st, 2026', true],
    ['2026-05-01', 'on 11 May 2026', false],
    ['2026-05-01T10:20:44Z', '2026-05-01 10:20:44 up', true],
    [1240.5, 'EUR 1,240.50', true],
    [20, 'it was 120', false],
    ['Jo Kern', 'asked JO  KERN.', true],
    ['Jo Kern', 'asked Jo, and Kern', false],
  ] as const)('%s occurs in "%s": %s', (value, sentence, expected) => {
    const kinds = { isChoice: () => false, about: () => '' };
    const { citations } = citeFields(writeJson({ x: value }).leaves, kinds, '', passagesOf(sentence));
    expect(citations).toHaveLength(expected ? 1 : 0);
  });
});
