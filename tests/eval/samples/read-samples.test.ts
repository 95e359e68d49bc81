import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleSamples } from '../../../src/eval/samples/example.ts';
import { parseSamples, readSamples } from '../../../src/eval/samples/read-samples.ts';
import { score } from '../../../src/eval/scorers/score.ts';
import { RlmError } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const one = (fields: object) => parseSamples(JSON.stringify({ question: 'Q?', ...fields }), 'q.jsonl')[0]!;

describe('samples', () => {
  it('reads the example of `rlm eval init`, which has one sample of each scorer', () => {
    const samples = parseSamples(exampleSamples, 'q.jsonl');
    const kinds = ['contains', 'list', 'number', 'pattern', 'absent', 'json', 'f1'];
    expect(new Set(samples.map(({ scorer }) => scorer))).toEqual(new Set(kinds));
    expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
  });

  it.each([
    [{ target: 'x' }, 'contains'],
    [{ target: ['x', 'y'] }, 'contains'],
    [{ targets: ['x'] }, 'list'],
    [{ contains: 'x' }, 'contains'],
    [{ pattern: 'x' }, 'pattern'],
    [{ number: 1 }, 'number'],
    [{ sources: 'a.md' }, 'sources'],
    [{ json: {} }, 'json'],
    [{ json: null }, 'json'],
    [{ answerable: false }, 'absent'],
    [{ target: 'x', scorer: 'exact' }, 'exact'],
    [{ target: 'x', sources: ['a.md'] }, 'contains'],
  ])('%j is scored by %s', (fields, scorer) => {
    expect(one(fields).scorer).toBe(scorer);
  });

  it('reads paths relative to the folder of the file, and skips comments and a byte order mark', () => {
    const folder = tempFolder({ 'q.jsonl': '\ufeff// a\n\n# b\n{"question":"Q?","target":"x","paths":"text/"}\n' });
    expect(readSamples(join(folder, 'q.jsonl'))[0]!.paths).toEqual([join(folder, 'text')]);
  });

  it.skipIf(process.platform === 'win32')('does not wait for the writer of a named pipe', () => {
    const pipe = join(tempFolder({}), 'q.jsonl');
    execFileSync('mkfifo', [pipe]);
    expect(() => readSamples(pipe)).toThrow(expect.objectContaining({ code: 'input-unreadable' }));
  });

  it.each([
    ['', 'q.jsonl holds no question'],
    ['x', 'q.jsonl:1: it is not JSON'],
    ['\n[]', 'q.jsonl:2: it is not an object with a "question"'],
    ['{"question":"Q?"}', 'q.jsonl:1: it does not say what a right answer is'],
    ['{"question":"","target":"x"}', 'q.jsonl:1: "question" cannot be used'],
    ['{"question":"Q?","targte":"x"}', 'q.jsonl:1: it has an unknown field: targte'],
    ['{"question":"Q?","number":1,"scorer":"exact"}', 'q.jsonl:1: it does not say what a right answer is'],
    ['{"question":"Q?","pattern":"(?=x)"}', 'q.jsonl:1: its pattern cannot be used'],
    [`{"question":"Q?","sources":"${'{a,b}'.repeat(20)}"}`, 'q.jsonl:1: its sources cannot be used'],
    ['{"question":"Q?","target":"x","id":"a"}\n{"question":"R?","target":"x","id":"a"}', 'another line has the id a'],
  ])('refuses %j', (text, message) => {
    expect(() => parseSamples(text, 'q.jsonl')).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => parseSamples(text, 'q.jsonl')).toThrow(message);
  });

  it('refuses any other text with the number of the line, and never fails otherwise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.object().map((value) => JSON.stringify(value)),
        ),
        (text) => {
          try {
            parseSamples(text, 'q.jsonl');
          } catch (error) {
            expect(error).toBeInstanceOf(RlmError);
          }
        },
      ),
    );
  });
});

