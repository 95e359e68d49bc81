import { describe, expect, it } from 'vitest';
import { exitCodeOf, RlmError } from '../../src/index.ts';
import type { Reply } from '../../src/prompts/index.ts';
import type { Finding } from '../../src/prompts/reply/fields.ts';
import type { ModelRequest } from '../../src/providers/provider.ts';
import { askScripted, failing, part, plan, variables } from '../support/scripted-run.ts';

const filler = 'Nothing to see in this line, as in so many others.\n';

/** Creates a log with a line `outage N` at regular intervals. */
const logWith = (outages: number, linesBetween: number): string =>
  Array.from({ length: outages }, (_, n) => `${filler.repeat(linesBetween)}outage ${n + 1} of db-${n % 3}\n`).join('');

const log = (outages = 12, linesBetween = 150) => [{ name: 'a.log', text: logWith(outages, linesBetween) }];

/** A window that fits only a part of the text. */
const settings = {
  strategy: 'scan',
  context: { maxWindowTokens: 16_384 },
  auto: { firstLookTokens: 1_000 },
} as const;

/** Returns the outages in a piece of the text, as a careful reader would. */
function outagesIn(request: ModelRequest, keyOf = (line: string) => line): Finding[] {
  return variables(request, 'scan').passages.flatMap(({ id, text }) =>
    (text.match(/outage \d+ of db-\d/g) ?? []).map((line) => ({
      passage: id,
      quote: line,
      key: keyOf(line),
      finding: `There was ${line}.`,
    })),
  );
}

const reply = (findings: readonly Finding[], asksFor: Reply<'scan'>['asksFor']): Reply<'scan'> => ({
  findings,
  lines: [],
  more: 'no',
  asksFor,
});

/** Returns the text of a passage without its line numbers. */
const unnumbered = (shown: string): string => shown.replace(/^\d+\| /gm, '');

const counting = (request: ModelRequest) => reply(outagesIn(request), 'count');

