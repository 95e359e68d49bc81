import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prompts } from '../../../src/prompts/index.ts';
import type { Field, Fields } from '../../../src/prompts/reply/fields.ts';
import { readLabelled } from '../../../src/prompts/reply/labelled-reply.ts';
import { describeReply, type Nameable, replySchema } from '../../../src/prompts/reply/reply-form.ts';
import { tools } from '../../../src/tools/index.ts';
import { toSpec } from '../../../src/tools/toolbox.ts';

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

const specs = tools.map(toSpec);

/** Returns the text of a prompt without its variables. */
function shownOf(name: string, fields: Fields): string {
  const template = readFileSync(new URL(`../../../prompts/${name}.md`, import.meta.url), 'utf8');
  const forms = (['json', 'labelled', 'tools'] as const).map((form) => describeReply(fields, form, specs));
  return [template, ...forms].join('\n\n');
}

/** Returns the quoted values in a form, except the options of a choice and of verdicts. */
function quotedValues(fields: Fields): string[] {
  const options = Object.values(fields).flatMap((field) => (field.kind === 'choice' ? field.options : []));
  const lines = describeReply(fields, 'json')
    .split('\n')
    .filter((line) => line.startsWith('  "'));
  const values = lines.flatMap((line) =>
    [...line.split('   // ')[0]!.matchAll(/"([^"]*)"(:?)/g)].flatMap(([, value, colon]) =>
      colon === '' ? value! : [],
    ),
  );
  const verdicts = ['supported', 'partial', 'unsupported', 'contradicted'];
  return values.filter((value) => ![...options, ...verdicts].includes(value));
}

describe.each(Object.values(prompts))('the form of a reply in the prompt $name', ({ name, fields }) => {
  it('contains no passage, place or number that could be mistaken for an answer', () => {
    const shown = shownOf(name, fields);
    expect(shown).not.toMatch(/\bP\d+\b/);
    expect(shown).not.toMatch(/(?:startLine|endLine|confidence|chunk|lines)"?: ?\d/i);
    expect(shown).not.toMatch(/:\d+-\d+\]/);
  });

  it('has a placeholder for every value', () => {
    for (const value of quotedValues(fields)) expect(value).toMatch(/^(?:…|<[^<>]+>)$/);
  });
});

describe('the ids of passages in a schema', () => {
  const field = (kind: 'citations' | 'findings'): Field => ({ kind, label: 'X', about: 'x', required: true });
  const schemaOf = (kind: 'citations' | 'findings', nameable: Nameable) =>
    JSON.stringify(replySchema({ x: field(kind) }, nameable));

  it.each(['citations', 'findings'] as const)('are the given ones, for %s', (kind) => {
    expect(schemaOf(kind, { passages: ['P3', 'P7', 'P3'] })).toContain('{"type":"string","enum":["P3","P7"]}');
  });

  it('are open if none was given, or too many for a choice', () => {
    const many = Array.from({ length: 201 }, (_, index) => `P${index}`);
    for (const passages of [[], many]) expect(schemaOf('findings', { passages })).not.toContain('enum');
  });
});
