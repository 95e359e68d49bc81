import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../../src/index.ts';
import { findRole, listRoles } from '../../src/roles/find-role.ts';
import { askScripted, finalAnswer, long, look, part, splitInto } from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { warned } from '../support/warned.ts';

const front = (more = '', body = 'Be brief.') => `---\nname: mine\nabout: says little\n${more}---\n${body}\n`;
const env = { HOME: '/dev/null/nowhere' };
const toldIn = ({ messages }: { messages: readonly { content: string }[] }) => messages[1]!.content;

/** Asks with a role from a file. */
function askAs(
  text: string,
  { script = {}, settings = {}, ...rest }: Parameters<typeof askScripted>[1] & { script?: object } = {},
) {
  const cwd = tempFolder({ 'mine.md': text });
  return askScripted(script, { documents: long, cwd, ...rest, settings: { role: './mine.md', ...settings } });
}

describe('words of the setting system', () => {
  it('are in the prompts that plan and answer, alone or below a role', async () => {
    const alone = await askScripted({}, { documents: long, settings: { system: 'Answer in French.' } });
    const told = alone.requests.filter((request) => toldIn(request).endsWith('\n\nAnswer in French.'));
    expect(told.map(({ input }) => input.prompt)).toContain('answer');
    expect(alone.requests.map(toldIn).join()).not.toContain('Your role is');
    const { requests } = await askAs(front(), { settings: { system: 'Answer in French.' } });
    const both = 'Your role is mine:\n\nBe brief.\n\nAnswer in French.';
    expect(requests.some((request) => toldIn(request).endsWith(both))).toBe(true);
  });

  it('are ignored without a model, which a warning says', async () => {
    const options = { documents: [{ name: 'a', text: 'The pool has 4 connections.' }] };
    const settings = { provider: 'extractive', system: 'Answer in French.', journal: false } as const;
    const result = await ask('How many connections?', { ...options, settings });
    expect(warned(result, 'configuration').match(/--system/g)).toHaveLength(1);
  });
});

