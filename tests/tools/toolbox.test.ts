import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { RlmError } from '../../src/errors.ts';
import { chooseTools, tools } from '../../src/tools/index.ts';
import { readCall } from '../../src/tools/read-call.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { createToolbox, toSpec } from '../../src/tools/toolbox.ts';
import { createToolWorld } from './tool-world.ts';

const read = (tool: string, given: unknown) => readCall({ tool, arguments: given }, tools);

describe('every tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s has an example that it accepts, and a schema of an object',
    (_, tool) => {
      expect(z.safeParse(tool.parameters, tool.example).success).toBe(true);
      expect(toSpec(tool).schema).toMatchObject({ type: 'object' });
      expect(toSpec(tool).schema).not.toHaveProperty('$schema');
    },
  );

  it('takes little room: all schemas together have at most 4,000 characters as they are sent', () => {
    const sent = tools.map(toSpec).map(({ name, about, schema }) => ({
      type: 'function',
      function: { name, description: about, parameters: schema },
    }));
    expect(JSON.stringify(sent).length).toBeLessThanOrEqual(4_000);
    expect(tools.length).toBeLessThanOrEqual(9);
  });

  it('is offered if it makes sense and is allowed; the one that ends the exploration always is', () => {
    const all = { allow: null, documentCount: 3, hasCode: true, hasRecords: true, mayRecurse: true };
    const names = (means: Partial<Parameters<typeof chooseTools>[0]>) =>
      chooseTools({ ...all, ...means }).map(({ name }) => name);
    expect(names({})).toHaveLength(tools.length);
    expect(names({ allow: [] })).toEqual(['final_answer']);
    expect(names({ allow: ['grep'] })).toEqual(['grep', 'final_answer']);
    expect(names({ mayRecurse: false })).not.toContain('sub_query');
    expect(names({ documentCount: 1 })).not.toContain('list_files');
    expect(names({ hasCode: false })).not.toContain('extract_symbols');
    expect(names({ hasRecords: false, mayRecurse: false })).not.toContain('query');
  });
});

