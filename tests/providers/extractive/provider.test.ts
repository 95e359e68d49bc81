import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noQueries } from '../../../src/prompts/answer.ts';
import type { PromptInput, Reply } from '../../../src/prompts/index.ts';
import { createExtractiveProvider } from '../../../src/providers/extractive/provider.ts';
import type { ModelRequest } from '../../../src/providers/provider.ts';
import type { Passage } from '../../../src/state.ts';
import { buildLog, chinese, german, incidentLog, prose, typescript } from './texts.ts';

const provider = createExtractiveProvider();
const signal = new AbortController().signal;

function passagesOf(text: string, source: string, size = 1200): Passage[] {
  const chunks: string[] = [''];
  for (const line of text.split(/(?<=\n)/)) {
    if (chunks.at(-1)!.length + line.length > size && chunks.at(-1) !== '') chunks.push('');
    chunks[chunks.length - 1] += line;
  }
  let at = 0;
  return chunks.map((chunk, index) => {
    const startByte = at;
    at += chunk.length;
    const lines = { startLine: 1, endLine: 1 };
    return { id: `P${index + 1}`, source, ...lines, startByte, endByte: at, text: chunk, score: 1, hash: '' };
  });
}

function request(input: PromptInput): ModelRequest {
  return {
    input,
    messages: [],
    schema: null,
    tools: [],
    temperature: 0,
    seed: null,
    logprobs: false,
    reasoning: null,
    maxOutputTokens: 1000,
    windowTokens: 8192,
  };
}

async function ask<N extends PromptInput['prompt']>(input: PromptInput & { prompt: N }): Promise<Reply<N>> {
  return JSON.parse((await provider.call(request(input), { signal })).text);
}

function answer(
  question: string,
  passages: readonly Passage[],
  known: { question: string; answer: string | null }[] = [],
): Promise<Reply<'answer'>> {
  return ask({ prompt: 'answer', variables: { question, passages, known, criteria: [], ...noQueries } });
}

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

function expectVerbatim(reply: Reply<'answer'>, passages: readonly Passage[]): void {
  for (const { passage, quote } of reply.citations) {
    const text = passages.find(({ id }) => id === passage)?.text ?? '';
    expect(collapse(text)).toContain(quote);
    expect(quote!.length).toBeLessThanOrEqual(600);
    expect(reply.answer).toContain(`[${passage}]`);
  }
}

const build = passagesOf(buildLog, 'stdin');
const incident = passagesOf(incidentLog, 'incident.log');

