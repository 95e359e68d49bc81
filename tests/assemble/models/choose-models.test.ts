import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { dryRun, type ModelRequest, type Passage } from '../../../src/index.ts';
import { askRouted, namedProvider } from '../../support/routed-run.ts';
import { decomposing, long, part, plan, type Script, splitInto, variables } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
const twoParts = splitInto(part('What ran out?'), part('When did it?'));
const dead = (code: 'provider-unreachable' | 'request-refused' = 'provider-unreachable') => {
  const fail = () => new RlmError(code, `nobody is there (${code})`);
  return namedProvider('main', { planner: fail, answer: fail, compose: fail, critic: fail, assess: fail });
};

describe('the models of a run', () => {
  it('are chosen by prompt', async () => {
    const providers = [namedProvider('main'), namedProvider('small')] as const;
    const { asked, result } = await askRouted(providers, { models: { planner: 'small', critic: 'small' } });
    expect(asked).toEqual({ main: ['answer'], small: ['planner', 'critic'] });
    expect(result).toMatchObject({ status: 'answered', provider: 'main', answer: 'From main.' });
  });

  it('are chosen by depth', async () => {
    const providers = [namedProvider('main', twoParts), namedProvider('small')] as const;
    const { asked, result } = await askRouted(providers, { ...decomposing.settings, models: { 1: 'small' } });
    expect(asked['main']).toEqual(['planner', 'compose', 'critic']);
    expect(asked['small']!.toSorted()).toEqual(['answer', 'answer', 'assess', 'assess']);
    expect(result.recursionTree!.children.map(({ answer }) => answer)).toEqual(['From small.', 'From small.']);
  });

  it('may be another one for questions below the root', async () => {
    const providers = [namedProvider('main', twoParts), namedProvider('small')] as const;
    const settings = { ...decomposing.settings, recursive: { provider: 'small' }, models: { assess: 'main' } };
    const all = [...providers, { ...providers[0] }] as const;
    const { asked } = await askRouted(all, settings);
    expect(asked['small']).toEqual(['answer', 'answer']);
  });

  it('have their own usage, price and path in every event of a call', async () => {
    const providers = [namedProvider('main'), namedProvider('paid', {}, { spends: 'money' })] as const;
    const settings = { models: { critic: 'paid' }, prices: { 'paid/m': { input: 1_000, output: 1_000 } } };
    const { result, events } = await askRouted(providers, settings);
    const [main, paid] = result.usage.models;
    expect(main).toMatchObject({ provider: 'main', model: 'm', calls: 2, cost: 0 });
    expect(paid).toMatchObject({ provider: 'paid', calls: 1, cost: result.usage.cost });
    expect(paid!.cost).toBeGreaterThan(0);
    const served = events.flatMap((event) => (event.type === 'call.completed' ? [event.provider] : []));
    expect(served).toEqual(['main', 'main', 'paid']);
  });

  it('have their own window, which limits their passages', async () => {
    const small = namedProvider('small', {}, { maxWindowTokens: 4_096 });
    const main = namedProvider('main');
    await askRouted([main, small], { models: { answer: 'small' } }, { documents: long });
    const [answer] = small.requests;
    expect(answer!.windowTokens).toBe(4_096);
    const bytes = answer!.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    expect(bytes).toBeLessThan((4_096 - 1_024) * 3);
    expect(bytes).toBeGreaterThan(2_000);
    expect(new Set(main.requests.map(({ windowTokens }) => windowTokens))).toEqual(new Set([16_384]));
  });

  it('give the critic as many passages as its own window fits', async () => {
    const text = Array.from({ length: 4_000 }, (_, index) => `Step ${index} did fail at night.\n\n`).join('');
    const cite = (passage: Passage) => ({ passage: passage.id, quote: passage.text.split('\n', 1)[0]! });
    const main = namedProvider('main', {
      answer: (request) => {
        const citations = variables(request, 'answer').passages.map(cite);
        return { answer: 'So.', citations, assumptions: [] };
      },
    });
    const small = namedProvider('small', {}, { maxWindowTokens: 4_096 });
    const { result } = await askRouted(
      [main, small],
      { models: { critic: 'small' }, auto: { firstLookTokens: 4_000 } },
      { documents: [{ name: 'a', text }] },
    );
    expect(small.requests).toHaveLength(1);
    expect(result).toMatchObject({
      warningCodes: ['not-judged'],
      warnings: [expect.stringMatching(/ saw [1-5] of 6 passages/)],
    });
  });

  it('that are unavailable end the run before anything is spent', async () => {
    const gone = namedProvider('gone');
    const missing = { ...gone, inspect: async () => Promise.reject(new RlmError('model-missing', 'no such model')) };
    const main = namedProvider('main');
    await expect(askRouted([main, missing], { models: { critic: 'gone' } })).rejects.toMatchObject({
      code: 'model-missing',
    });
    expect(main.requests).toEqual([]);
  });

  it('may be asked for text without a schema if one of them supports no other form', async () => {
    const labelled = { critic: 'CONFIDENCE_SCORE: 55/100\nGAPS: none' };
    const plain = namedProvider('plain', labelled, { structuredOutput: false });
    const main = namedProvider('main');
    const { result } = await askRouted([main, plain], { models: { critic: 'plain' } });
    expect(result.critique).toMatchObject({ score: 55 });
    expect(main.requests.find(({ input }) => input.prompt === 'planner')!.schema).not.toBeNull();
    expect(plain.requests[0]!.schema).toBeNull();
  });

  it('need an existing provider', async () => {
    const wrong = askRouted([namedProvider('main'), namedProvider('second')], { recursive: { provider: 'secnd' } });
    await expect(wrong).rejects.toMatchObject({
      code: 'config-invalid',
      hint: expect.stringContaining('Did you mean second?'),
    });
  });

  it('are named by validated settings', async () => {
    const wrong = askRouted([namedProvider('main')], { models: { critc: 'x' } });
    await expect(wrong).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('did you mean "critic"'),
    });
  });
});

