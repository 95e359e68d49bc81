import { expect, it } from 'vitest';
import { loadTemplates } from '../../../../src/prompts/template.ts';
import { createRenderer, rendered } from '../../../../src/run/door/layers/render.ts';
import { modelNamed, questionTo, said, settingsWith } from '../../../support/door.ts';

it('a question is rendered, with the error of an earlier reply', async () => {
  const render = createRenderer({ templates: await loadTemplates(null), role: null, settings: settingsWith() });
  const shown: string[][] = [];
  const ask = rendered(render)(async ({ messages, turns }) => {
    shown.push(
      messages.map(({ role }) => role),
      turns.map(({ content }) => content),
    );
    return said('fine');
  });
  const question = questionTo(modelNamed('a'), { input: { prompt: 'query', variables: { text: 'Why?' } } });
  await ask(question);
  await ask({ ...question, failed: { text: 'x'.repeat(3_000), problem: 'it was empty' } });
  expect(shown.slice(0, 2)).toEqual([['system', 'user'], []]);
  expect(shown[2]).toEqual(['system', 'user', 'assistant', 'user']);
  expect(shown[3]![0]).toHaveLength(2_000);
  expect(shown[3]![1]).toContain('could not be used: it was empty');
});