describe('scan', () => {
  it('reads lines by number as findings if each thing is a line, in any number', async () => {
    const text = Array.from({ length: 400 }, (_, at) => `${at % 4 === 0 ? 'outage' : 'quiet'} ${at} on this line`);
    const scan = (request: ModelRequest) => ({
      ...reply([], 'count'),
      lines: variables(request, 'scan').passages.flatMap(({ text: shown }) =>
        [...shown.matchAll(/^(\d+)\| outage/gm)].map(([, number]) => number!),
      ),
    });
    const documents = [{ name: 'a.log', text: text.join('\n') }];
    const { result } = await askScripted({ scan }, { settings, documents }, 'How many outages?');
    expect(result.answer).toMatch(/^100 found/);
    expect(result.citations[1]).toMatchObject({ source: 'a.log', startLine: 5, quote: 'outage 4 on this line' });
  });

  it('asks the question about all of the text, each chunk once', async () => {
    const { of, result } = await askScripted({ scan: counting }, { settings, documents: log() }, 'How many outages?');
    const asked = of('scan');
    expect(asked.length).toBeGreaterThan(4);
    expect(new Set(asked.map(({ question }) => question))).toEqual(new Set(['How many outages?']));
    const numbers = asked.flatMap(({ passages }) => passages.map(({ id }) => Number(id.slice(1))));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from(numbers, (_, index) => index + 1));
    const text = asked.flatMap(({ passages }) => passages).toSorted((a, b) => a.startByte - b.startByte);
    const shown = text.flatMap((passage) => unnumbered(passage.text).split('\n'));
    expect(shown).toEqual(log()[0]!.text.trimEnd().split('\n'));
    expect(result).toMatchObject({ status: 'answered', error: null });
    expect(result.recursionTree).toMatchObject({ strategy: 'scan', children: [], calls: asked.length });
  });

  it('counts itself, and cites each place', async () => {
    const { result, prompts } = await askScripted({ scan: counting }, { settings, documents: log() }, 'How many?');
    expect(prompts).not.toContain('compose');
    expect(result.answer).toMatch(/^12 found:\n- There was outage 1 of db-0\. \[1\]\n/);
    expect(result.citations.map(({ quote }) => quote)).toEqual(
      Array.from({ length: 12 }, (_, n) => `outage ${n + 1} of db-${n % 3}`),
    );
    expect(result.citations[1]).toMatchObject({ number: 2, startLine: 302, endLine: 302 });
  });

  it('treats findings with the same key as one thing, wherever they are', async () => {
    const scan = (request: ModelRequest) => {
      const findings = outagesIn(request, (line) => line.replace(/.* of db-/, 'DB '));
      return reply(findings, 'list');
    };
    const { result } = await askScripted({ scan }, { settings, documents: log() }, 'List every database.');
    expect(result.answer!.split('\n')).toEqual([
      '3 different ones found, at 12 places in the text:',
      '- There was outage 1 of db-0. (at 4 places) [1] [2] [3]',
      '- There was outage 2 of db-1. (at 4 places) [4] [5] [6]',
      '- There was outage 3 of db-2. (at 4 places) [7] [8] [9]',
    ]);
  });

  it('lists at most 20 of the counted findings, with no other sources, and all findings of a list', async () => {
    const documents = log(60, 20);
    const counted = await askScripted({ scan: counting }, { settings, documents });
    expect(counted.result.answer!.split('\n')).toHaveLength(22);
    expect(counted.result.answer).toMatch(/^60 found:[\s\S]*\n- … and 40 more \(ask for a list to see them all\)$/);
    expect(counted.result.citations).toHaveLength(20);
    const listing = (request: ModelRequest) => reply(outagesIn(request), 'list');
    const listed = await askScripted({ scan: listing }, { settings, documents });
    expect(listed.result.citations).toHaveLength(60);
  });

  it('states the number in each document', async () => {
    const documents = [2, 5, 5].map((outages, n) => ({ name: `${n}.log`, text: logWith(outages, 60) }));
    const scan = (request: ModelRequest) => {
      const at = variables(request, 'scan').passages;
      return reply(
        outagesIn(request).map((one) => ({
          ...one,
          key: `${at.find(({ id }) => id === one.passage)!.source} ${one.key}`,
        })),
        'count',
      );
    };
    const { result } = await askScripted({ scan }, { settings, documents });
    expect(result.answer).toMatch(/^12 found:\nBy document: 1\.log 5, 2\.log 5, 0\.log 2\.\n- /);
  });

  it('counts equal lines one by one, each at its own place', async () => {
    const text = `start\n${'ERROR timeout\nINFO fine\n'.repeat(4)}`;
    const scan = (request: ModelRequest) =>
      reply(
        [1, 2, 3, 4].map((n) => ({
          passage: variables(request, 'scan').passages[0]!.id,
          quote: 'ERROR timeout',
          key: `error ${n}`,
          finding: 'A timeout.',
        })),
        'count',
      );
    const { result } = await askScripted({ scan }, { settings, documents: [{ name: 'a.log', text }] });
    expect(result.answer).toMatch(/^4 found:/);
    expect(result.citations.map(({ startLine }) => startLine)).toEqual([2, 4, 6, 8]);
  });

  it('has other answers composed, with the counted number', async () => {
    const scan = (request: ModelRequest) => reply(outagesIn(request), 'other');
    const compose = { finalAnswer: 'Twelve, the first in db-0 [P8] [P99999].', assumptions: [] };
    const script = { planner: plan({ successCriteria: ['a number'] }), scan, compose };
    const { of, result } = await askScripted(script, { settings, documents: log() }, 'What about the outages?');
    const [asked, ...others] = of('compose');
    expect(others).toEqual([]);
    expect(asked).toMatchObject({ question: 'What about the outages?', criteria: ['a number'] });
    expect(asked!.parts[0]).toMatchObject({ answer: '12 found' });
    expect(asked!.parts[1]!.question).toContain('1 to 12 of 12');
    expect(asked!.parts[1]!.answer!.split('\n')).toHaveLength(12);
    expect(result.answer).toBe('Twelve, the first in db-0.');
    expect(result).toMatchObject({
      warningCodes: ['evidence', 'evidence'],
      warnings: [expect.stringMatching(/\bP8\b.*none of its parts/), expect.stringContaining('P99999')],
    });
  });

  it('composes in a tree if the findings do not fit one prompt', async () => {
    const scan = (request: ModelRequest) =>
      reply(
        outagesIn(request).map((one) => ({ ...one, finding: `${one.finding} ${'So it was said. '.repeat(60)}` })),
        'other',
      );
    const compose = (request: ModelRequest) => {
      const [, found] = variables(request, 'compose').parts;
      return { finalAnswer: `Of these: ${found!.answer!.match(/\[P\d+\]/g)!.join('')}`, assumptions: [] };
    };
    const { of, requests, result } = await askScripted({ scan, compose }, { settings, documents: log(60, 40) });
    const asked = of('compose');
    expect(asked.length).toBeGreaterThan(3);
    const last = asked.at(-1)!.parts[1]!;
    expect(last.question).toContain('1 to 60 of 60');
    for (const request of requests)
      expect(Buffer.byteLength(request.messages[1]!.content) / 3).toBeLessThan(request.windowTokens);
    expect(result.citations).toHaveLength(60);
    expect(result.usage.calls).toBe(of('scan').length + asked.length + 2);
  });

  it('gives the same answer for any order of the replies', async () => {
    const documents = log(20, 100);
    const answers = await Promise.all(
      [0, 1, 2, 3].map(async (seed) => {
        const scan = async (request: ModelRequest, index: number) => {
          await new Promise((resolve) => setTimeout(resolve, ((index * 7 + seed * 13) % 5) * 8));
          return counting(request);
        };
        const { result } = await askScripted({ scan }, { settings, documents });
        return [result.answer, result.citations];
      }),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('leaves out a finding that does not occur in the text, with a warning', async () => {
    const scan = (request: ModelRequest) =>
      reply(
        outagesIn(request).map((one) => ({ ...one, quote: one.quote!.replace('outage 3 of', 'outage 33 of') })),
        'count',
      );
    const { result } = await askScripted({ scan }, { settings, documents: log() });
    expect(result.answer).toMatch(/^11 found:/);
    expect(result).toMatchObject({
      warningCodes: ['evidence'],
      warnings: [expect.stringMatching(/^a finding was left out: .*"outage 33 of db-2"/)],
    });
  });

  it.each([
    ['a wrong passage', (one: Finding) => ({ ...one, passage: 'P9999' })],
    ['another case', (one: Finding) => ({ ...one, quote: one.quote!.toUpperCase() })],
    ['its words in the finding alone', (one: Finding) => ({ ...one, quote: 'words', finding: one.quote! })],
  ])('keeps a finding that names %s, at the place of its words', async (_, change) => {
    const scan = (request: ModelRequest) => reply(outagesIn(request).map(change), 'count');
    const { result } = await askScripted({ scan }, { settings, documents: log() });
    const right = await askScripted({ scan: counting }, { settings, documents: log() });
    expect(result.answer).toMatch(/^12 found:/);
    expect(result.citations.map(({ startLine, quote }) => [startLine, quote])).toEqual(
      right.result.citations.map(({ startLine, quote }) => [startLine, quote]),
    );
    expect(result.warningCodes).not.toContain('evidence');
  });

  it('counts once a finding that was left out of a piece, whose halves then fail', async () => {
    const invented = { passage: 'P1', quote: 'words copied exactly', key: '', finding: 'It broke.' };
    const scan = (_: ModelRequest, call: number) => (call === 0 ? { ...reply([invented], 'count'), more: 'yes' } : '?');
    const documents = [{ name: 'a.log', text: logWith(2, 60) }];
    const { result } = await askScripted({ scan }, { settings, documents });
    expect(result.error?.message).toMatch(/^1 finding was left out/);
  });

  it('never says that nothing was found if findings were left out', async () => {
    const invented = { passage: 'P12', quote: 'words copied exactly', key: '', finding: 'It broke.' };
    const { result } = await askScripted({ scan: reply([invented], 'count') }, { settings, documents: log() });
    expect(result).toMatchObject({ status: 'partial', citations: [], error: { code: 'reply-unusable' } });
    expect(result.answer).toMatch(/^Not settled: /);
    expect(result.error?.message).toContain('left out');
  });

  it('states that nothing was found', async () => {
    const { result } = await askScripted({}, { settings, documents: log() });
    expect(result).toMatchObject({ status: 'answered', confidence: null, citations: [] });
    expect(result.answer).toMatch(/^Not found: /);
  });

  it('answers directly if there is no text', async () => {
    const { result, prompts } = await askScripted({}, { settings, documents: [] });
    expect(prompts).toEqual(['planner', 'answer', 'critic']);
    expect(result.recursionTree).toMatchObject({ strategy: 'direct', strategyReason: 'there is no text to read' });
  });

  it('needs no depth', async () => {
    const noDepth = { ...settings, budget: { maxDepth: 0 } };
    const { result } = await askScripted({ scan: counting }, { settings: noDepth, documents: log() });
    expect(result.recursionTree).toMatchObject({ strategy: 'scan', status: 'answered' });
  });

  it('is not chosen by auto for text that fits one prompt', async () => {
    const { prompts } = await askScripted({ planner: plan({ approach: 'scan', keyQuestions: [part('How many?')] }) });
    expect(prompts).toEqual(['planner', 'answer', 'critic']);
  });
});

describe('a piece that cannot be read as a whole', () => {
  const mark = 'outage 5 of db-1';
  const holds = (request: ModelRequest) => variables(request, 'scan').passages.some(({ text }) => text.includes(mark));

  it('is read in halves if its reply has no room for everything, and nothing is counted twice', async () => {
    const scan = (request: ModelRequest) => {
      const findings = outagesIn(request);
      return { ...reply(findings.slice(0, 1), 'count'), more: findings.length > 1 ? 'yes' : 'no' };
    };
    const { result, of } = await askScripted({ scan }, { settings, documents: log(12, 40) });
    expect(result.answer).toMatch(/^12 found:/);
    expect(result.warnings).toEqual([]);
    expect(of('scan').length).toBeGreaterThan(12);
  });

  it('keeps a second fact of a line whose first fact was the last of a full reply', async () => {
    const scan = (request: ModelRequest) => {
      const both = outagesIn(request).flatMap((one) => [
        one,
        { ...one, key: `start of ${one.key}`, finding: 'It began.' },
      ]);
      return { ...reply(both.slice(0, 3), 'count'), more: both.length > 3 ? 'yes' : 'no' };
    };
    const { result } = await askScripted({ scan }, { settings, documents: log(12, 40) });
    expect(result.answer).toMatch(/^24 different ones found|^24 found/);
  });

  it('is read in halves if its reply holds as many as it has room for', async () => {
    const { of, result } = await askScripted(
      { scan: (request) => reply(outagesIn(request).slice(0, variables(request, 'scan').most), 'count') },
      { settings: { ...settings, budget: { maxCalls: 100 } }, documents: log(100, 5) },
    );
    expect(of('scan')[0]!.most).toBeLessThan(20);
    expect(result.answer).toMatch(/^100 found:/);
  });

  it('leads to "at least" if even a single chunk has too many findings', async () => {
    const documents = [{ name: 'a.log', text: logWith(30, 0) }];
    const scan = (request: ModelRequest) => ({ ...reply(outagesIn(request).slice(0, 2), 'count'), more: 'yes' });
    const { result } = await askScripted({ scan }, { settings, documents });
    expect(result.answer).toMatch(/^At least 2 found:/);
    expect(result).toMatchObject({ warningCodes: ['unread'], warnings: [expect.stringContaining('no room for all')] });
  });

  it('is halved down to the unusable chunk; the rest counts, and its share is stated', async () => {
    const scan = (request: ModelRequest) => (holds(request) ? 'no idea' : counting(request));
    const { result } = await askScripted({ scan }, { settings, documents: log() });
    expect(result).toMatchObject({ status: 'partial', error: { code: 'reply-unusable' } });
    expect(exitCodeOf(result)).toBe(5);
    expect(result.answer).toMatch(/^At least 11 found:[\s\S]*\n\nOnly 9\d % of the text was read\.$/);
    expect(result.recursionTree!.strategyReason).toMatch(/^Only 9\d % of the text was read\.$/);
    expect(result).toMatchObject({
      warningCodes: ['unread'],
      warnings: [expect.stringMatching(/^Only 9\d % .*: .*cannot be used/)],
    });
  });

  it('counts no text as read that follows a full reply and contains an unusable chunk', async () => {
    const scan = (request: ModelRequest) => {
      const findings = outagesIn(request);
      if (findings[0]?.quote === mark) return 'no idea';
      return { ...reply(findings.slice(0, 1), 'count'), more: findings.length > 1 ? 'yes' : 'no' };
    };
    const { result } = await askScripted({ scan }, { settings, documents: log() });
    expect(result).toMatchObject({ status: 'partial', error: { code: 'reply-unusable' } });
    expect(result.answer).toMatch(/^At least 11 found:[\s\S]*\n\nOnly 9\d % of the text was read\.$/);
  });

  it('does not prevent the others from being read when the provider fails', async () => {
    const scan = (request: ModelRequest) => {
      if (holds(request)) throw new RlmError('request-refused', 'no');
      return counting(request);
    };
    const { result } = await askScripted({ scan }, { settings, documents: log() });
    expect(result).toMatchObject({ status: 'partial', error: { code: 'request-refused' } });
    expect(result.answer).toMatch(/^At least 1[01] found:/);
  });

  it('is not tried again and again when the provider is lost', async () => {
    const budget = { concurrency: 1, maxCalls: 1_000 };
    const { result, of } = await askScripted(
      { scan: failing('request-refused') },
      { settings: { ...settings, budget }, documents: log(100, 500) },
    );
    expect(result).toMatchObject({ status: 'failed', answer: null, error: { code: 'request-refused' } });
    expect(of('scan').length).toBeLessThan(70);
  });
});

describe('the budget of a scan', () => {
  const long = log(40, 500);
  const budget = { maxCalls: 20 };

  it('is shown before it starts', async () => {
    const { events, of, prompts } = await askScripted({ scan: counting }, { settings, documents: log() });
    const started = events.findIndex(({ type }) => type === 'scan.started');
    expect(events.findIndex((event) => event.type === 'call.started' && event.prompt === 'scan')).toBeGreaterThan(
      started,
    );
    const pieces = of('scan').length;
    expect(events[started]).toMatchObject({ path: '0', pieces, chosen: pieces, fewestCalls: pieces + 1 });
    expect(prompts.length - 2).toBeLessThanOrEqual((events[started] as { mostCalls: number }).mostCalls);
  });

  it('that pays for a part is spent on the likeliest part, with its share', async () => {
    const documents = [{ name: 'a.log', text: `${long[0]!.text}The zeppelin of outage 99 of db-1 landed.\n` }];
    const { result, of, events } = await askScripted(
      { scan: counting },
      { settings: { ...settings, budget }, documents },
      'How often did a zeppelin land?',
    );
    const asked = of('scan');
    expect(asked.length).toBeLessThan(18);
    expect(asked.some(({ passages }) => passages.some(({ text }) => text.includes('zeppelin')))).toBe(true);
    const sources = asked.map(({ passages }) => passages[0]!.startByte);
    expect(Math.max(...sources) - Math.min(...sources)).toBeGreaterThan(documents[0]!.text.length / 2);

    const { pieces, chosen } = events.find(({ type }) => type === 'scan.started') as never;
    expect(chosen).toBe(asked.length);
    const read = asked.flatMap(({ passages }) => passages).reduce((sum, { text }) => sum + unnumbered(text).length, 0);
    const share = `${Math.floor((100 * read) / documents[0]!.text.length)} %`;
    expect(result).toMatchObject({
      status: 'partial',
      error: {
        code: 'limit-calls',
        message: expect.stringContaining(` ${chosen} of the ${pieces} pieces of the text (${share})`),
        hint: expect.stringContaining('--max-calls'),
      },
    });
    expect(exitCodeOf(result)).toBe(6);
    expect(result.answer).toMatch(/^At least \d+ found:/);
    expect(result.answer!.endsWith(`\n\nOnly ${share} of the text was read.`)).toBe(true);
    expect(result.usage.calls).toBeLessThanOrEqual(20);
  });

  it.each([1, 2, 3, 4, 7, 12])('of %i calls is respected, and something is answered', async (maxCalls) => {
    const tooSmall = { ...settings, budget: { maxCalls } };
    const scan = (request: ModelRequest) => ({ ...reply(outagesIn(request).slice(0, 1), 'other'), more: 'yes' });
    const { result } = await askScripted({ scan }, { settings: tooSmall, documents: long });
    expect(result.usage.calls).toBeLessThanOrEqual(maxCalls);
    expect(exitCodeOf(result)).toBe(6);
    expect(result.answer).toMatch(/Only [\d.]+ % of the text was read\.$/);
  });

  it('of tokens ends it when they are spent', async () => {
    const tokens = { ...settings, budget: { maxTokens: 60_000, maxCalls: 1_000 } };
    const { result } = await askScripted({ scan: counting }, { settings: tokens, documents: long });
    expect(result).toMatchObject({ status: 'partial', error: { code: 'limit-tokens' } });
    expect(result.usage.tokens.input + result.usage.tokens.output).toBeLessThanOrEqual(60_000);
  });

  it('that cannot pay for composing lists the findings', async () => {
    const scan = (request: ModelRequest) => reply(outagesIn(request), 'other');
    const { result } = await askScripted({ scan, compose: failing('request-refused') }, { settings, documents: log() });
    expect(result).toMatchObject({ status: 'partial', error: { code: 'request-refused' } });
    expect(result.answer).toMatch(/^12 found:/);
  });
});