describe('a fallback model', () => {
  it('replaces each failed call, and is named once', async () => {
    const { result, asked, events } = await askRouted([dead(), namedProvider('spare')], { fallbacks: ['spare'] });
    expect(result).toMatchObject({ status: 'answered', answer: 'From spare.' });
    expect(asked['spare']).toEqual(['planner', 'answer', 'critic']);
    const said = ['spare/m took over from main/m (provider-unreachable)'];
    expect(result.warnings).toEqual(said);
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual(said);
    expect(result.usage.models.map(({ provider, calls }) => [provider, calls])).toEqual([
      ['main', 3],
      ['spare', 3],
    ]);
  });

  it('is not used for a wrong request, or if none was named', async () => {
    const spare = namedProvider('spare');
    expect((await askRouted([dead('request-refused'), spare], { fallbacks: ['spare'] })).result.status).toBe('failed');
    expect((await askRouted([dead(), spare], {})).result.error).toMatchObject({ code: 'provider-unreachable' });
    expect(spare.requests).toEqual([]);
  });

  it('is used at the start if the model is missing', async () => {
    const gone = {
      ...namedProvider('main'),
      inspect: async () => Promise.reject(new RlmError('provider-unreachable', 'closed')),
    };
    const { result } = await askRouted([gone, namedProvider('spare')], { fallbacks: ['spare'] });
    expect(result).toMatchObject({
      status: 'answered',
      provider: 'spare',
      warningCodes: ['model'],
      warnings: [expect.stringMatching(/^spare\/m took over .*: closed$/)],
    });
  });

  it('is left out, with a warning, if it is missing itself', async () => {
    const gone = {
      ...namedProvider('spare'),
      inspect: async () => Promise.reject(new RlmError('provider-unreachable', 'closed')),
    };
    const { result } = await askRouted([namedProvider('main'), gone], { fallbacks: ['spare'] });
    expect(result).toMatchObject({
      status: 'answered',
      provider: 'main',
      warningCodes: ['model'],
      warnings: ['spare cannot take over: closed'],
    });
  });

  it('is asked for each call when a server is lost for good', async () => {
    const script = splitInto(...Array.from({ length: 5 }, (_, index) => part(`What is ${'abcde'[index]}?`)));
    const spare = namedProvider('spare', script);
    const main = dead();
    const { result } = await askRouted([main, spare], { ...decomposing.settings, fallbacks: ['spare'] });
    expect(result.status).toBe('answered');
    const [gone] = result.usage.models;
    expect(gone!.calls).toBe(main.requests.length);
  });
});

describe('a model that costs money', () => {
  const paid = (script = {}) => namedProvider('paid', script, { spends: 'money' });
  const settings = { ...decomposing.settings, recursive: { provider: 'paid' } };
  const prices = (usd: number) => ({ 'paid/m': { input: usd, output: usd } });
  const costly = /paid\/m: \d+ more calls .*up to \$\d+\.\d\d/;

  it('leads to one warning before it is asked below the root, if the cost may be high', async () => {
    const providers = [namedProvider('main', twoParts), paid()] as const;
    const { result, events } = await askRouted(providers, { ...settings, prices: prices(10) });
    expect(result).toMatchObject({ warningCodes: ['cost'], warnings: [expect.stringMatching(costly)] });
    const order = events.filter(
      (event) => event.type === 'warning' || ('provider' in event && event.provider === 'paid'),
    );
    expect(order[0]!.type).toBe('warning');
  });

  it('leads to no warning for small sums, or at the root', async () => {
    const cheap = await askRouted([namedProvider('main', twoParts), paid()], { ...settings, prices: prices(0.01) });
    expect(cheap.result.warnings).toEqual([]);
    const root = { ...decomposing.settings, models: { planner: 'paid', critic: 'paid' }, prices: prices(100) };
    expect((await askRouted([namedProvider('main'), paid(twoParts)], root)).result.warnings).toEqual([]);
  });

  it('leads to a warning if its price is unknown', async () => {
    const { result } = await askRouted([namedProvider('main', twoParts), paid()], settings);
    expect(result).toMatchObject({
      warningCodes: ['cost', 'cost'],
      warnings: [expect.stringContaining('the price of paid/m is unknown'), expect.stringContaining('an unknown sum')],
    });
    expect(result.usage).toMatchObject({ cost: null, models: [{ cost: 0 }, { cost: null }] });
  });

  it('leads to a warning in a dry run', async () => {
    const options = {
      documents: long,
      cwd: import.meta.dirname,
      env: { HOME: '/dev/null/nowhere' },
      provider: namedProvider('main'),
      providers: { paid: paid() },
      settings: { ...settings, prices: prices(10) },
    };
    expect((await dryRun('Why?', options)).warnings).toEqual([expect.stringMatching(costly)]);
    const direct = { ...options, settings: { ...options.settings, strategy: 'direct' as const } };
    expect((await dryRun('Why?', direct)).warnings).toEqual([]);
  });
});

