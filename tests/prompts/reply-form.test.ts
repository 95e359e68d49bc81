import { describe, expect, it } from 'vitest';
import { prompts } from '../../src/prompts/index.ts';
import { readLabelled } from '../../src/prompts/labelled-reply.ts';
import { describeReply, replySchema } from '../../src/prompts/reply-form.ts';

describe.each(Object.values(prompts))('the reply to $name', ({ fields }) => {
  it('is described by a schema in which everything is required', () => {
    const schema = replySchema(fields) as { required: string[]; properties: Record<string, unknown> };
    expect(schema.required).toEqual(Object.keys(fields));
    expect(Object.keys(schema.properties)).toEqual(Object.keys(fields));
  });

  it('is described in words that name every key', () => {
    for (const key of Object.keys(fields)) expect(describeReply(fields, 'json')).toContain(`"${key}": `);
  });

  it('is read under the labels that its description shows', () => {
    const [, form = ''] = describeReply(fields, 'labelled').split('\n\n');
    expect(Object.keys(readLabelled(fields, form) ?? {})).toEqual(Object.keys(fields));
  });
});
