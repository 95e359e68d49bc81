import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../src/index.ts';
import { askScripted, long, plan } from '../../support/scripted-run.ts';

const answer = { answer: 'It ran out.', citations: [], assumptions: [] };

describe('the door', () => {
  it('asks once more if a reply cannot be read, and includes the error', async () => {
    const { result, requests, events } = await askScripted({ answer: ['{"answer": []}', answer] });
    expect(result).toMatchObject({ status: 'answered', answer: 'It ran out.', usage: { calls: 4 } });
    const repair = requests[2]!.messages;
    expect(repair.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(repair[2]!.content).toBe('{"answer": []}');
    expect(repair[3]!.content).toContain('"answer" (ANSWER) cannot be read');
    const classes = events.flatMap((event) => (event.type === 'call.completed' ? [event.reply] : []));
    expect(classes).toEqual(['ok', 'failed', 'repaired', 'ok']);
  });

  it('asks no third time', async () => {
    const { result, prompts } = await askScripted({ answer: '' });
    expect(prompts).toEqual(['planner', 'answer', 'answer']);
    expect(result).toMatchObject({
      status: 'failed',
      answer: null,
      error: { code: 'reply-unusable', message: expect.stringContaining('it began ""') },
    });
  });

  it('does not ask again if no call is left, and reports the error', async () => {
    const { result, prompts } = await askScripted({ answer: '' }, { settings: { budget: { maxCalls: 1 } } });
    expect(prompts).toEqual(['answer']);
    expect(result.error).toMatchObject({ code: 'reply-unusable' });
  });

  it('allows findings to name only shown passages', async () => {
    const { requests, of } = await askScripted({ scan: { findings: [] } }, { settings: { strategy: 'scan' } });
    const [{ passages }] = of('scan') as [ReturnType<typeof of<'scan'>>[number]];
    const request = requests.find(({ input }) => input.prompt === 'scan')!;
    const passage = { type: 'string', enum: passages.map(({ id }) => id) };
    expect(request.schema).toMatchObject({ properties: { findings: { items: { properties: { passage } } } } });
  });

  it('asks for an answer in prose, with marks if the model is not small', async () => {
    const { requests } = await askScripted({});
    expect(requests[1]).toMatchObject({ input: { prompt: 'answer' }, schema: null });
    expect(requests[1]!.messages[1]!.content).toContain('the ids of all passages');
    expect(requests[1]!.messages[1]!.content).not.toContain('JSON');
  });

  it('sends the schema, the temperature, the window and the typed variables', async () => {
    const { requests } = await askScripted(
      {},
      { settings: { temperatures: { answer: 0.1 }, reply: { maxTokens: 99 } } },
    );
    expect(requests[1]).toMatchObject({
      input: { prompt: 'answer', variables: { question: 'Why did it fail?' } },
      temperature: 0.1,
      maxOutputTokens: 99,
      windowTokens: 8_192,
    });
    expect(requests.map(({ temperature }) => temperature)).toEqual([0.5, 0.1, 0.3]);
    expect(requests[0]).toMatchObject({ schema: { required: expect.arrayContaining(['keyQuestions', 'approach']) } });
    expect(requests[0]!.messages[1]!.content).toContain('one JSON object');
  });

  it('asks for labelled text if the provider cannot constrain JSON', async () => {
    const script = {
      planner: 'KEY QUESTIONS:\n1. Why?\nAPPROACH: direct',
      answer: '**ANSWER:** It ran out [P1].\n**ASSUMPTIONS:**\n- UTC',
      critic: 'CONFIDENCE_SCORE: 70/100\nGAPS: none',
    };
    const { result, requests } = await askScripted(script, { scripted: { structuredOutput: false } });
    expect(requests.every(({ schema }) => schema === null)).toBe(true);
    expect(requests[0]!.messages[1]!.content).toContain('APPROACH: <');
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'It ran out [1].',
      critique: { score: 70 },
      usage: { calls: 3 },
    });
  });

  it('tries again after a transient failure, which counts as one call', async () => {
    const busy = new RlmError('rate-limited', 'busy', { transient: true, retryAfterMs: 1 });
    const { result, events } = await askScripted({ answer: [busy, answer] as object[] });
    expect(result).toMatchObject({ status: 'answered', usage: { calls: 3, retries: 1, failedCalls: 0 } });
    expect(events.find(({ type }) => type === 'call.retried')).toMatchObject({
      call: 2,
      path: '0',
      attempt: 2,
      waitMs: 1,
    });
  });

  it('ends a call that takes too long', async () => {
    const { result } = await askScripted(
      { answer: () => new Promise<string>(() => {}) },
      { settings: { budget: { callTimeout: 0.05 } } },
    );
    expect(result).toMatchObject({ status: 'failed', error: { code: 'call-timeout' }, usage: { failedCalls: 1 } });
  });

  it('never sends a prompt that is larger than the window', async () => {
    const planned = plan({ successCriteria: ['x'.repeat(120_000)] });
    const { result, requests } = await askScripted({ planner: planned }, { documents: long });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'prompt-too-long' } });
    expect(requests).toHaveLength(1);
  });

  it('asks nothing about a text of which no passage fits the window', async () => {
    const { result, prompts } = await askScripted({}, { documents: long, scripted: { maxWindowTokens: 2_048 } });
    expect(prompts).toEqual(['planner']);
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'prompt-too-long', hint: expect.stringContaining('chunkTokens') },
    });
  });

  it('shows as many beginnings as fit when there is nothing to search for', async () => {
    const documents = Array.from({ length: 30 }, (_, index) => ({ name: `d${index}`, text: 'word '.repeat(4_000) }));
    const { result, of } = await askScripted({}, { documents, scripted: { maxWindowTokens: 4_400 } }, 'What is it?');
    expect(result.status).toBe('answered');
    expect(of('answer')[0]!.passages.map(({ startByte }) => startByte)).toEqual([0, 0, 0]);
  });
});
