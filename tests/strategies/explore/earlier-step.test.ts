import { describe, expect, it } from 'vitest';
import { askBy } from '../../../src/api/ask.ts';
import { createScriptedProvider, type ModelRequest } from '../../../src/index.ts';
import type { ScriptedOptions, ScriptedReply } from '../../../src/providers/scripted/provider.ts';
import { solveWithTools } from '../../../src/strategies/explore/solve.ts';
import type { Draft } from '../../../src/strategies/strategy.ts';
import { logs } from '../../support/exploring.ts';
import { finalAnswer, look, variables } from '../../support/scripted-run.ts';

interface Begin {
  readonly answer: string | null;
  readonly missing: readonly string[];
  readonly window?: number;
  readonly scripted?: ScriptedOptions;
}

/** Explores after a first look that read the passages about the pool and their neighbours. */
async function exploreFrom(steps: readonly object[], { answer, missing, window = 16_384, scripted = {} }: Begin) {
  const reply = (_: ModelRequest, index: number) => (steps[index] ?? finalAnswer('Nothing more.')) as ScriptedReply;
  const provider = createScriptedProvider({ explore: reply }, scripted);
  let draft: Draft | null = null;
  const options = {
    documents: logs,
    cwd: import.meta.dirname,
    env: { HOME: '/dev/null/nowhere' },
    settings: { context: { maxWindowTokens: window } },
    provider,
  };
  await askBy('Who lowered the pool?', options, async (state, run) => {
    run.models.widen();
    const shown = run.passages.at([54, 0, 1, 2, 3, 4, 5, 6, 7]).map((passage) => ({ ...passage, text: 'An excerpt.' }));
    const question = {
      ...{ question: 'Who lowered the pool?', path: '0', depth: 0, ancestors: [], known: [], criteria: [] },
      ...{ passages: null, inHand: [], hasOwnText: false, parts: [], allotment: 40 },
      earlierStep: { shown, answer, missing },
    };
    draft = await solveWithTools(question, run, () => Promise.reject(new Error('no sub-query is asked')));
    return { state, stopped: { code: 'interrupted', message: 'enough', hint: null } as never };
  });
  return { draft: draft as unknown as Draft, requests: provider.requests };
}

const first = { answer: 'C-1187 lowered it [P55].', missing: ['Who wrote C-1187?'] };

describe('an exploration after a first look', () => {
  it.each([
    ['JSON', { structuredOutput: true }],
    ['labels', { structuredOutput: false }],
    ["the server's own way", { tools: true }],
  ] as const)(
    'begins with the passages read, whole, what they told, and what is missing, in %s',
    async (_, scripted) => {
      const { requests, draft } = await exploreFrom([finalAnswer('It was C-1187 [P55].')], { ...first, scripted });
      const [, { content }] = requests[0]!.messages as [unknown, { content: string }];
      expect(content).toContain('<passage id="P55" source="log.txt"');
      expect(content).toContain('The pool was lowered to 4 by config C-1187.');
      expect(content).not.toContain('An excerpt.');
      expect(content).toContain('C-1187 lowered it [P55].');
      expect(content).toContain('- Who wrote C-1187?');
      if (!('tools' in scripted))
        expect(draft).toMatchObject({
          answer: 'It was C-1187 [P55].',
          citations: [{ passage: 'P55', source: 'log.txt' }],
        });
    },
  );

  it('shows as many of the passages as a third of the room holds', async () => {
    const ids = async (window: number) => {
      const { requests } = await exploreFrom([finalAnswer('So.')], { ...first, window });
      return variables(requests[0]!, 'explore').begun!.shown.length;
    };
    expect(await ids(6_000)).toBeLessThan(9);
    expect(await ids(32_768)).toBe(9);
  });

  it('says what it found in addition, and what is still missing', async () => {
    const { draft } = await exploreFrom(
      [look(['grep', { pattern: 'authored' }]), finalAnswer('Mara [P110].', { tells: 'part', missing: ['When?'] })],
      first,
    );
    expect(draft).toMatchObject({ answer: 'Mara [P110].', tells: 'part', missing: ['When?'], strategy: 'explore' });
  });

  it('leaves out empty parts', async () => {
    const { requests } = await exploreFrom([finalAnswer('So.')], { answer: null, missing: [] });
    const [, { content }] = requests[0]!.messages as [unknown, { content: string }];
    expect(content).not.toContain('What was answered');
    expect(content).not.toContain('What was missing');
  });

  it('fails if no step succeeds, instead of answering from earlier passages', async () => {
    const failing = exploreFrom(['nonsense', 'nonsense'] as never, first);
    await expect(failing).rejects.toMatchObject({ code: 'reply-unusable' });
  });
});
