import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/index.ts';
import { loadTemplates } from '../../src/prompts/template.ts';
import { askScripted, long } from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Returns the text of a request in the order in which a server reads it. */
const promptText = ({ messages }: ModelRequest): string =>
  messages.map(({ role, content }) => `${role}: ${content}`).join('\n');

const shared = (a: string, b: string): string => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
};

const passageTags = (text: string) => text.match(/<\/passage>/g)?.length ?? 0;

describe('prompts of one question share the part that a server has read', () => {
  it.each(['answer', 'conclude', 'form', 'critic'] as const)('up to and with the passages: %s', async (name) => {
    const templates = await loadTemplates(null);
    expect(templates[name].system).toBe(templates.answer.system);
    expect(templates[name].user.startsWith('Passages:\n{{passages}}\n\n')).toBe(true);
  });

  it.each([
    ['of a text that fits', {}],
    ['of passages that were searched for', { documents: long }],
  ])('in the answer and its critique, %s', async (_, options) => {
    const answer = { answer: 'To 20 [P1].', citations: [], assumptions: [] };
    const { requests } = await askScripted({ answer }, options, 'What limited the pool?');
    const [first, second] = ['answer', 'critic'].map((name) =>
      promptText(requests.find(({ input }) => input.prompt === name)!),
    ) as [string, string];
    expect(passageTags(first)).toBeGreaterThan(0);
    expect(passageTags(shared(first, second))).toBe(passageTags(first));
  });

  it('with a role, whose words come after the passages', async () => {
    const cwd = tempFolder({ 'mine.md': '---\nname: mine\nabout: says little\n---\nBe brief.\n' });
    const { requests } = await askScripted({}, { cwd, settings: { role: './mine.md' } });
    const [answer, critic] = ['answer', 'critic'].map((name) =>
      promptText(requests.find(({ input }) => input.prompt === name)!),
    ) as [string, string];
    expect(answer).toContain('Be brief.');
    expect(passageTags(shared(answer, critic))).toBe(passageTags(answer));
  });
});
