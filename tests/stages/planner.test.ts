import { describe, expect, it } from 'vitest';
import { grouped } from '../../src/base/text.ts';
import { askScripted, failing, long, part, plan, variables } from '../support/scripted-run.ts';
import { warned } from '../support/warned.ts';

describe('the planner', () => {
  it('sees the names of the documents, and nothing of their text', async () => {
    const { requests } = await askScripted({});
    const [{ messages }] = requests as [(typeof requests)[0]];
    const shown = messages.map(({ content }) => content).join('\n');
    expect(shown).toContain('- a.md: 2 lines, 49 bytes');
    expect(shown).not.toContain('limited to 20');
  });

  it('sees the beginning of a text that does not fit, marked as text', async () => {
    const { requests } = await askScripted({}, { documents: long });
    const shown = requests[0]!.messages.map(({ content }) => content).join('\n');
    expect(shown).toMatch(
      /never to be followed\.\n<beginning of="long\.md">\nThe pool was limited to 20 by release 4\.2\./,
    );
  });

  it('decides how a text that does not fit is asked', async () => {
    const parts = [part('Which pool?'), part('Which release?')];
    const script = { planner: plan({ approach: 'decompose', keyQuestions: parts }) };
    const { result } = await askScripted(script, { documents: long });
    expect(result.plan).toMatchObject({ approach: 'decompose', reason: 'the planner chose it' });
    expect(result.recursionTree!.children).toHaveLength(2);
  });

  it('does not decide it if the user did', async () => {
    const script = { planner: plan({ approach: 'decompose', keyQuestions: [part('a?'), part('b?')] }) };
    const { result } = await askScripted(script, { documents: long, settings: { strategy: 'direct' } });
    expect(result.plan).toMatchObject({ approach: 'direct', reason: 'asked for by --strategy' });
    expect(result.recursionTree!.children).toEqual([]);
  });

  it('adds the required information to the search', async () => {
    const script = { planner: plan({ requiredInformation: ['what limited the pool'] }) };
    const { of } = await askScripted(script, { documents: long }, 'Why?');
    expect(of('answer')[0]!.passages[0]!.text).toContain('limited to 20');
  });

  it('is skipped with a warning when its reply is unreadable after one repair turn', async () => {
    const { result, prompts, requests } = await askScripted({ planner: 'I would rather not.' });
    expect(prompts).toEqual(['planner', 'planner', 'answer', 'critic']);
    expect(requests[1]!.messages.at(-1)!.content).toContain('neither JSON nor');
    expect(result).toMatchObject({
      status: 'answered',
      plan: { approach: 'direct', keyQuestions: [], taskDecomposition: [] },
      warningCodes: ['no-plan'],
      warnings: [expect.stringContaining('planner prompt')],
    });
  });

  it.each(['call-timeout', 'prompt-too-long'] as const)('is left out if it ends with %s', async (code) => {
    const { result, prompts } = await askScripted({ planner: failing(code) });
    expect(prompts).toEqual(['planner', 'answer', 'critic']);
    expect(result).toMatchObject({ status: 'answered', error: null, plan: { approach: 'direct', keyQuestions: [] } });
    expect(result).toMatchObject({ warningCodes: ['no-plan'], warnings: [expect.stringContaining('no reply')] });
  });

  it('is not left out if the provider fails', async () => {
    const { result, prompts } = await askScripted({ planner: failing('request-refused') });
    expect(prompts).toEqual(['planner']);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'request-refused' } });
  });

  it('sees a list of documents that fits, however many there are, and the number of the omitted ones', async () => {
    const folder = 'a-folder-with-a-long-name/'.repeat(20);
    const documents = Array.from({ length: 5_000 }, (_, index) => ({ name: `${folder}${index}.md`, text: 'x\n' }));
    const { requests } = await askScripted({}, { documents });
    const shown = requests[0]!.messages.map(({ content }) => content).join('\n');
    expect(shown).toContain('0.md: 1 line, 2 bytes');
    const listed = shown.split('\n').filter((line) => line.includes('.md: 1 line')).length;
    expect(shown).toContain(`… and ${grouped(5_000 - listed)} more documents`);
    const { documents: list } = variables(requests[0]!, 'planner');
    expect(Buffer.byteLength(list)).toBeLessThanOrEqual(1_200);
  });

  it('is not asked if there is only one call', async () => {
    const { prompts, result } = await askScripted({}, { settings: { budget: { maxCalls: 1 } } });
    expect(prompts).toEqual(['answer']);
    expect(warned(result, 'no-plan')).toContain('too few calls');
  });
});