describe('score', () => {
  it.each([
    [{ target: 'x', scorer: 'exact' }, 'x', { lenient: 1, strict: 1, exact: 1, f1: 1 }],
    [{ target: 'x' }, 'It is x, of course.', { lenient: 1, strict: 1, exact: 0, f1: 1 / 3 }],
    [{ target: 'x', scorer: 'f1' }, 'Long words.\nAnswer: x', { lenient: 1, strict: 0.4 }],
    [{ target: 'no' }, 'Yes, one would think.\nAnswer: no', { lenient: 1, strict: 1 }],
    [{ target: 'B', choices: ['A', 'B'] }, 'Not A.\nAnswer: B', { lenient: 1, strict: 1 }],
    [{ contains: ['x', 'y'] }, 'x and y', { lenient: 1, strict: 1, exact: null, f1: null }],
    [{ targets: ['x', 'y'] }, 'x', { lenient: 0.5, strict: 0.5 }],
    [{ number: 4 }, 'Four.', { lenient: 1, strict: 1 }],
    [{ number: 4, decay: 0.75 }, 'Answer: 5', { lenient: 0.75, strict: 0.75 }],
    [{ pattern: '\\d\\d:\\d\\d' }, 'First.\nAt 10:30.', { lenient: 1, strict: 0 }],
    [{ answerable: false }, 'The text does not say.', { lenient: 1, strict: 1, absent: true }],
    [{ target: 'x', sources: ['a.md'] }, 'x', { lenient: 1, sources: 1 }],
    [{ sources: ['a.md', 'b.md'] }, 'x', { lenient: 0.5, strict: 0.5, sources: 0.5 }],
    [{ json: { a: 1 } }, '{"a": 1}', { lenient: 1, strict: 1 }],
  ])('%j of %j', (fields, answer, wanted) => {
    expect(score(one(fields), { answer, sources: ['docs/a.md'] })).toMatchObject(wanted);
  });

  it('is never higher strictly than leniently, whatever the reply', () => {
    const golds = [
      { target: 'x' },
      { target: ['no'] },
      { contains: ['x', 'y'] },
      { targets: ['x', 'y', 'z'] },
      { targets: ['1234', '5678'] },
      { number: 4 },
      { pattern: 'x' },
      { answerable: false },
      { json: [1, 2] },
    ].map(one);
    const word = fc.constantFrom('x', 'y', 'z', 'no', 'yes', '4', '1234', '5678', 'unknown', 'Answer:', '[1, 2]', ',');
    const reply = fc.array(fc.tuple(word, fc.constantFrom(' ', '\n', '. '))).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(fc.oneof(reply, fc.string()), fc.constantFrom(...golds), (answer, gold) => {
        const { lenient, strict } = score(gold, { answer, sources: [] });
        expect(strict).toBeLessThanOrEqual(lenient);
        expect(lenient).toBeLessThanOrEqual(1);
        expect(strict).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each(['answer:', ' ', '\n', '.', '[1,', '```\n', '**', 'does not ', '1,111', '- ', '{', '"', 'the '])(
    'takes no more than linear time for a reply of many %j',
    (part) => {
      const answer = `${part.repeat(20_000)}x`;
      const golds = [{ target: 'z' }, { contains: ['y', 'z'] }, { targets: ['y', 'z'] }, { targets: ['1234'] }];
      const others = [{ number: 4 }, { answerable: false }, { json: [1, 2] }, { pattern: 'z' }];
      for (const gold of [...golds, ...others].map(one))
        expect(score(gold, { answer, sources: [] }).strict).toBeLessThan(1);
    },
  );

  it('takes no more than linear time for a right answer that is as long as the reply', () => {
    const words = Array.from({ length: 70_000 }, (_, at) => `w${at}`);
    const gold = one({ target: words.toReversed().join(' ') });
    expect(score(gold, { answer: words.join(' '), sources: [] }).f1).toBe(1);
  });

  it('is full leniently and low strictly for a reply that lists everything', () => {
    const all = Array.from({ length: 200 }, (_, at) => String(1_000_000 + at));
    const answer = all.join(', ');
    expect(score(one({ contains: ['1000007'] }), { answer, sources: [] })).toMatchObject({ lenient: 1, strict: 0 });
    const { lenient, strict } = score(one({ targets: all.slice(0, 4) }), { answer, sources: [] });
    expect([lenient, strict < 0.05]).toEqual([1, true]);
  });
});
