/** Tests the steps of `auto` for four kinds of questions over the handbook, with models of three abilities. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/config/folders.ts';
import type { LadderStep } from '../../src/state.ts';
import { type ChatCall, promptOf } from '../servers/ollama-server.ts';
import { warned } from '../support/warned.ts';
import { startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const handbook = join(packageRoot, 'examples/handbook');
const large = { name: 'qwen2.5-coder:14b' };
const little = { name: 'qwen2.5-coder:1.5b', parameterSize: '1.5B', size: 1e9 };

const shown = ({ messages }: ChatCall) => messages.map(({ content }) => content).join('\n');
const sizeOf = (call: ChatCall) => shown(call).length;

type Handlers = Parameters<typeof startServer>[0];

/** A model that answers if the passages hold the answer. */
const reads =
  (sentence: string) =>
  (call: ChatCall): string =>
    shown(call).includes(sentence) ? sentence : 'The text does not say.';

async function askHandbook(
  question: string,
  handlers: Handlers,
  model: typeof large | typeof little,
  config: object = {},
) {
  const server = await startServer(handlers, { models: [model] });
  const env = { OLLAMA_HOST: server.url, RLM_MODEL: model.name, RLM_PROVIDER: 'ollama' };
  const run = await rlm(['ask', question, handbook, '--json'], {
    cwd: createFolder({ 'rlm.config.json': JSON.stringify(config) }),
    env,
  });
  const result = resultOf(run);
  const steps = (result.ladder ?? []).map(({ step }): LadderStep => step);
  return { run, result, steps, requests: server.requests, prompts: server.requests.map(promptOf) };
}

const lookUp = 'Within how many minutes must a page be acknowledged?';
const fact = 'Acknowledge a page within 5 minutes and be at a keyboard within 15.';

describe.concurrent('a look-up', () => {
  it.each([
    ['one call with the best passages whole', large, ['answer'], 20_000],
    ['one short call, of a small model whose answer stands in passages about the question', little, ['answer'], 8_000],
  ] as const)('is %s', async (_, model, expected, size) => {
    const { run, result, steps, requests, prompts } = await askHandbook(lookUp, { answer: reads(fact) }, model);
    expect(run.code, run.stderr).toBe(0);
    expect(steps).toEqual(['answer']);
    expect(prompts).toEqual(expected);
    for (const request of requests) expect(sizeOf(request)).toBeLessThanOrEqual(size);
    expect(result.answer).toContain('within 5 minutes');
    expect(result.citations).toMatchObject([{ source: expect.stringContaining('on-call.md') }]);
  });

  it('is quoted if a small model gives no useful reply', async () => {
    const { run, result, steps } = await askHandbook(lookUp, { answer: '' }, little);
    expect(run.code, run.stderr).toBe(0);
    expect(steps).toEqual(['answer', 'quote']);
    expect(result.answer).toContain('within 5 minutes');
    // No model answered, so a confidence would be that of quotes.
    expect(result).toMatchObject({ confidence: null, confidenceKind: 'match' });
    expect(result.warningCodes).toContain('reply-unusable');
  });
});

describe.concurrent('a count', () => {
  it('is made by a model with tools if its first reply says that it needs all of the text', async () => {
    const answer = 'In two places.\n\nTELLS: part\nMISSING: none\nNEEDS ALL: yes';
    const handlers = { answer, repl: 'FINAL(It stands in 7 lines.)' };
    const { result, steps, prompts } = await askHandbook('How many lines say "on call"?', handlers, large);
    expect(prompts.slice(0, 2)).toEqual(['answer', 'repl']);
    expect(steps).toEqual(['answer', 'repl']);
    expect(result.answer).toContain('It stands in 7 lines.');
  });
});

