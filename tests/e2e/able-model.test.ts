/** Runs the built program with a simulated able model, which says what is missing and finds it with tools. */
import { afterAll, describe, expect, it } from 'vitest';
import { type ChatCall, promptOf, replyByFormat } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { look } from '../support/scripted-run.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

type Handlers = Parameters<typeof replyByFormat>[0];

const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Asks a named model with a window of 32,768 tokens and these replies. */
async function ask(question: string, handlers: Handlers, files: Readonly<Record<string, string>>, ...flags: string[]) {
  const models = [{ id: 'able', max_model_len: 32_768 }];
  const server = await startOpenAiServer({ chat: replyByFormat(handlers), models });
  servers.push(server);
  const args = ['ask', question, '.', '-p', 'openai', '-m', 'able', ...flags];
  const run = await rlm(args, { cwd: createFolder(files), env: { OPENAI_BASE_URL: server.url } });
  const asked = server.chats.map((call: ChatCall) => promptOf(call) ?? 'explore');
  return { run, asked };
}

const filler = 'Nothing else happened then, and nobody was called.\n\n'.repeat(1_500);
const files = {
  'pool.md': `# Pool\n\nThe pool was lowered in release 4.2, and 57 requests failed in 16.1 s.\n\n${filler}`,
  'people.md': `# People\n\n${filler}\nHank Snow followed Mara Lind from North Carolina.\n`,
};
const question = 'In which release was the pool lowered, and who was asked before?';
const missing = 'Who was asked before the pool was lowered?';
const first = `The pool was lowered in release 4.2 [P1].\n\nTELLS: part\nMISSING:\n- ${missing}\nNEEDS ALL: no`;
const search = look(['grep', { words: 'Hank Snow Mara Lind North Carolina' }]);
const critic = { verdicts: [], gaps: [], conflicts: [], reasoning: 'As computed.', confidenceScore: 90 };

describe.concurrent('an able model whose first reply says what is missing', () => {
  it.each([
    ['"no"', 'No, nobody was asked before release 4.2.', []],
    ['"without"', 'It was lowered in release 4.2 without a word to Hank Snow.', []],
    ['"cannot"', 'Release 4.2 cannot have been told to anybody: none of the two people was asked.', []],
    [
      'a number that a tool computed',
      'That was 3.54 failed requests a second.',
      [['calculate', { expression: '57/16.1' }]],
    ],
    ['names in the order of no sentence', 'Mara Lind followed Hank Snow, who went to North Carolina.', []],
    ['words that sound like nothing found', 'Not found: the text does not say that anybody was asked.', []],
  ] as const)('prints its later answer, in at most 5 calls, if that has %s', async (_, later, tools) => {
    const steps = [search, ...tools.map((tool) => look([...tool])), look(['final_answer', { answer: later }])];
    const handlers = { answer: first, explore: (_call: unknown, at: number) => steps[at]!, critic };
    const { run, asked } = await ask(question, handlers, files, '--json');
    expect(run.code, run.stderr).toBe(0);
    expect(asked.slice(0, steps.length + 1)).toEqual(['answer', ...steps.map(() => 'explore')]);
    expect(asked.length).toBeLessThanOrEqual(5);
    const { answer, ladder, status } = resultOf(run);
    expect(status).toBe('answered');
    expect(answer!.replace(/ ?\[\d+\]/g, '')).toBe(later);
    expect(ladder).toMatchObject([
      { step: 'answer', doubt: `missing: ${missing}`, isKept: false },
      { step: 'explore', isKept: true },
    ]);
  });

  it('has only the answer on stdout, and never a label of its reply', async () => {
    const later = 'Nobody was asked before release 4.2.';
    const steps = [search, look(['final_answer', { answer: later }])];
    const { run } = await ask(question, { answer: first, explore: (_: unknown, at: number) => steps[at]! }, files);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout.replace(/ ?\[\d+\]/g, '')).toContain(later);
    expect(run.stdout).not.toContain('lowered in release 4.2 [');
    expect(run.stdout + run.stderr).not.toMatch(/TELLS|NEEDS ALL|MISSING/);
  });

  it('keeps its earlier answer if the tools find nothing', async () => {
    const { run } = await ask(question, { answer: first, explore: '', conclude: '' }, files, '--json');
    expect(resultOf(run).answer!.replace(/ ?\[\d+\]/g, '')).toBe('The pool was lowered in release 4.2.');
  });
});

describe.concurrent('a question that counts, with a named model', () => {
  const log = [3, 7, 3, 7, 3, 7, 3, 7, 3]
    .map((id, line) => `10:0${line} worker ${id} took job ${line * 11}\n`)
    .join('');

  it.each(['There are 2 workers [P1].', 'Two workers, 3 and 7, took jobs [P1].'])(
    "is answered by the model, and has no number except the model's: %s",
    async (answer) => {
      const { run, asked } = await ask('How many workers are there?', { answer, critic }, { 'a.log': log }, '--json');
      expect(run.code, run.stderr).toBe(0);
      expect(asked[0]).toBe('answer');
      const result = resultOf(run);
      expect(result.usage.calls).toBeGreaterThanOrEqual(1);
      expect(result.answer).toBe(answer.replace('[P1]', '[1]'));
      expect(result.recursionTree!.certainty).toBeNull();
    },
  );
});