describe('a role', () => {
  it('is in the prompts that plan and answer, and in no others', async () => {
    const parts = splitInto(part('Which pool?'), part('Which release?'));
    const { requests } = await askAs(front(), { script: parts, settings: { strategy: 'decompose' } });
    const told = requests.filter((request) => toldIn(request).endsWith('Your role is mine:\n\nBe brief.'));
    expect(new Set(told.map(({ input }) => input.prompt))).toEqual(new Set(['planner', 'answer', 'compose']));
    const others = requests.filter((request) => !told.includes(request));
    expect(new Set(others.map(({ input }) => input.prompt))).toEqual(new Set(['assess', 'critic']));
    expect(others.map(toldIn).join()).not.toContain('Be brief.');
  });

  it('asks for its sections in the answer of the root, and in no part', async () => {
    const parts = splitInto(part('Which pool?'), part('Which release?'));
    const text = front('sections: [Cause, Next step]\n');
    const { requests } = await askAs(text, { script: parts, settings: { strategy: 'decompose' } });
    const wanting = requests.filter((request) => toldIn(request).includes('in this order: Cause; Next step.'));
    expect(wanting.map(({ input }) => input.prompt)).toEqual(['compose']);
  });

  it('may prefer a strategy, and name its tools', async () => {
    const text = front('strategy: explore\ntools: [grep]\nsections: [Cause]\n');
    const script = { explore: [look(['grep', { pattern: 'pool' }]), finalAnswer('So.')] };
    const { result, of, requests } = await askAs(text, { script });
    expect(result.plan).toMatchObject({ approach: 'explore', reason: 'the role mine prefers it' });
    expect(of('explore')[0]!.tools.map(({ name }) => name)).toEqual(['grep', 'final_answer']);
    const explore = requests.find(({ input }) => input.prompt === 'explore')!;
    expect(toldIn(explore)).toContain('under its name as a heading (## Name), in this order: Cause.');
  });

  it('is overridden by --tools and --strategy', async () => {
    const text = front('strategy: scan\ntools: [grep]\n');
    const settings = { strategy: 'explore' as const, tools: { allow: ['read_file'] } };
    const { result, of } = await askAs(text, { settings });
    expect(result.plan!.approach).toBe('explore');
    expect(of('explore')[0]!.tools.map(({ name }) => name)).toEqual(['read_file', 'final_answer']);
  });

  it('gets the number of failed fixes', async () => {
    const { requests } = await askAs(front(), { settings: { failCount: 3 } });
    expect(toldIn(requests[0]!)).toContain('Fixes that were tried and have failed so far: 3.');
  });

  it('is text, whatever braces and dollar signs it contains', async () => {
    const { requests } = await askAs(front('', 'Say {{task}} and $& and $1.'));
    expect(toldIn(requests[0]!)).toContain('Say {{task}} and $& and $1.');
  });

  it('has no effect without a language model, with a notice', async () => {
    const cwd = tempFolder({ 'mine.md': front('strategy: explore\n') });
    const settings = { provider: 'extractive', role: './mine.md' } as const;
    const result = await ask('What limited the pool?', { documents: long, cwd, env, settings });
    expect(warned(result, 'configuration').match(/^the role mine/gm)).toHaveLength(1);
    expect(result.plan).toMatchObject({ approach: 'direct', reason: 'the planner chose it' });
  });

  it.each([
    ['an unknown tool', front('tools: [serch_context]\n'), /there is no tool "serch_context" \(.*mine\.md\)/],
    ['an unknown key', front('tool: [grep]\n'), /mine\.md:4: unknown key "tool"/],
    ['an unknown strategy', front('strategy: guess\n'), /mine\.md:4: there is no strategy "guess"/],
    ['a list that is none', front('sections: Cause\n'), /mine\.md:4: "sections" must be a list/],
    ['another name', front().replace('mine', 'yours'), /mine\.md:2: "name" must be mine/],
    ['nothing to say', front('', ''), /the role has no instructions/],
    ['too much to say', front('', 'x'.repeat(9_000)), /it may have 8000/],
  ])('is refused for %s', async (_, text, message) => {
    await expect(askAs(text)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
    });
  });

  it('cannot be chosen by documents', async () => {
    const documents = [{ name: 'mine.md', text: front() }, ...long];
    const { requests } = await askScripted({}, { documents });
    expect(requests.map(toldIn).join()).not.toContain('Your role');
  });
});

describe('finding a role', () => {
  it('finds the shipped ones by name, each of which is well-formed', async () => {
    const names = readdirSync(join(import.meta.dirname, '../../roles')).map((file) => file.slice(0, -3));
    expect(names.sort()).toEqual(['architecture', 'debugger', 'repo-mapper', 'validation']);
    for (const role of await listRoles(env)) {
      expect(role.sections.length).toBeGreaterThan(3);
      const { result } = await askScripted({}, { documents: long, settings: { role: role.name } });
      expect(result.plan).toMatchObject({ approach: 'explore', reason: `the role ${role.name} prefers it` });
    }
  });

  it("finds the user's own by name, before a shipped one with the same name", async () => {
    const home = tempFolder({ '.config/rlm/roles/debugger.md': front().replace('mine', 'debugger') });
    expect((await findRole('debugger', '/', { HOME: home })).words).toBe('Be brief.');
    const about = (await listRoles({ HOME: home })).map((role) => `${role.name}: ${role.about}`);
    expect(about).toContain('debugger: says little');
    expect(about).toHaveLength(4);
  });

  it('reports that the path of a role is a broken link', async () => {
    const cwd = tempFolder();
    symlinkSync(join(cwd, 'gone'), join(cwd, 'evil.md'));
    await expect(findRole('./evil.md', cwd, env)).rejects.toThrow(
      'there is no file ./evil.md: it is a link that leads nowhere (setting role)',
    );
  });

  it.each([
    ['debuger', /no role "debuger"/, /Did you mean debugger/],
    ['./gone.md', /no file \.\/gone\.md/, /rlm roles/],
  ])('refuses %s', async (value, message, hint) => {
    await expect(findRole(value, tempFolder(), env)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });
});
