import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citeFields } from '../../../src/evidence/fields/cite-fields.ts';
import { createMatcher } from '../../../src/evidence/fields/same-value.ts';
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

  it('cite the sentence that has the value beside what stands beside it', () => {
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
    expect(claims.every(({ verdict }) => verdict === 'supported')).toBe(true);
  });

  it('cite, of several lines with the same value, the one whose words agree with name, description or question', () => {
    const settings = 'readPool:\n  size: 40\n  timeout: 5\nwritePool:\n  size: 40\n  timeout: 5\n';
    const prose = 'The north hall seats 250 guests. The south hall was built later. It seats 250 guests, too.\n';
    const lineOf = (form: object, about: string, question: string, given: string, name: string) =>
      citeFields(
        writeJson(form).leaves,
        { isChoice: () => false, about: () => about },
        question,
        passagesOf(given, 10_000, name),
      ).citations.map(({ startLine, startByte }) => [startLine, startByte]);
    const inFile = (form: object, about = '', question = '') => lineOf(form, about, question, settings, 'pools.yaml');
    expect(inFile({ writePool: { size: 40 } })).toEqual([[5, settings.lastIndexOf('size')]]);
    expect(inFile({ readPool: { timeout: 5 } })).toEqual([[3, settings.indexOf('timeout')]]);
    expect(inFile({ n: 40 }, 'size of the write pool')).toEqual([[5, settings.lastIndexOf('size')]]);
    expect(inFile({ n: 40 }, '', 'What is the size in writePool?')).toEqual([[5, settings.lastIndexOf('size')]]);
    const inProse = (about: string) => lineOf({ seats: 250 }, about, '', prose, 'halls.txt');
    expect(inProse('seats of the north hall')).toEqual([[1, 0]]);
    expect(inProse('seats of the south hall')).toEqual([[1, prose.indexOf('It seats')]]);
  });

  it('have less support the fewer words of the field and the question stand around the value', () => {
    const supportOf = (about: string) =>
      citeFields(writeJson({ n: 20 }).leaves, { isChoice: () => false, about: () => about }, '', passagesOf(text))
        .claims[0]!;
    const [near, far] = [supportOf('connections of the orders pool'), supportOf('weight of the parcel in kilograms')];
    expect(near).toMatchObject({ verdict: 'supported', reason: null });
    expect(far).toMatchObject({ verdict: 'partial', reason: expect.stringMatching(/few words/) });
    expect(near.support! - far.support!).toBeGreaterThan(0.5);
  });

  it('that stand nowhere are not supported; choices and switches are not judged', () => {
    const { claims, fieldCitations } = cite(
      { connections: 50, owner: 'Ada Byron', risk: 'high', isShared: false, none: null },
      ['risk'],
    );
    expect(claims.map(({ verdict, support }) => [verdict, support])).toEqual([
      ['unsupported', 0],
      ['unsupported', 0],
      ['unchecked', null],
      ['unchecked', null],
    ]);
    expect(claims[0]!.reason).toBe('what was read does not have 50');
    expect(fieldCitations).not.toHaveProperty('/connections');
  });

  it('of several words are held against the text as claims are', () => {
    const good =
      'The billing service is owned by Jo Kern, who reviews its limits each month because of the last outage.';
    const found = cite({ summary: good }).claims[0]!;
    expect(found.support).toBeGreaterThan(0.5);
    expect(found.citations).toEqual([1]);
    const wrong =
      'The checkout page was rewritten by an agency in Lisbon, which took nine weeks longer than they had planned.';
    expect(cite({ summary: wrong }).claims[0]).toMatchObject({ verdict: 'unsupported', citations: [] });
  });

  it.each([
    ['2026-05-01', 'on May 1st, 2026', true],
    ['2026-05-01', 'on 11 May 2026', false],
    ['2026-05-01T10:20:00Z', '2026-05-01 10:20:44 up', true],
    [1240.5, 'EUR 1,240.50', true],
    [3, 'three drills', true],
    [20, 'v20.1', false],
    ['Jo Kern', 'asked JO  KERN.', true],
    ['', 'anything', false],
  ] as const)('%s stands in "%s": %s', (value, sentence, expected) => {
    expect(createMatcher(value)(sentence)).toBe(expected);
  });
});