describe('the extractive provider answers', () => {
  it.each([
    ['a build log', build, 'How many tests failed?', 'Tests: 1 failed, 43 passed'],
    ['an incident log', incident, 'Who deployed orders?', 'Maria Keller'],
    ['an incident log', incident, 'How many orders were affected?', '1,204 orders affected'],
    ['an incident log', incident, 'When did checkout recover?', '2026-03-12T10:04:02Z'],
    [
      'code',
      passagesOf(typescript, 'src/retry.ts'),
      'What does withRetry do?',
      'Retries what failed for a temporary reason',
    ],
    ['code', passagesOf(typescript, 'src/retry.ts'), 'How long is the longest delay?', 'longestDelay = 8000'],
    [
      'prose',
      passagesOf(prose, 'history.md'),
      'Why was the lighthouse abandoned?',
      'because the harbour had silted up',
    ],
    ['prose', passagesOf(prose, 'history.md'), 'Who designed the lantern?', 'Ada Brandt'],
    [
      'German',
      passagesOf(german, 'bericht.txt'),
      'Warum ist die Datenbank ausgefallen?',
      'weil die Festplatte voll war',
    ],
    ['Chinese', passagesOf(chinese, 'report.txt'), '数据库为什么崩溃？', '因为磁盘已满'],
  ])('a question about %s: %#', async (_, passages, question, expected) => {
    const reply = await answer(question, passages);
    expect(reply.answer).toContain(expected);
    expect(reply.citations.length).toBeGreaterThan(0);
    expect(reply.citations.length).toBeLessThanOrEqual(4);
    expectVerbatim(reply, passages);
  });

  it('the clauses of a question one after the other', async () => {
    const reply = await answer('What failed first, and why?', build);
    const [first, why] = reply.answer.split('\n\n');
    expect(first).toMatch(/^What failed first\?\n.*failed/);
    expect(why).toMatch(/^Why\?\n/);
    expectVerbatim(reply, build);
  });

  it('with wrapped prose as whole sentences', async () => {
    const passages = passagesOf('The tower was painted\nwhite in 1871. It fell.\n', 'a.md');
    const reply = await answer('When was the tower painted?', passages);
    expect(reply).toMatchObject({
      answer: 'The tower was painted white in 1871. [P1]',
      citations: [{ passage: 'P1', quote: 'The tower was painted white in 1871.' }],
    });
  });

  it('with a part of a line that is too long, around the match', async () => {
    const filler = 'lorem ipsum dolor '.repeat(80);
    const passages = passagesOf(`${filler}the gasket ruptured at noon ${filler}`, 'one-line.txt', 9000);
    const reply = await answer('When did the gasket rupture?', passages);
    expect(reply.answer).toMatch(/^… .*gasket ruptured at noon.* … \[P1\]$/);
    expectVerbatim(reply, passages);
  });

  it('with statements in preference to questions', async () => {
    const passages = passagesOf('- Why did the pump fail so early?\n\nThe pump failed as its seal was dry.\n', 'a.md');
    const { answer: said } = await answer('Why did the pump fail?', passages);
    expect(said).toBe('The pump failed as its seal was dry. [P1]');
  });

  it('never with yes or no, and says so first', async () => {
    const passages = passagesOf('The gate may be opened by guests.\n', 'a.md');
    const [first, ...lines] = (await answer('May guests open the gate?', passages)).answer.split('\n');
    expect(first).toMatch(/^No model answered yes or no/);
    expect(lines).toEqual(['The gate may be opened by guests. [P1]']);
    expect((await answer('Who may open the gate?', passages)).answer).toBe(lines[0]);
    expect((await answer('May ships sail?', passages)).answer).toMatch(/^Not found: /);
    const german = passagesOf('Das Tor kostet 40 Euro.\n', 'a.md');
    expect((await answer('Was kostet das Tor?', german)).answer).toBe('Das Tor kostet 40 Euro. [P1]');
  });

  it('with the number of matching lines, if it does not show all', async () => {
    const upgrade = (name: string) => `2026-05-01 10:00:00 upgrade of package ${name} to 1.1\n`;
    const log = ['bash', 'curl', 'dash', 'file', 'grep', 'htop', 'jq'].map(upgrade).join('');
    const { answer: said } = await answer('which packages had an upgrade', passagesOf(log, 'dpkg.log'));
    const shown = said.split('\n').filter((line) => line.endsWith('[P1]')).length;
    expect(shown).toBeLessThan(7);
    expect(said).toMatch(new RegExp(`\nNot shown: at least ${7 - shown} further lines? `));
    expect(
      (await answer('which packages had an upgrade', passagesOf(upgrade('bash'), 'dpkg.log'))).answer,
    ).not.toContain('Not shown');
  });

  it('without counting lines that have another number', async () => {
    const request = (at: number) =>
      `2026-05-01 10:00:${10 + at} GET /a${at} status=${at % 5 === 0 ? 503 : 200} served\n`;
    const log = Array.from({ length: 40 }, (_, at) => request(at)).join('');
    const { answer: said } = await answer('Which requests had status 503?', passagesOf(log, 'svc.log'));
    const shown = said.split('\n').filter((line) => line.endsWith('[P1]')).length;
    expect(said).toContain(`\nNot shown: at least ${8 - shown} further lines `);
  });

  it('with a sentence up to its last word, where the value is', async () => {
    const long = `The fee for a late return of ${'a borrowed book or map, '.repeat(14)}as agreed with the board, is 47 euros.`;
    const { answer: said } = await answer(
      'What is the fee for a late return of a book?',
      passagesOf(`${long}\n`, 'a.md'),
    );
    expect(said).toBe(`${long} [P1]`);
  });

  it('with the answer that follows a question in the text', async () => {
    const passages = passagesOf('**Can I get a refund?** Within 14 days of the order.\n', 'faq.md');
    expect((await answer('Can I get a refund?', passages)).answer).toContain('Within 14 days of the order.');
  });

  it('from tables and with links in readable form, quoted as in the text', async () => {
    const text = '| goods | time |\n| --- | --- |\n| **books** | 14 days, see [returns](returns.md) |\n';
    const passages = passagesOf(text, 'shop.md');
    const reply = await answer('How long may books be returned?', passages);
    expect(reply.answer).toBe('books · 14 days, see returns [P1]');
    expect(reply.citations).toEqual([{ passage: 'P1', quote: '| **books** | 14 days, see [returns](returns.md) |' }]);
  });

  it('without marks of passages, escape codes or control characters from the text', async () => {
    const text = '\u001b[31mERROR\u001b[0m compile failed, see [P99] and \u0007 note [3], list[0]\n';
    const { answer: said } = await answer('What failed?', passagesOf(text, 'stdin'));
    expect(said).toBe('ERROR compile failed, see (P99) and note (3), list[0] [P1]');
  });

  it('with round brackets around text that looks like a mark, which the quote keeps', async () => {
    const text =
      'The pump failed at [p99] load: see [P1], [P2, P3; 4], [ P5 ], [2], [ticket 3], [P6a] and rows[4][5].\n';
    const passages = passagesOf(text, 'notes.txt');
    const reply = await answer('Why did the pump fail?', passages);
    expect(reply.answer).toBe(
      'The pump failed at [p99] load: see (P1), (P2, P3; 4), ( P5 ), (2), [ticket 3], [P6a] and rows[4][5]. [P1]',
    );
    expect(reply.citations).toEqual([{ passage: 'P1', quote: text.trim() }]);
  });

  it('with titles that contain no marks of passages', async () => {
    const passages = passagesOf('The pump of P7 failed because seal 2 was dry.\n', 'a.md');
    const { answer: said } = await answer('Did the pump of [P7] fail, and why did the seal [2] fail?', passages);
    expect(said).toMatch(/^Did the pump of \(P7\) fail\?\n.*\n.*\n\nWhy did the seal \(2\) fail\?\n/);
    expect(said.match(/\[P?\d+\]/g)).toEqual(['[P1]', '[P1]']);
  });
});

