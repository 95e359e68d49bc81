import { afterEach, describe, expect, test } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { type PromptName, prompts } from '../../src/prompts/index.ts';
import type { Fields } from '../../src/prompts/reply/fields.ts';
import { parseReply } from '../../src/prompts/reply/read-reply.ts';
import type { Message, ModelRequest, Provider } from '../../src/providers/provider.ts';
import { answerRequest, sampleInputs, sampleRequest } from './sample-requests.ts';

/** A provider for one test, with the facts about its server that the test needs. */
export interface ProviderUnderTest {
  readonly provider: Provider;
  /** Returns the messages of every call that the server received; left out if they cannot be observed. */
  readonly received?: () => readonly (readonly Message[])[];
  /** Returns the number of open connections; left out without connections. */
  readonly openSockets?: () => number;
  readonly close?: () => Promise<void>;
}

type Start = () => ProviderUnderTest | Promise<ProviderUnderTest>;

/** Functions that create a provider for each situation; null if the situation cannot occur. */
export interface ProviderSetup {
  /** Sends a suitable reply to every prompt. */
  readonly answers: Start;
  /** Accepts a call and never replies. */
  readonly stalls: Start | null;
  /** Begins a reply and never ends it. */
  readonly stallsMidReply: Start | null;
  /** Fails every call. */
  readonly fails: Start | null;
}

/** Long enough for a socket to close on any machine. A stalling server would keep it open for ever. */
const closedMs = 20_000;

const never = () => new AbortController().signal;

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

async function until(condition: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Expects a reply that can be read as a reply to the prompt without a repair. */
function expectReplyTo(prompt: PromptName, text: string): void {
  const fields: Fields = prompts[prompt].fields;
  expect(parseReply(fields, text, false)).toMatchObject({ class: 'ok' });
}

/** Tests a provider against the contract in `src/providers/provider.ts`. */
export function providerContract(name: string, setup: ProviderSetup): void {
  describe(`provider contract: ${name}`, () => {
    let open: ProviderUnderTest | null = null;

    async function start(how: Start): Promise<ProviderUnderTest> {
      open = await how();
      return open;
    }

    afterEach(async () => {
      await open?.close?.();
      open = null;
    });

    test('describes itself', async () => {
      const { provider } = await start(setup.answers);
      expect(provider.name).toMatch(/^[a-z][a-z-]*$/);
      const info = await provider.inspect(never());
      expect(info.model).not.toBe('');
      expect(Number.isInteger(info.maxWindowTokens) && info.maxWindowTokens > 0).toBe(true);
      expect(typeof info.structuredOutput).toBe('boolean');
      expect(typeof info.answersWithoutText).toBe('boolean');
      expect(info.notices.every((notice) => typeof notice === 'string')).toBe(true);
    });

    test.each(sampleInputs)('replies to the prompt $prompt in its form', async (input) => {
      const { provider } = await start(setup.answers);
      const reply = await provider.call(sampleRequest(input), { signal: never() });
      expectReplyTo(input.prompt, reply.text);
      expect(['stop', 'length']).toContain(reply.finish);
      if (reply.tokens !== null) {
        expect(reply.tokens.input).toBeGreaterThanOrEqual(0);
        expect(reply.tokens.output).toBeGreaterThanOrEqual(0);
      }
    });

    test('accepts concurrent calls', async () => {
      const { provider } = await start(setup.answers);
      const signal = never();
      const inputs = [...sampleInputs, ...sampleInputs, ...sampleInputs];
      const replies = await Promise.all(inputs.map((input) => provider.call(sampleRequest(input), { signal })));
      for (const [index, { text }] of replies.entries()) expectReplyTo(inputs[index]!.prompt, text);
    });

    test('reports progress as growing counts', async () => {
      const { provider } = await start(setup.answers);
      const counts: number[] = [];
      await provider.call(answerRequest(), { signal: never(), onProgress: (count) => counts.push(count) });
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
    });

    test('leaves the request unchanged, and shortens no message', async () => {
      const { provider, received } = await start(setup.answers);
      const content = `${'Ünïcödé text, line after line. '.repeat(1500)}the end`;
      const request: ModelRequest = answerRequest({ messages: [{ role: 'user', content }], windowTokens: 16_384 });
      const before = structuredClone(request);
      await provider.call(request, { signal: never() });
      expect(request).toEqual(before);
      if (received !== undefined) expect(received()).toEqual([before.messages]);
    });

    test.each(['inspect', 'call'] as const)('%s with an aborted signal rejects with its reason', async (method) => {
      const { provider, received } = await start(setup.answers);
      const reason = new RlmError('interrupted', 'stop');
      const signal = AbortSignal.abort(reason);
      const work = method === 'inspect' ? provider.inspect(signal) : provider.call(answerRequest(), { signal });
      expect(await thrownBy(work)).toBe(reason);
      expect(received?.() ?? []).toEqual([]);
    });

    const waiting = { 'before the reply': setup.stalls, 'in the middle of the reply': setup.stallsMidReply };
    for (const [when, how] of Object.entries(waiting)) {
      if (how === null) continue;
      test(`an abort ${when} rejects with the reason and closes the connection`, async () => {
        const { provider, received, openSockets } = await start(how);
        const reason = new RlmError('call-timeout', 'too slow');
        const controller = new AbortController();
        const work = thrownBy(provider.call(answerRequest(), { signal: controller.signal }));
        await until(() => (received?.().length ?? 1) > 0, 5000);
        await new Promise((resolve) => setTimeout(resolve, 30));
        controller.abort(reason);
        expect(await work).toBe(reason);
        await until(() => (openSockets?.() ?? 0) === 0, closedMs);
        expect(openSockets?.() ?? 0).toBe(0);
      });
    }

    test('aborting one call does not affect the others', async () => {
      const { provider } = await start(setup.answers);
      const controller = new AbortController();
      const aborted = provider.call(answerRequest(), { signal: controller.signal }).catch(() => null);
      const other = provider.call(answerRequest(), { signal: never() });
      controller.abort(new Error('only this one'));
      await aborted;
      expectReplyTo('answer', (await other).text);
    });

    test('can be closed without an error, also twice, before any call, and after an abandoned one', async () => {
      const { provider } = await start(setup.stallsMidReply ?? setup.stalls ?? setup.answers);
      const { provider: unused } = await setup.answers();
      await unused.close?.();
      const controller = new AbortController();
      const call = provider.call(answerRequest(), { signal: controller.signal }).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 30));
      controller.abort(new RlmError('interrupted', 'stop'));
      await call;
      await provider.close?.();
      expect(await provider.close?.()).toBeUndefined();
    });

    const { fails } = setup;
    if (fails === null) return;

    test('a failure is an RlmError with a code and a message', async () => {
      const { provider } = await start(fails);
      const error = await thrownBy(provider.call(answerRequest(), { signal: never() }));
      expect(error).toBeInstanceOf(RlmError);
      expect((error as RlmError).code).not.toBe('internal');
      expect((error as RlmError).message).not.toBe('');
    });
  });
}
