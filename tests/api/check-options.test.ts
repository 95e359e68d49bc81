import { describe, expect, it } from 'vitest';
import { ask, dryRun, openContext } from '../../src/index.ts';

const given = [
  [{ minConfidence: 90 }, 'there is no option "minConfidence"', 'It is a setting: { settings: { minConfidence: … } }.'],
  [{ maxCalls: 3 }, 'there is no option "maxCalls"', 'It is a setting: { settings: { budget: { maxCalls: … } } }.'],
  [{ path: ['a.md'] }, 'there is no option "path"', 'Did you mean "paths"?'],
  [{ paths: 'x' }, 'the option "paths" must be a list of strings', 'Its type is string.'],
  [
    { documents: ['x'] },
    'the option "documents" must be a list of { name, text }, or a function',
    'Its type is object.',
  ],
  [
    { documents: [{ name: 'a', text: 5 }] },
    'the option "documents" must be a list of { name, text }, or a function',
    'Its type is object.',
  ],
  [
    { provider: { inspect: null } },
    'the option "provider" must be an object with the functions inspect and call',
    'Its type is object.',
  ],
  [{ cwd: 3 }, 'the option "cwd" must be a string', 'It is 3.'],
] as const;

describe.each([
  ['ask', (options: object) => ask('Why?', options)],
  ['dryRun', (options: object) => dryRun('Why?', options)],
  ['openContext', (options: object) => openContext(options)],
])('%s refuses', (_, start) => {
  it.each(given)('%j', async (options, message, hint) => {
    await expect(start(options)).rejects.toMatchObject({ code: 'usage', message, hint });
  });
});

it.each([null, 'paths', ['a.md']])('ask refuses %j as options', async (options: unknown) => {
  await expect(ask('Why?', options as object)).rejects.toMatchObject({ code: 'usage' });
});

it('ask refuses a question that is not text', async () => {
  const question: unknown = 3;
  await expect(ask(question as string)).rejects.toMatchObject({ code: 'usage', message: 'there is no question' });
});