describe('the extractive provider does not find', () => {
  it.each([
    ['What is the capital of France?', build],
    ['What is the capital of France?', incident],
    ['Who invented the telephone?', passagesOf(prose, 'history.md')],
    ['Which database does Kubernetes use?', incident],
    ['How do I bake bread?', passagesOf(typescript, 'src/retry.ts')],
    ['Wie heißt die Hauptstadt von Frankreich?', passagesOf(german, 'bericht.txt')],
    ['法国的首都是哪里？', passagesOf(chinese, 'report.txt')],
    ['What?', build],
    ['Why did it fail?', []],
  ])('%s', async (question, passages) => {
    const reply = await answer(question, passages);
    expect(reply.answer).toBe(`Not found: no sentence in the text matches "${question}" well enough.`);
    expect(reply.citations).toEqual([]);
  });

  it('one clause of two, and says which', async () => {
    const { answer: said } = await answer('Who deployed orders, and what colour is the sky?', incident);
    expect(said).toMatch(/^Who deployed orders\?\n.*Maria Keller/);
    expect(said).toMatch(/\n\nNot found: .*"What colour is the sky\?" well enough\.$/);
  });
});

const budget = { calls: 9, levels: 2 };

describe('the extractive provider plans', () => {
  const plan = (task: string): Promise<Reply<'planner'>> =>
    ask({ prompt: 'planner', variables: { task, documents: '', approaches: ['direct', 'decompose'], budget } });
  const parts = async (task: string): Promise<string[]> => (await plan(task)).keyQuestions.map((part) => part.question);

  it.each([
    ['What failed first, and why?', ['What failed first?', 'Why? (What failed first)']],
    ['Compare ollama and openai', ['Compare ollama and openai']],
    ['Who leads research and development?', ['Who leads research and development?']],
    ['Who broke it and when was the cache cleared?', ['Who broke it?', 'When was the cache cleared?']],
    ['What broke?\nWho mended the pump?', ['What broke?', 'Who mended the pump?']],
    ['List the errors and warnings', ['List the errors and warnings']],
    [
      'May a guest park here, for how long, who decides, and what happens then?',
      ['May a guest park here?', 'For how long? (May a guest park here)', 'Who decides?', 'What happens then?'],
    ],
    [
      'What broke the pump, and how was it mended?',
      ['What broke the pump?', 'How was it mended? (What broke the pump)'],
    ],
    ['When the tank burst at noon, who was told?', ['When the tank burst at noon, who was told?']],
    ['Did Maria, who was on call, approve it?', ['Did Maria, who was on call, approve it?']],
    ['Who made The Oddventures of Mr. Cool?', ['Who made The Oddventures of Mr. Cool?']],
  ])('%s', async (task, expected) => {
    expect(await parts(task)).toEqual(expected);
  });

  it('an approach, needs, information and criteria', async () => {
    const reply = await plan('What failed first, and why?');
    expect(reply).toMatchObject({ approach: 'decompose', keyQuestions: [{ needs: [] }, { needs: [1] }] });
    expect(reply.requiredInformation).toContain('failed');
    expect(reply.successCriteria).toEqual(['answers: What failed first?', 'answers: Why? (What failed first)']);
    expect((await plan('Why did the build fail?')).approach).toBe('direct');
  });

  it('at most five key questions, the last with the whole rest', async () => {
    const task = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta']
      .map((name) => `What is ${name}?`)
      .join(' ');
    const questions = await parts(task);
    expect(questions).toHaveLength(5);
    expect(questions[4]).toBe('What is epsilon? What is zeta? What is eta?');
  });

  it('only with the approaches it is given', async () => {
    const variables = {
      task: 'What failed, and who fixed it?',
      documents: '',
      approaches: ['direct' as const],
      budget,
    };
    expect((await ask({ prompt: 'planner', variables })).approach).toBe('direct');
  });

  it('the assessment and the decomposition consistently', async () => {
    const known: [] = [];
    const question = 'What failed first, and why?';
    expect((await ask({ prompt: 'assess', variables: { question, known, budget } })).verdict).toBe('COMPLEX');
    expect((await ask({ prompt: 'assess', variables: { question: 'Who?', known, budget } })).verdict).toBe('SIMPLE');
    expect((await ask({ prompt: 'decompose', variables: { question, known, budget } })).subQuestions).toHaveLength(2);
  });
});