describe.concurrent('a question in two hops', () => {
  const twoHops = 'Which days does the call-out of a contractor in the warehouse rotation end on?';

  it('ends with no less than the first answer if the next step of a large model fails', async () => {
    const answer = 'Contractors left the warehouse in June 1987.\n\nTELLS: part\nMISSING:\n- What ends on a Friday?';
    const { run, result, steps } = await askHandbook(twoHops, { answer, explore: '', conclude: '' }, large);
    expect(run.code, run.stderr).toBe(0);
    expect(steps.slice(0, 2)).toEqual(['answer', 'explore']);
    expect(result.ladder[0]).toMatchObject({ doubt: 'missing: What ends on a Friday?', isKept: true });
    expect(result.answer).toContain('June 1987');
  });

  it('lets a small model read more of the text, for the searches that it names, and takes no further step', async () => {
    const handlers = {
      answer: 'The text does not say.',
      answerable: 'NO',
      hop: 'On what weekdays does a standby of freelancers finish?',
    };
    const { run, steps, prompts, requests } = await askHandbook(twoHops, handlers, little);
    expect(run.code, run.stderr).toBe(0);
    expect(steps).toEqual(['answer', 'wider']);
    expect(prompts).toEqual(['answer', 'answerable', 'hop', 'answer', 'answerable']);
    expect(sizeOf(requests[3]!)).toBeGreaterThan(sizeOf(requests[0]!));
    // The same beginning, which the server need not read again.
    const [first, , , wider] = requests.map(shown);
    const passages = first!.slice(0, first!.lastIndexOf('</passage>'));
    expect(wider!.startsWith(passages)).toBe(true);
  });
});

describe.concurrent('an answer of a small model whose evidence is thin', () => {
  const question = 'How long is the lunch break on Fridays?';
  const guess = 'The lunch break is 15 months.';

  it('is withdrawn if the model says that neither these passages nor more of them hold it', async () => {
    const handlers = { answer: guess, answerable: 'NO', hop: 'When is the canteen open?' };
    const { run, result, steps, prompts, requests } = await askHandbook(question, handlers, little);
    expect(run.code, run.stderr).toBe(0);
    expect(steps).toEqual(['answer', 'wider']);
    expect(prompts).toEqual(['answer', 'answerable', 'hop', 'answer', 'answerable']);
    expect(result.answer).toBe('Not found: the passages that were read do not hold the answer.');
    expect(warned(result, 'not-held')).toContain(guess);
    expect(result.ladder[0]).toMatchObject({ doubt: expect.stringContaining('the model says') });
    // The same beginning, which the server need not read again.
    const [first, asked] = requests.map(shown);
    const passages = first!.slice(0, first!.lastIndexOf('</passage>'));
    expect(asked!.startsWith(passages)).toBe(true);
  });

  it.each([
    ['it says that they do', 'YES'],
    ['it says nothing of use', 'That is a good question.'],
  ])('stays if %s', async (_, answerable) => {
    const { run, result, prompts } = await askHandbook(question, { answer: guess, answerable, hop: '' }, little);
    expect(run.code, run.stderr).toBe(0);
    expect(prompts.slice(0, 2)).toEqual(['answer', 'answerable']);
    expect(result.answer).toContain('15 months');
  });

  it('is not checked if the critic is turned off', async () => {
    const config = { stages: { critic: 'never' } };
    const { prompts } = await askHandbook(question, { answer: guess, hop: '' }, little, config);
    expect(prompts).not.toContain('answerable');
  });
});

describe.concurrent('a summary', () => {
  it.each([large, little])('reads all of the text if the reply asks for that, with $name', async (model) => {
    const { result, steps, prompts } = await askHandbook(
      'Summarize the handbook.',
      { scan: { findings: [], more: 'no', asksFor: 'other' } },
      model,
      { strategy: 'scan' },
    );
    expect(result.plan).toMatchObject({ madeBy: 'code', approach: 'scan' });
    expect(steps).toEqual(['scan']);
    expect(prompts.filter((prompt) => prompt === 'scan').length).toBeGreaterThan(1);
  });
});
