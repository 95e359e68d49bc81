import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { readFrontMatter, readRole } from '../../src/roles/role.ts';

const read = (text: string) => readFrontMatter('r.md', text);
const valuesOf = (text: string) => Object.fromEntries([...read(text).entries].map(([key, { value }]) => [key, value]));

describe('front matter', () => {
  it('has texts, lists, blank lines and comments; the rest is the body', () => {
    const text =
      '---\nname: a: b\n\n# no key: x\nabout: "q, [r]"\ntools: [one, "two", three]\nsections: []\n---\n\n# Body\n---\n';
    expect(valuesOf(text)).toEqual({ name: 'a: b', about: 'q, [r]', tools: ['one', 'two', 'three'], sections: [] });
    expect(read(text).body).toBe('# Body\n---');
  });

  it('may have commas in quoted items', () => {
    const text = '---\nsections: ["Risks, open", Next, 5" disk, "a", "b, c]\n---\n';
    expect(valuesOf(text)['sections']).toEqual(['Risks, open', 'Next', '5" disk', 'a', '"b', 'c']);
  });

  it('may have been written on Windows', () => {
    const { entries, body } = read('\ufeff---\r\nname: x\r\n---\r\nSay it.\r\n');
    expect(entries.get('name')).toEqual({ value: 'x', line: 2 });
    expect(body).toBe('Say it.');
  });

  it.each([
    ['no front matter', 'name: x', 'r.md:1: the file must begin'],
    ['no end', '---\nname: x\n', 'r.md:3: the front matter is not closed'],
    ['no colon', '---\nname\n---\n', 'r.md:2: expected "key: value"'],
    ['no key', '---\n: x\n---\n', 'r.md:2: expected "key: value"'],
    ['a block', '---\ntools:\n  - one\n---\n', 'r.md:3: expected "key: value"'],
    ['twice', '---\nname: x\n\nname: y\n---\n', 'r.md:4: "name" occurs twice'],
    ['an open list', '---\ntools: [one,\n  two]\n---\n', 'r.md:2: a list that begins with [ must end with ]'],
    ['an empty item', '---\ntools: [one,,two]\n---\n', 'r.md:2: a list has an empty item'],
  ])('is refused with the number of the line: %s', (_, text, message) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(message) }),
    );
  });

  it('never throws anything but an RlmError, whatever a role file contains', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '---',
        '---\n',
        '\n',
        ': ',
        '[',
        ']',
        ',',
        '"',
        'name: x',
        'about: y',
        'tools: [',
        '__proto__: z',
        'constructor: [a]',
        '\r\n',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((rest) => `---\nname: x\nabout: y\n${rest}`),
        ),
        (written) => {
          try {
            const role = readRole('x.md', written);
            expect(role.name).toBe('x');
            expect(role.words).not.toBe('');
          } catch (error) {
            expect(error).toBeInstanceOf(RlmError);
            expect((error as RlmError).message).toMatch(/^x\.md:\d+: /);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('returns any simple values that were written', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9 _-]{0,12}[a-z0-9]$/);
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(word, fc.array(word))), (values) => {
        const lines = Object.entries(values).map(
          ([key, value]) => `${key}: ${typeof value === 'string' ? value : `[${value.join(', ')}]`}`,
        );
        expect(valuesOf(`---\n${lines.join('\n')}\n---\n`)).toEqual({ ...values });
      }),
    );
  });
});
