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
    '%s has an example that it takes, and a schema of an object',
    (_, tool) => {
      expect(z.safeParse(tool.parameters, tool.example).success).toBe(true);
      expect(toSpec(tool).schema).toMatchObject({ type: 'object' });
      expect(toSpec(tool).schema).not.toHaveProperty('$schema');
    },
  );

  it('holds the tools that are available and allowed, and always the one that ends the exploration', () => {
    const names = (means: Parameters<typeof chooseTools>[0]) => chooseTools(means).map(({ name }) => name);
    expect(names({ allow: [], hasFiles: false, mayRecurse: true })).toEqual(['final_answer']);
    expect(names({ allow: null, hasFiles: true, mayRecurse: false })).not.toContain('sub_query_batch');
    expect(names({ allow: null, hasFiles: true, mayRecurse: true })).toHaveLength(tools.length);
  });
});

describe('reading a call', () => {
  const peek = { source: 'a.md', startLine: 3 };

  it.each([
    ['an object', peek],
    ['JSON as text', '{"source": "a.md", "startLine": 3}'],
    ['JSON as text, twice', JSON.stringify('{"source": "a.md", "startLine": 3}')],
    ['JSON that has to be mended', "{source: 'a.md', startLine: 3,}"],
    ['a number as text', { source: 'a.md', startLine: '3' }],
    ['null for what is left out', { ...peek, endLine: null, context: null }],
    ['nothing for a number that is left out', { ...peek, endLine: '' }],
    ['more than is asked for', { ...peek, reason: 'to see' }],
  ])('takes %s', (_, given) => {
    expect(read('peek_context', given).given).toEqual(peek);
  });

  it.each(['peekContext', 'PEEK_CONTEXT', 'functions.peek_context', 'peek-context'])('knows %s', (name) => {
    expect(read(name, peek).tool.name).toBe('peek_context');
  });

  it.each([
    ['peek_contxt', peek, /no tool "peek_contxt"\. Did you mean peek_context\? The form of a call: peek_context \{/],
    ['xyzzy', {}, /no tool "xyzzy"\. The tools are describe_context, .*final_answer\.$/],
    [
      'peek_context',
      {},
      /"startLine" is missing\. The form of a call: peek_context \{"source":"…","startLine":<number>/,
    ],
    ['peek_context', { line: 3 }, /"startLine" is missing, and line is no argument of it/],
    ['peek_context', { startLine: 'three' }, /"startLine" must be/],
    ['peek_context', { startLine: 0 }, /"startLine" must be at least 1/],
    ['peek_context', 'line three', /arguments of peek_context must be a JSON object\. The form of a call/],
    ['peek_context', [1, 2], /must be a JSON object/],
    ['sub_query_batch', { queries: [] }, /"queries" must be at least 1/],
  ])('says what is wrong with %s %j', (tool, given, said) => {
    expect(() => read(tool, given)).toThrow(said);
  });

  it('makes a list of a single thing', () => {
    expect(read('sub_query_batch', { queries: { question: 'Why?' } }).given).toEqual({
      queries: [{ question: 'Why?' }],
    });
  });
});

describe('the calls of a step', () => {
  const { world } = createToolWorld();
  const parameters = z.object({ n: z.int() });
  const log: string[] = [];
  const make = (name: string, run: (n: number) => Promise<string>): Tool<{ n: number }> => ({
    name,
    about: name,
    parameters,
    example: { n: 1 },
    needs: 'nothing',
    run: ({ n }) => run(n),
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** The call of 30 ends last, however slow the machine is. */
  async function pause(n: number): Promise<void> {
    await turn();
    while (n === 30 && !log.includes('end 1')) await turn();
  }
  const slow = make('slow', async (n) => {
    log.push(`start ${n}`);
    await pause(n);
    log.push(`end ${n}`);
    return `waited ${n}`;
  });
  const maker = make('maker', async (n) => slow.run({ n }, world));
  const failing = make('failing', async () => {
    throw new RlmError('limit-calls', 'no more');
  });
  const box = () => createToolbox([slow, maker, failing], new Set(['maker']));
  const where = { step: 1, firstShown: 1, worldFor: () => world };
  const actions = (...names: (readonly [string, number])[]) => names.map(([tool, n]) => ({ tool, arguments: { n } }));

  it('run at once, and come back in order', async () => {
    log.length = 0;
    const { calls } = await box().callAll(actions(['slow', 30], ['slow', 1]), where);
    expect(log).toEqual(['start 30', 'start 1', 'end 1', 'end 30']);
    expect(calls.map(({ use }) => use.result)).toEqual(['waited 30', 'waited 1']);
  });

  it('wait for what one before them makes', async () => {
    log.length = 0;
    await box().callAll(actions(['slow', 30], ['maker', 5], ['slow', 1]), where);
    expect(log).toEqual(['start 30', 'start 5', 'end 5', 'start 1', 'end 1', 'end 30']);
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

  it('report what ends the run, and keep the results of the others', async () => {
    const { calls, stopped } = await box().callAll(actions(['slow', 1], ['failing', 1]), where);
    expect(stopped).toMatchObject({ code: 'limit-calls' });
    expect(calls.map(({ use }) => use.result)).toEqual(['waited 1', 'no more']);
  });
});