describe('a recording of several models', () => {
  it('is replayed without any of them, including a fallback', async () => {
    const path = join(tempFolder(), 'tape');
    const settings = { models: { critic: 'small' }, fallbacks: ['spare'] };
    const providers = [dead(), namedProvider('small'), namedProvider('spare')] as const;
    const { result } = await askRouted(providers, settings, { record: path });
    const idle = [namedProvider('main'), namedProvider('small'), namedProvider('spare')] as const;
    const again = await askRouted(idle, {}, { replay: path });
    expect(again.asked).toEqual({ main: [], small: [], spare: [] });
    expect(again.result).toMatchObject({ status: 'answered', answer: result.answer, critique: result.critique });
    expect(again.result.usage.models.map(({ provider, calls }) => [provider, calls])).toEqual([
      ['spare', 2],
      ['small', 1],
    ]);
  });
});

describe('a dry run', () => {
  it('counts with the most expensive model', async () => {
    const options = {
      documents: long,
      cwd: import.meta.dirname,
      env: { HOME: '/dev/null/nowhere' },
      provider: namedProvider('main', { planner: plan() }),
      providers: { paid: namedProvider('paid', {}, { spends: 'money' }) },
    };
    const prices = { 'paid/m': { input: 10, output: 10 } };
    const alone = await dryRun('Why?', { ...options, settings: { prices } });
    const routed = await dryRun('Why?', { ...options, settings: { prices, models: { critic: 'paid' } } });
    expect(alone.worstCase.usd).toBe(0);
    expect(routed.worstCase.usd).toBeGreaterThan(1);
  });
});

describe('a form that a server refuses', () => {
  const labelled: Script = {
    planner: 'KEY QUESTIONS:\n1. Why?\nAPPROACH: direct',
    answer: 'ANSWER: It ran out.',
    critic: 'CONFIDENCE_SCORE: 70',
  };
  const strict = (message: string) => {
    const refuse = (reply: unknown) => (request: ModelRequest) =>
      request.schema === null ? (reply as string) : new RlmError('request-refused', message);
    return namedProvider(
      'main',
      Object.fromEntries(Object.entries(labelled).map(([name, one]) => [name, refuse(one)])),
    );
  };
  const formsOf = ({ requests }: { requests: readonly ModelRequest[] }) =>
    requests.map(({ schema }) => (schema === null ? 'text' : 'json'));

  it('is replaced by labelled text, discovered once, also for later runs', async () => {
    const folder = tempFolder();
    const first = strict('the server answered 400: response_format is not supported');
    const { result } = await askRouted([first], { stateFolder: folder });
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'It ran out.',
      usage: { calls: 4, failedCalls: 1 },
    });
    expect(formsOf(first)).toEqual(['json', 'text', 'text', 'text']);
    await expect.poll(() => existsSync(join(folder, 'cache', 'models.json'))).toBe(true);
    const later = strict('response_format is not supported');
    await askRouted([later], { stateFolder: folder });
    expect(formsOf(later)).toEqual(['text', 'text', 'text']);
    const other = { ...strict('schema'), inspect: async () => ({ ...(await first.inspect(signal)), digest: 'new' }) };
    await askRouted([other], { stateFolder: folder });
    expect(formsOf(other)[0]).toBe('json');
  });

  it('is not replaced if the request is wrong in another way', async () => {
    const provider = strict('temperature must be 1');
    const { result } = await askRouted([provider], { stateFolder: tempFolder() });
    expect(result.error).toMatchObject({ code: 'request-refused' });
    expect(new Set(formsOf(provider))).toEqual(new Set(['json']));
  });

  it('is replayed in the recorded form', async () => {
    const path = join(tempFolder(), 'tape');
    const provider = strict('no grammar here');
    const { result } = await askRouted([provider], { stateFolder: tempFolder() }, { record: path });
    const again = await askRouted([namedProvider('main')], { stateFolder: tempFolder() }, { replay: path });
    expect(again.result).toMatchObject({ status: 'answered', answer: result.answer });
  });
});