describe('reading a call', () => {
  const lines = { path: 'a.md', startLine: 3 };

  it.each([
    ['an object', lines],
    ['JSON as text', '{"path": "a.md", "startLine": 3}'],
    ['JSON as text, twice', JSON.stringify('{"path": "a.md", "startLine": 3}')],
    ['JSON that has to be mended', "{path: 'a.md', startLine: 3,}"],
    ['a number as text', { path: 'a.md', startLine: '3' }],
    ['null for what is left out', { ...lines, endLine: null, section: null }],
    ['nothing for a number that is left out', { ...lines, endLine: '' }],
    ['more than is asked for', { ...lines, reason: 'to see' }],
  ])('accepts %s', (_, given) => {
    expect(read('read_file', given).given).toEqual(lines);
  });

  it.each(['readFile', 'READ_FILE', 'functions.read_file', 'read-file', 'Read File'])('knows %s', (name) => {
    expect(read(name, lines).tool.name).toBe('read_file');
  });

  it.each([
    ['read_fil', lines, /no tool "read_fil"\. Did you mean read_file\? The form of a call: read_file \{/],
    ['xyzzy', {}, /no tool "xyzzy"\. The tools are list_files, .*final_answer\.$/],
    ['note', {}, /"text" is missing\. The form of a call: note \{"text":"…"/],
    ['note', { said: 3 }, /"text" is missing, and said is no argument of it/],
    ['read_file', { startLine: 'three' }, /"startLine" must be/],
    ['read_file', { startLine: 0 }, /"startLine" must be at least 1/],
    ['read_file', 'line three', /arguments of read_file must be a JSON object\. The form of a call/],
    ['read_file', [1, 2], /must be a JSON object/],
    ['sub_query', { queries: [] }, /"queries" must have at least 1 item\./],
    ['query', { sql: '' }, /"sql" must have at least 1 character\./],
    ['classify', { path: 'a.md', labels: ['one'] }, /"labels" must have at least 2 items/],
    ['classify', { labels: Array(99).fill('one') }, /"labels" must have at most \d+ items/],
  ])('says what is wrong with %s %j', (tool, given, said) => {
    expect(() => read(tool, given)).toThrow(said);
  });

  it('makes a list of a single value', () => {
    const queries = [{ question: 'Why?' }];
    expect(read('sub_query', { queries: queries[0] }).given).toEqual({ queries });
    expect(read('sub_query', { question: 'Why?' }).given).toEqual({ queries });
    expect(read('final_answer', { answer: 'A', missing: 'Who?' }).given).toEqual({ answer: 'A', missing: ['Who?'] });
  });

  it('repairs the items of a list that was written as text', () => {
    const given = { answer: 5, evidence: '[{"passage": "P1", "quote": 7}]', tells: 'most' };
    expect(read('final_answer', given).given).toEqual({ answer: '5', evidence: [{ passage: 'P1', quote: '7' }] });
  });

  it('accepts an answer without its statements about itself if these cannot be read', () => {
    const given = { answer: 'A', tells: 'most of it', missing: [{ a: 1 }], evidence: 'P1' };
    expect(read('final_answer', given).given).toEqual({ answer: 'A' });
    expect(read('final_answer', { answer: 'A', tells: 'part', missing: [] }).given).toMatchObject({ tells: 'part' });
  });
});

describe('the calls of a step', () => {
  const { world } = createToolWorld();
  const parameters = z.object({ n: z.int() });
  const log: string[] = [];
  const make = (name: string, run: Tool<{ n: number }>['run']): Tool<{ n: number }> => ({
    name,
    about: name,
    parameters,
    example: { n: 1 },
    needs: 'run',
    run,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** The call of 30 always ends last, however slow the machine is. */
  async function pause(n: number): Promise<void> {
    await turn();
    while (n === 30 && !log.includes('end 1')) await turn();
  }
  const slow = make('slow', async ({ n }) => {
    log.push(`start ${n}`);
    await pause(n);
    log.push(`end ${n}`);
    return `waited ${n}`;
  });
  const failing = make('failing', async () => {
    throw new RlmError('limit-calls', 'no more');
  });
  /** A result of `n` characters, of which those that fit the room are shown. */
  const long = make('long', async ({ n }) => ({ characters }) => ({
    text: 'x'.repeat(Math.min(n, characters)),
    passages: [],
  }));
  const paid = make('paid', async ({ n }) => 'y'.repeat(n));
  const box = () => createToolbox([slow, failing, long, paid]);
  const where = { step: 1, firstShown: 1, world, keep: () => {} };
  const actions = (...names: (readonly [string, number])[]) => names.map(([tool, n]) => ({ tool, arguments: { n } }));

  it('run concurrently, and return in order', async () => {
    log.length = 0;
    const { calls } = await box().callAll(actions(['slow', 30], ['slow', 1]), where);
    expect(log).toEqual(['start 30', 'start 1', 'end 1', 'end 30']);
    expect(calls.map(({ use }) => use.result)).toEqual(['waited 30', 'waited 1']);
  });

  it.each([
    [
      'all that they need where there is room',
      [
        ['long', 900],
        ['long', 1_000],
      ],
      [900, 1_000],
    ],
    [
      'what short ones leave',
      [
        ['long', 100],
        ['long', 5_000],
        ['long', 300],
      ],
      [100, 1_600, 300],
    ],
    [
      'equal shares where all are long',
      [
        ['long', 5_000],
        ['long', 6_000],
      ],
      [1_000, 1_000],
    ],
    [
      'never less than they have where they were paid for',
      [
        ['paid', 1_800],
        ['long', 5_000],
      ],
      [1_800, 500],
    ],
  ] as const)('get %s', async (_, given, expected) => {
    const { calls } = await box().callAll(actions(...given), where);
    expect(calls.map(({ use }) => use.result.length)).toEqual(expected);
  });

  it('are not made twice', async () => {
    log.length = 0;
    const mine = box();
    const { calls } = await mine.callAll(actions(['slow', 2], ['slow', 2]), where);
    expect(calls.map(({ use }) => [use.result, use.outcome])).toEqual([
      ['waited 2', 'done'],
      ['The same as call 1 of this step.', 'same'],
    ]);
    const later = await mine.callAll(actions(['slow', 2]), { ...where, step: 5 });
    expect(later.calls[0]!.use.result).toBe('The same as step 1, call 1.');
    const folded = await mine.callAll(actions(['slow', 2]), { ...where, step: 9, firstShown: 4 });
    expect(folded.calls[0]!.use).toMatchObject({ result: 'waited 2', outcome: 'same' });
    expect(log).toEqual(['start 2', 'end 2']);
  });

  it('report the end of the run, and keep the results of the others', async () => {
    const { calls, stopped } = await box().callAll(actions(['slow', 1], ['failing', 1]), where);
    expect(stopped).toMatchObject({ code: 'limit-calls' });
    expect(calls.map(({ use }) => use.result)).toEqual(['waited 1', 'no more']);
  });
});
