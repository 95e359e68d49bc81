import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, createScriptedProvider } from '../../../src/index.ts';
import { part, plan, sensible } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const text = Array.from({ length: 4_000 }, (_, at) => `The pool of part ${at} was limited by release ${at}.`).join(
  '\n\n',
);

/** Creates a model whose server counts one token per this many bytes; default: more than twice the estimate. */
function counting(bytesPerToken = 1.3) {
  const parts = [part('Which release limited part 17?'), part('Who wrote of the pool of part 18?', 1)];
  const search = { searches: [], answer: 'Release 17.', citations: [], assumptions: [] };
  const script = { ...sensible, search, planner: plan({ approach: 'decompose', keyQuestions: parts }) };
  const provider = createScriptedProvider(script as Parameters<typeof createScriptedProvider>[0]);
  const call: typeof provider.call = async (request, options) => {
    const reply = await provider.call(request, options);
    const bytes = request.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    return { ...reply, tokens: { input: Math.ceil(bytes / bytesPerToken), output: 20 } };
  };
  return { ...provider, call };
}

const settings = {
  strategy: 'decompose',
  stages: { planner: 'always' },
  context: { passages: 20 },
} as const;
const options = { documents: [{ name: 'a.md', text }], env: { HOME: '/dev/null/nowhere' }, settings };

const largestAnswerPrompt = ({ requests }: ReturnType<typeof counting>): number =>
  Math.max(
    ...requests
      .filter(({ input }) => input.prompt === 'answer')
      .map(({ messages }) => messages.reduce((sum, { content }) => sum + content.length, 0)),
  );

describe('the count of a server', () => {
  it('may include tools and schemas, which do not shrink the room', async () => {
    const provider = createScriptedProvider({ ...sensible, explore: 'The pool was large.' } as never);
    const sizes: number[] = [];
    const call: typeof provider.call = async (request, options) => {
      const reply = await provider.call(request, options);
      const { messages, schema, tools } = request;
      const input = Math.ceil(JSON.stringify([messages, schema, tools]).length / 2.5);
      if (request.input.prompt === 'answer') sizes.push(input);
      return { ...reply, tokens: { input, output: 20 } };
    };
    const counted = { ...provider, call };
    const set = { ...settings, context: { maxWindowTokens: 8_192 }, strategy: 'explore' } as const;
    const result = await ask(`What limited the pool? ${'Say which release. '.repeat(60)}`, {
      ...options,
      settings: set,
      provider: counted,
    });
    expect(result.warnings.join()).toContain('answered directly');
    expect(result).toMatchObject({ status: 'answered', error: null });
    expect(Math.max(...sizes)).toBeGreaterThan(4_000);
  });

  it('shrinks the room for later prompts, in the run and in its replay', async () => {
    const [provider, usual] = [counting(), counting(4)];
    const cwd = tempFolder();
    const record = join(tempFolder(), 'run.cassette');
    const first = await ask('What limited the pool?', { ...options, cwd, provider, record });
    await ask('What limited the pool?', { ...options, cwd, provider: usual });
    expect(first.status).toBe('answered');
    expect(largestAnswerPrompt(provider)).toBeLessThan(0.7 * largestAnswerPrompt(usual));
    const again = await ask('What limited the pool?', { ...options, cwd, replay: record });
    expect(again).toMatchObject({ status: 'answered', answer: first.answer, error: null });
  });
});
