import { describe, expect, it } from 'vitest';
import { form } from '../../../src/prompts/critic.ts';
import { readForm } from '../../../src/prompts/reply/read-reply.ts';
import { createAnswerSchema } from '../../../src/schema/answer-schema.ts';

const schema = createAnswerSchema({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }, 'it');
const read = (text: string, finish: 'stop' | 'length' = 'stop') => readForm(form.fields, schema, { text, finish });

describe("a reply in the user's form", () => {
  it.each([
    ['JSON', '{"n": 1}', 'ok'],
    ['in a fence', '```json\n{"n": 1}\n```', 'ok'],
    ['among words', 'Here you are: {"n": 1} I hope that helps.', 'ok'],
    ['behind thinking', '<think>{"n": 2}?</think>{"n": 1}', 'ok'],
    ['broken', '{"n": 1,', 'repaired'],
  ])('is read: %s', (_, text, kind) => {
    expect(read(text)).toEqual({ class: kind, reply: { json: '{"n":1}' } });
  });

  it.each(['{"n": 9007199254740991}', '{"n": 10000000000000000}'])('keeps a whole number that is exact: %s', (json) => {
    expect(read(json)).toEqual({ class: 'ok', reply: { json: JSON.stringify(JSON.parse(json)) } });
  });

  it('keeps a long number in a text, and the nearest value of a decimal', () => {
    const any = createAnswerSchema({ type: 'object' }, 'it');
    const found = readForm(form.fields, any, {
      text: '{"id":"12345678901234567890","x":0.12345678901234567890}',
      finish: 'stop',
    });
    expect(found).toEqual({ class: 'ok', reply: { json: '{"id":"12345678901234567890","x":0.12345678901234568}' } });
  });

  it('keeps a text that contains a tag of thinking', () => {
    const text = createAnswerSchema({ type: 'object', properties: { t: { type: 'string' } }, required: ['t'] }, 'it');
    const said = '{"t":"A <think> tag opens the thinking."}';
    const found = readForm(form.fields, text, { text: said, finish: 'stop' });
    expect(found).toEqual({ class: 'ok', reply: { json: said } });
  });

  it.each([
    ['of another form', '{"n": "one"}', 'stop', /does not conform to the form: \/n: /],
    ['a number with too many digits', '{"n": 12345678901234567890}', 'stop', /12345678901234567890 would lose/],
    ['a number that is too large', '{"n": 1e999}', 'stop', /1e999 would lose/],
    ['prose', 'There is one.', 'stop', /no JSON/],
    ['cut off', '{"n": 1, "more": "and so', 'length', /cut off/],
  ] as const)('is unusable: %s', (_, text, finish, problem) => {
    expect(read(text, finish)).toEqual({ class: 'failed', problem: expect.stringMatching(problem) });
  });
});