describe('the extractive provider composes', () => {
  const compose = async (parts: { question: string; answer: string | null }[]): Promise<string> =>
    (await ask({ prompt: 'compose', variables: { question: 'All?', parts, criteria: [] } })).finalAnswer;

  it('the parts in order, each sentence once, missing ones last', async () => {
    const said = await compose([
      { question: 'A?', answer: null },
      { question: 'B?', answer: 'One. [P1]\nTwo. [P2]' },
      { question: 'C?', answer: 'Two. [P2]\nThree. [P3]' },
      { question: 'D?', answer: 'Not found: no sentence in the text matches "D?" well enough.' },
    ]);
    expect(said.split('\n\n')).toEqual([
      'B?\nOne. [P1]\nTwo. [P2]',
      'C?\nThree. [P3]',
      'Not found: no sentence in the text matches "A?" well enough.',
      'Not found: no sentence in the text matches "D?" well enough.',
    ]);
  });

  it('with the original questions', async () => {
    const parts = [
      { question: 'What broke?', answer: 'One. [P1]' },
      { question: 'How was it fixed? (the pump broke)', answer: 'Two. [P2]' },
    ];
    expect(await compose(parts)).toBe('What broke?\nOne. [P1]\n\nHow was it fixed?\nTwo. [P2]');
  });

  it('a single part without its question', async () => {
    expect(await compose([{ question: 'B?', answer: 'One. [P1]' }])).toBe('One. [P1]');
  });
});

describe('the extractive provider criticises', () => {
  const critique = (task: string, said: string): Promise<Reply<'critic'>> =>
    ask({
      prompt: 'critic',
      variables: { task, answer: said, passages: incident, leftOut: 0, claims: [said], unanswered: [] },
    });

  it('by the probability that such a match answers', async () => {
    const good = await critique('Who deployed orders?', 'orders deployed by Maria Keller [P1]');
    expect(good.confidenceScore).toBeGreaterThan(45);
    expect(good.confidenceScore).toBeLessThan(75);
    expect(good.gaps).toEqual([]);
    const poor = await critique('Who painted the submarine?', 'orders deployed by Maria Keller [P1]');
    expect(poor.confidenceScore).toBeLessThan(20);
    expect(poor.gaps).toContain('not in the evidence: painted, submarine');
  });

  it('the parts that were not found', async () => {
    const reply = await critique(
      'Who is Zed?',
      'Not found: no sentence in the text matches "Who is Zed?" well enough.',
    );
    expect(reply.confidenceScore).toBe(0);
    expect(reply.gaps[0]).toBe('no evidence for: Who is Zed?');
  });
});

