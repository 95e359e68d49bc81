import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failuresOf, readChecks } from '../../src/cli/actions/checks.ts';
import type { Result } from '../../src/result.ts';
import { tempFolder } from '../support/temp-folder.ts';

const read = (text: string, name = 'checks.yaml') => readChecks(join(tempFolder({ [name]: text }), name));

it('reads numbers and booleans as their text, as written', () => {
  const text = `paths: [2026]
checks:
  - question: 42
    name: true
    begins: no
    contains: [41, 1.50, 0x10, 1e3, false, "9"]
    excludes: -0.0
    cites: 404
    minConfidence: 60
`;
  expect(read(text)).toEqual({
    paths: ['2026'],
    checks: [
      {
        question: '42',
        name: 'true',
        begins: 'no',
        contains: ['41', '1.50', '0x10', '1e3', 'false', '9'],
        excludes: '-0.0',
        cites: '404',
        minConfidence: 60,
      },
    ],
  });
  const json = '{"checks": [{"question": "a", "contains": [1.0, true], "minConfidence": 1e1}]}';
  expect(read(json, 'checks.json').checks).toEqual([{ question: 'a', contains: ['1.0', 'true'], minConfidence: 10 }]);
});

it.each([
  ['contains: [null]', 'must be a text or a list'],
  ['contains: {a: 1}', 'must be a text or a list'],
  ['begins: ~', 'expected a text'],
  ['minConfidence: yes', 'expected a number'],
  ['minConfidence: "60"', 'expected a number'],
])('still refuses %s', (line, why) => {
  expect(() => read(`checks:\n  - question: a\n    ${line}\n`)).toThrow(why);
});

it.each([
  ['6', false],
  ['6.2', true],
  ['2', false],
  ['204', false],
  ['1', false],
  ['1,204', true],
  ['41', true],
  ['now', true],
  ['no', false],
])('contains %s as a whole word or number: %s', (contains, isContained) => {
  const answer = 'It is now 6.2 km long and rises 1,204 m; K1,5,41 is the row.';
  const result = { answer, confidence: 90, citations: [], provider: 'ollama' } as unknown as Result;
  expect(failuresOf({ question: 'How long?', contains }, result)).toHaveLength(isContained ? 0 : 1);
});

it.each([
  ['1', '1,204 rows', false],
  ['1,204', '1,204 rows', true],
  ['3', '3.5 km', false],
  ['3.5', '3.5 km', true],
  ['-5', '-5 degrees', true],
  ['€5', '**€5** was paid', true],
  ['no', 'No, it is not.', true],
  ['no', 'Now it is.', false],
  ['no', 'It is, no doubt.', false],
])('begins with %s in "%s": %s', (begins, answer, isBegun) => {
  const result = { answer, confidence: 90, citations: [], provider: 'ollama' } as unknown as Result;
  expect(failuresOf({ question: 'How many?', begins }, result)).toHaveLength(isBegun ? 0 : 1);
});
