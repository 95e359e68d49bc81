import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configurationOf, type TuneOptions, tune } from '../../../src/eval/tune/tune.ts';
import { renderTuning } from '../../../src/eval/tune/tuning-text.ts';
import { createScriptedProvider, type ModelRequest } from '../../../src/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { plan, sensible } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const numberIn = (request: ModelRequest): number =>
  Number(/What is (\d+)\?/.exec(JSON.stringify(request.messages))![1]);

function setUp(rightWhere: (request: ModelRequest) => boolean, count = 24, limits = {}) {
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ id: `s${at}`, question: `What is ${at}?`, target: `a${at}` }),
  );
  const filler = Array.from(
    { length: 200 },
    (_, at) => `Section ${at} says what is ${at}, at length and in full.`,
  ).join('\n\n');
  const folder = tempFolder({ 'q.jsonl': lines.join('\n'), 'text/a.md': filler });
  const answer = (request: ModelRequest) => ({
    answer: rightWhere(request) ? `a${numberIn(request)}` : 'b',
    citations: [],
    assumptions: [],
  });
  const planner = plan({ successCriteria: ['a number'] });
  const provider = createScriptedProvider({ ...sensible, planner, answer }, { maxWindowTokens: 4_096 });
  const options: TuneOptions = {
    questions: join(folder, 'q.jsonl'),
    choices: ['planner', 'fewer-passages', 'critic'],
    paths: ['text'],
    flags: new Map([
      ['reply.maxTokens', '256'],
      ['journal', 'false'],
    ]),
    limits: { calls: null, tokens: null, usd: null, ...limits },
    resume: false,
    judge: null,
    record: null,
    replay: null,
    signal: new AbortController().signal,
    provider,
    cwd: folder,
    env: { HOME: folder },
  };
  return { options, provider };
}

const passagesOf = ({ input }: ModelRequest) => (input.variables as { passages: readonly unknown[] }).passages.length;

describe('tuning', () => {
  it('finds choices that make a difference, and shows it on questions that have not chosen', async () => {
    // Only planned questions have criteria.
    const { options } = setUp(({ input }) => (input.variables as { criteria: readonly string[] }).criteria.length > 0);
    const found = await tune(options);
    expect(found.rounds.map(({ questions }) => questions)).toEqual([4, 8]);
    expect(found.rounds.every(({ choices }) => choices.some(({ name }) => name === 'as-it-is'))).toBe(true);
    expect(found.winner.name).toBe('planner');
    expect(found).toMatchObject({ stopped: null, isShown: true, confirmation: { n: 12, difference: 1 } });
    expect(found.sentences.at(-1)).toBe('Put into rlm.config.json: {"stages":{"planner":"always"}}');
  });

  it('leaves the settings as they are where nothing is better', async () => {
    const { options } = setUp(() => true, 16);
    const found = await tune(options);
    expect(found.isShown).toBe(false);
    expect(found.sentences.join(' ')).toMatch(/[Ll]eave (?:them|the settings) as they are/);
  });

  it('does not take luck for a difference: what chance favours is not recommended', async () => {
    // Right or wrong by a hash of question and passages: no setting is better than another.
    const { options } = setUp((request) => {
      const text = `${numberIn(request)} ${passagesOf(request)} ${request.input.prompt}`;
      return [...text].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 1_009, 7) % 2 === 0;
    });
    const found = await tune(options);
    expect(found.isShown).toBe(false);
    expect(found.sentences.at(-1)).not.toContain('rlm.config.json');
  });

  it('ends with the budget, and recommends nothing then', async () => {
    const { options, provider } = setUp(() => true, 16, { calls: 12 });
    const found = await tune(options);
    expect(found.stopped).toMatchObject({ code: 'limit-calls' });
    expect(provider.requests.length).toBeLessThanOrEqual(12);
    expect(found.sentences).toEqual([expect.stringContaining('Nothing is recommended')]);
    expect(renderTuning(found)).toContain('4 questions:');
  });

  it('refuses a choice that there is not', async () => {
    expect(await errorOf(tune({ ...setUp(() => true).options, choices: ['luck'] }))).toMatchObject({ code: 'usage' });
  });

  it('wants eight questions', async () => {
    expect(await errorOf(tune(setUp(() => true, 7).options))).toMatchObject({ code: 'usage' });
  });
});

it('settings become what the configuration holds', () => {
  expect(
    configurationOf({
      name: 'x',
      settings: {
        'context.passages': '16',
        'context.chunkTokens': '200',
        strategy: 'direct',
      },
    }),
  ).toEqual({ context: { passages: 16, chunkTokens: 200 }, strategy: 'direct' });
});