describe('the extractive provider as a provider', () => {
  it('describes itself', async () => {
    expect(await provider.inspect(signal)).toMatchObject({
      model: 'extractive',
      maxWindowTokens: 16_384,
      structuredOutput: true,
      answersWithoutText: false,
    });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const reason = new Error('stop');
    const call = provider.call(request({ prompt: 'assess', variables: { question: 'Why?', known: [], budget } }), {
      signal: AbortSignal.abort(reason),
    });
    await expect(call).rejects.toBe(reason);
  });

  it('gives the same reply to the same request', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => answer('What failed first, and why?', incident)));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  });

  it('answers over forty passages quickly', async () => {
    const passages = passagesOf(`${incidentLog}\n${prose}\n${typescript}`.repeat(20), 'all.txt', 1500).slice(0, 40);
    await answer('Why did checkout fail?', passages);
    const before = process.cpuUsage();
    await answer('Why did checkout fail?', passages);
    // Processor time does not depend on the load of the machine.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  it('handles a question of a megabyte', async () => {
    const reply = await answer(`${'why did it fail and '.repeat(50_000)}?`, build);
    expect(reply.answer.length).toBeLessThan(5000);
  });
});

describe('hostile text', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ maxLength: 400 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 700 }).map((units) => String.fromCharCode(...units)),
    fc.string({
      unit: fc.constantFrom('a', '\n', '#', '|', '-', '`', '.', ' ', '[P1]', '\u001b[1m', '\ud800'),
      maxLength: 900,
    }),
  );

  it('never breaks it, and every quote is in its passage', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (text, rest) => {
        const passages = passagesOf(`${text}\nthe pump failed\n${rest}`, 'x.md', 5000);
        for (const question of [`Why did the pump fail? ${text}`, text, rest]) {
          const reply = await answer(question, passages);
          expect(reply.answer).not.toBe('');
          expectVerbatim(reply, passages);
          const parts = [
            { question, answer: reply.answer },
            { question: text, answer: rest },
          ];
          const criteria: string[] = [];
          await ask({ prompt: 'compose', variables: { question, parts, criteria } });
          await ask({
            prompt: 'planner',
            variables: { task: question, documents: '', approaches: ['decompose'], budget },
          });
          const variables = {
            task: question,
            answer: reply.answer,
            passages,
            leftOut: 0,
            claims: [reply.answer],
            unanswered: [text],
          };
          const { confidenceScore } = await ask({ prompt: 'critic', variables });
          expect(Number.isInteger(confidenceScore) && confidenceScore >= 0 && confidenceScore <= 100).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('the header row of a table', () => {
  const header = 'name,department,salary,start year\n';
  const rows = 'Ann Lee,Sales,50000,2012\nBob Ray,Engineering,70000,2015\n';

  it('is not an answer by itself', async () => {
    const passages = passagesOf(header + rows, 'people.csv');
    expect((await answer('Which department has a start year for the name?', passages)).answer).toMatch(/^Not found/);
    const question = 'List every department, name and salary.';
    const scanned = await ask({ prompt: 'scan', variables: { question, passages, most: 9, isNumbered: false } });
    expect(scanned.findings).toEqual([]);
  });

  it('does not hide the rows, nor a first line that holds values', async () => {
    const passages = passagesOf(header + rows, 'people.csv');
    expect((await answer('What is the department of Ann Lee?', passages)).answer).toMatch(/^Ann Lee,Sales/);
    const bare = passagesOf(rows, 'people.csv');
    expect((await answer('What is the department of Ann Lee?', bare)).answer).toMatch(/^Ann Lee,Sales/);
  });
});

describe('a word of the question occurs in an identifier or a path', () => {
  it.each([
    ['What are the max headers?', 'http.py', '_MAXLINE = 65536\n_MAXHEADERS = 100\n', '_MAXHEADERS = 100 [P1]'],
    ['max retry count', 'a.py', 'def send(n):\n    maxRetryCount = 3\n', 'maxRetryCount = 3 [P1]'],
    ['max retry count', 'a.py', 'def send(n):\n    MAX_RETRY_COUNT = 3\n', 'MAX_RETRY_COUNT = 3 [P1]'],
    [
      'What is the memory limit of the api container?',
      'a.yaml',
      'containers:\n  - name: api\n    limits:\n      memory: 1Gi\n  - name: proxy\n    limits:\n      memory: 256Mi\n',
      'containers › name: api › limits › memory: 1Gi [P1]',
    ],
    [
      'What is the pytest timeout?',
      'a.toml',
      '[tool.ruff]\nwidth = 120\n\n[tool.pytest]\ntimeout = 30\n',
      'tool.pytest › timeout = 30 [P1]',
    ],
  ])('%s', async (question, source, text, expected) => {
    const passages = passagesOf(text, source);
    const reply = await answer(question, passages);
    expect(reply.answer.split('\n')[0]!.trim()).toBe(expected);
    expectVerbatim(reply, passages);
  });
});
