import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { createAnswerSchema, readSchema } from '../../src/schema/answer-schema.ts';
import { schemaAt, wordsAbout } from '../../src/schema/json-schema.ts';

/** Returns the thrown error; null without one. */
function thrownBy(work: () => unknown): RlmError | null {
  try {
    work();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(RlmError);
    return error as RlmError;
  }
}

const owner = {
  type: 'object',
  properties: { owner: { type: 'string' }, since: { type: ['integer', 'null'] } },
  required: ['owner'],
  additionalProperties: false,
} as const;

const list = {
  type: 'array',
  items: { $ref: '#/$defs/item' },
  $defs: { item: { type: 'object', properties: { next: { $ref: '#' } } } },
};

describe('the schema of an answer', () => {
  it('abandons a pattern that backtracks forever', () => {
    const { problemOf } = createAnswerSchema({ type: 'string', pattern: '^(a+)+$' }, 'it');
    expect(problemOf(`${'a'.repeat(60)}b`)).toContain('"pattern"');
    expect(problemOf('a'.repeat(60))).toBeNull();
  });

  it('says which part of a value does not conform, and where', () => {
    const { problemOf } = createAnswerSchema(owner, 'it');
    expect(problemOf({ owner: 'Ada', since: null })).toBeNull();
    expect(problemOf({ owner: null })).toBe('/owner: the text was not found to tell it, and null is not allowed');
    expect(problemOf({ since: 2020 })).toMatch(/owner/);
    expect(problemOf({ owner: 'Ada', since: 1.5, more: 1 })).toMatch(/\/since: .*; .*more/);
  });

  it('that need not be an object is requested within one, with its references', () => {
    const schema = createAnswerSchema(list, 'it');
    expect(schema.reply).toMatchObject({
      properties: {
        value: {
          items: { $ref: '#/properties/value/$defs/item' },
          $defs: { item: { properties: { next: { $ref: '#/properties/value' } } } },
        },
      },
    });
    expect(schema.unwrap({ value: [1] })).toEqual([1]);
    expect(schema.unwrap([1])).toEqual([1]);
    expect(schema.problemOf([{ next: [] }])).toBeNull();
    expect(schema.problemOf([{ next: 1 }])).not.toBeNull();
    const own = createAnswerSchema({ type: 'object', properties: { value: {} } }, 'it');
    expect(own.unwrap({ value: 1 })).toEqual({ value: 1 });
  });

  it.each([
    ['a list', [], /it is no object/],
    ['an unknown type', { properties: { a: { type: 'date' } } }, /there is no "type" "date"/],
    ['a reference to a server', { $ref: 'https://example.org/a.json' }, /only name a part of the schema itself/],
    ['a reference to nothing', { $ref: '#/$defs/a' }, /"#\/\$defs\/a", which is not there/],
    ['a reference to itself', { $ref: '#' }, /refers to itself without end/],
    ['a reference below itself', { properties: { a: { $ref: '#/properties/a' } } }, /refers to itself without end/],
    ['a part that is the whole', { allOf: [{ $ref: '#' }] }, /refers to itself without end/],
    ['no pattern', { type: 'string', pattern: '(' }, /no regular expression/],
    ['properties that are no object', { properties: [] }, /"properties" must be an object/],
  ])('is refused: %s', (_, json, message) => {
    expect(thrownBy(() => createAnswerSchema(json, 'own.json'))).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
    });
  });

  it('may have a property of any name, and data that looks like a schema', () => {
    const json = { properties: { type: { type: 'string' }, $ref: {} }, enum: [{ type: 'x' }], const: { $ref: 'y' } };
    expect(() => createAnswerSchema(json, 'it')).not.toThrow();
  });

  it.each(['dependentRequired', 'dependencies', 'dependentSchemas'])('may say what a name needs: %s', (keyword) => {
    const wanted = keyword === 'dependentSchemas' ? { required: ['pattern'] } : ['pattern'];
    const dependent = (value: unknown) => ({ type: 'object', [keyword]: { type: value, $ref: value } });
    const schema = createAnswerSchema(dependent(wanted), 'it');
    expect(schema.problemOf({ type: 1, pattern: 1 })).toBeNull();
    expect(schema.problemOf({ type: 1 })).toMatch(/pattern/);
    if (keyword !== 'dependentRequired')
      expect(() => createAnswerSchema(dependent({ type: 'date' }), 'it')).toThrow('there is no "type" "date"');
  });

  it('is a file, JSON as text, or an object', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlm-schema-'));
    writeFileSync(join(folder, 'own.json'), `\ufeff${JSON.stringify(owner)}`);
    writeFileSync(join(folder, 'broken.json'), '{');
    for (const given of ['own.json', ` ${JSON.stringify(owner)}`, owner])
      expect(readSchema(given, folder).json).toEqual(owner);
    expect(thrownBy(() => readSchema('no.json', folder))).toMatchObject({ code: 'config-invalid' });
    expect(thrownBy(() => readSchema('broken.json', folder))!.message).toMatch(/broken\.json is not JSON/);
  });

  it('returns the schema of a place within', () => {
    const json = { type: 'object', properties: { a: { anyOf: [{ type: 'null' }, list] } }, $defs: list.$defs };
    expect(schemaAt(json, ['a', '0'])).toEqual(list.$defs.item);
    expect(schemaAt(json, ['b'])).toBeNull();
    const pools = {
      title: 'Pools',
      items: { anyOf: [{ type: 'null' }, { title: 'Pool' }], description: 'one of them' },
    };
    expect(wordsAbout({ properties: { pools } }, ['pools', '0'])).toBe('Pools\none of them\nPool');
    expect(wordsAbout(json, ['b', '0'])).toBe('');
  });

  it('accepts any JSON, or throws its own error', () => {
    const words = 'type properties items required enum anyOf allOf not $ref $defs pattern minLength format $id a'.split(
      ' ',
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>('string', 'object', ['array', 'null'], '#', '#/$defs/a', 'a[', 5, null, true, [], {}),
        fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.oneof(fc.jsonValue(), value), (json, answer) => {
        const made = thrownBy(() => createAnswerSchema(json, 'it').problemOf(answer));
        if (made !== null) expect(made).toMatchObject({ code: 'config-invalid' });
      }),
      { numRuns: 200 },
    );
  });
});
