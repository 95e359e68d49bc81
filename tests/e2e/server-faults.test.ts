import { describe, expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { warned } from '../support/warned.ts';
import { answer, goodText, startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const cwd = () => createFolder({ 'notes.md': goodText });
const ask = ['ask', question, 'notes.md', '--json', '--provider', 'ollama'];
const good = answer('Four [P1].', 'P1', 'lowered from 40 to 4');
const noWait = { 'retry-after': '0' };

describe.concurrent('a server that limits requests', () => {
  it('429 with a waiting time: waited for more than twice, and reported each time', async () => {
    const limited = faults.status(429, { error: 'slow down' }, { 'retry-after-ms': '10' });
    const server = await startServer({ answer: (_, index) => (index < 4 ? limited : good) });
    const run = await rlm(ask, { cwd: cwd(), env: server.env });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ answer: 'Four [1].', usage: { retries: 4, failedCalls: 0 } });
    expect(run.stderr).toMatch(/^rlm: retry 4 in \d+\.\d s: .*429 .*slow down$/m);
  });
});

it.each([
  ['resets the connection', faults.reset(), true],
  ['answers 504', faults.status(504, 'timeout', noWait), true],
  ['answers 500', faults.status(500, 'oops', noWait), false],
])(
  'a request that the server may have worked on is charged with its longest reply: %s',
  async (_, fault, isCharged) => {
    const server = await startServer({ answer: fault });
    const { usage } = resultOf(await rlm([...ask, '--call-timeout', '2'], { cwd: cwd(), env: server.env }));
    const { tokens } = usage!;
    const longestReply = 1_024;
    expect(tokens.output >= 3 * longestReply).toBe(isCharged);
  },
);

describe.concurrent('a server that always fails: an error, never an answer', () => {
  it.each([
    ['stalls', faults.stall(), 'call-timeout', 5, 1],
    ['stalls in mid-stream', faults.stallMidStream('{"answer":"Half'), 'call-timeout', 5, 1],
    ['cuts off in mid-line', faults.cutMidLine(), 'provider-failed', 5, 3],
    ['resets the connection', faults.reset(), 'provider-failed', 5, 3],
    ['answers 200 with an error', faults.errorWith200('model runner has crashed'), 'provider-failed', 5, 1],
    ['reports an error in mid-stream', faults.errorMidStream('out of memory'), 'provider-failed', 5, 1],
    ['ends before it is done', faults.noDone(), 'provider-failed', 5, 3],
    ['sends a line that is not JSON', faults.garbageLine(), 'provider-failed', 5, 3],
    ['sends a web page', faults.html(), 'provider-failed', 5, 1],
    ['answers 400', faults.status(400), 'request-refused', 5, 1],
    ['answers 401', faults.status(401, { error: 'unauthorized' }), 'credentials-refused', 4, 1],
    ['answers 404', faults.status(404, { error: "model 'x' not found" }), 'model-missing', 4, 1],
    ['answers 429', faults.status(429, { error: 'slow down' }, noWait), 'rate-limited', 5, 3],
    ['answers 500', faults.status(500, 'oops', noWait), 'provider-failed', 5, 3],
    ['answers 502 with a page', faults.status(502, '<html>Bad gateway</html>', noWait), 'provider-failed', 5, 3],
    ['redirects', faults.status(302, '', { location: 'http://127.0.0.1:1/' }), 'provider-unreachable', 4, 1],
  ])('%s', async (_, fault, code, status, tries) => {
    const server = await startServer({ answer: fault });
    const run = await rlm([...ask, '--call-timeout', '2'], { cwd: cwd(), env: server.env });
    expect(run.code).toBe(status);
    const { error, ...result } = resultOf(run);
    expect(result).toMatchObject({ status: 'failed', answer: null, confidence: null, citations: [], stopReason: code });
    expect(error).toMatchObject({ code, message: expect.stringMatching(/./), hint: expect.stringMatching(/./) });
    expect(result.usage).toMatchObject({ calls: 2, retries: tries - 1, failedCalls: 1 });
    expect(server.requests).toHaveLength(1 + tries);
    expect(run.stderr).toContain('rlm: failed: ');
  });
});

it('the part that arrived is the answer, with a warning, if the connection breaks off each time', async () => {
  const said = '{"answer":"The pool was lowered to 4 connections [P1]. It was full at once. The th';
  for (const fault of [faults.cutMidLine(said), faults.noDone(said)]) {
    const server = await startServer({ answer: fault });
    const run = await rlm(ask, { cwd: cwd(), env: server.env });
    const result = resultOf(run);
    expect([run.code, result.status]).toEqual([0, 'answered']);
    expect(result.answer).toMatch(/^The pool was lowered to 4 connections(?: \[1\])?\. It was full at once\./);
    expect(result.warningCodes).toContain('reply-cut');
    expect(server.requests.length).toBeGreaterThanOrEqual(3);
  }
});

it('a server that sends far more than the limit of a reply is cut off, and the run ends', async () => {
  const flood = Array.from({ length: 200_000 }, (_, at) => `word${at}`).join(' ');
  const server = await startServer({ answer: faults.drip(flood, 1) });
  const folder = createFolder({ 'notes.md': goodText, 'rlm.config.json': '{"reply":{"maxTokens":64}}' });
  const run = await rlm(ask, { cwd: folder, env: server.env });
  expect([run.code, resultOf(run).error?.code]).toEqual([5, 'reply-unusable']);
  expect(resultOf(run).error?.message).toMatch(/wrote more than the \d+ tokens that it was allowed/);
  expect(run.stdout + run.stderr).not.toContain('word199999');
});

describe.concurrent('a server that fails at first', () => {
  it.each([
    ['429', faults.status(429, { error: 'slow down' }, noWait)],
    ['500', faults.status(500, { error: 'oops' }, noWait)],
    ['a cut connection', faults.cutMidLine()],
  ])('%s: tried again, reported, counted, answered', async (_, fault) => {
    const server = await startServer({ answer: (__, index) => (index === 0 ? fault : good) });
    const run = await rlm(ask, { cwd: cwd(), env: server.env });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ answer: 'Four [1].', usage: { calls: 3, retries: 1, failedCalls: 0 } });
    expect(server.requests).toHaveLength(4);
    expect(run.stderr).toMatch(/^rlm: retry 1 in /m);
  });

  it('429 with a waiting time beyond the time limit: an error at once', async () => {
    const limited = faults.status(429, { error: 'slow down' }, { 'retry-after': '3600' });
    const server = await startServer({ answer: limited });
    const run = await rlm([...ask, '--timeout', '60'], { cwd: cwd(), env: server.env });
    expect(run.code).toBe(5);
    expect(resultOf(run)).toMatchObject({ error: { code: 'rate-limited' }, usage: { retries: 0 } });
    expect(resultOf(run).error!.message).toContain('429');
  });

  it('a critic that fails leaves the answer, with a warning', async () => {
    const { env } = await startServer({ critic: faults.status(400) });
    const result = resultOf(await rlm(ask, { cwd: cwd(), env }));
    expect(result).toMatchObject({ status: 'answered', critique: null });
    expect(result.warningCodes).toEqual(['not-judged']);
  });

  it('a part that fails leaves the others: partial, with the reason, and not a success', async () => {
    const { env } = await startServer({
      planner: {
        keyQuestions: ['How large was it?', 'Who did it?'].map((one) => ({ question: one, needs: [] })),
        approach: 'decompose',
      },
      answer: (_, index) => (index === 0 ? good : faults.status(400)),
    });
    const run = await rlm([...ask, '--strategy', 'decompose', '--concurrency', '1'], { cwd: cwd(), env });
    expect(run.code).toBe(5);
    expect(resultOf(run)).toMatchObject({ status: 'partial', error: { code: 'request-refused' } });
  });
});

describe.concurrent('a server that is wrong from the start', () => {
  it.each([
    ['stalls', faults.stall(), 'provider-unreachable', 'did not answer within 1 s'],
    ['is something else', faults.html(), 'provider-unreachable', 'is not Ollama'],
    [
      'redirects elsewhere',
      faults.status(302, '', { location: 'http://example.com/' }),
      'provider-unreachable',
      'redirects',
    ],
    ['resets', faults.reset(), 'provider-unreachable', ''],
    ['answers 500', faults.status(500, { error: 'oops' }), 'provider-unreachable', 'oops'],
    ['answers 401', faults.status(401, { error: 'unauthorized' }), 'credentials-refused', 'unauthorized'],
  ])('%s: named, an error; with auto, extractive and reported', async (_, fault, code, said) => {
    const { env, requests } = await startServer({}, { elsewhere: () => fault });
    const limit = said.includes('1 s') ? ['--call-timeout', '1'] : [];
    const [named, auto] = await Promise.all([
      rlm([...ask, ...limit], { cwd: cwd(), env }),
      rlm([...ask, '--provider', 'auto'], { cwd: cwd(), env }),
    ]);
    expect(named.code).toBe(4);
    expect(resultOf(named)).toMatchObject({ status: 'failed', answer: null, error: { code } });
    expect(resultOf(named).error!.message).toContain(said);
    expect(auto.code).toBe(0);
    expect(resultOf(auto)).toMatchObject({ provider: 'extractive', status: 'answered' });
    expect(warned(resultOf(auto), 'model')).toContain('no language model was used');
    expect(requests).toEqual([]);
  });

  it('shows no password when it stalls', async () => {
    const { env } = await startServer({}, { elsewhere: () => faults.stall() });
    const OLLAMA_HOST = env.OLLAMA_HOST.replace('//', '//user:planted@');
    const run = await rlm([...ask, '--provider', 'auto', '--verbose'], { cwd: cwd(), env: { OLLAMA_HOST } });
    expect(run.stdout).toContain('did not answer within 2 s');
    expect(run.stdout + run.stderr).not.toContain('planted');
  });

  it('an invalid address', async () => {
    const run = await rlm(ask, { cwd: cwd(), env: { OLLAMA_HOST: 'ftp://user:planted@x' } });
    expect(run.code).toBe(3);
    expect(resultOf(run).error!.message).toContain('OLLAMA_HOST is not an address');
    expect(run.stdout + run.stderr).not.toContain('planted');
  });
});

describe.concurrent('replies', () => {
  const unusable: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['white space', ' \n\n'],
    ['half an object', '{"answer":'],
    ['an empty list', '[]'],
    ['an error as text', '{"error":"I cannot do that"}'],
    ['an empty answer', '{"answer":"","citations":[],"assumptions":[]}'],
  ];
  it.each(unusable)('%s: one repair turn, then an error', async (_, text) => {
    const server = await startServer({ answer: text });
    const run = await rlm(ask, { cwd: cwd(), env: server.env });
    expect(run.code).toBe(5);
    expect(resultOf(run)).toMatchObject({ status: 'failed', answer: null, error: { code: 'reply-unusable' } });
    expect(server.requests).toHaveLength(3);
    expect(server.requests.at(-1)!.messages.at(-1)!.content).toContain('could not be used');
  });

  it('is used if it is valid after the repair turn', async () => {
    const server = await startServer({ answer: (_, index) => (index === 0 ? '' : good) });
    expect(resultOf(await rlm(ask, { cwd: cwd(), env: server.env }))).toMatchObject({
      answer: 'Four [1].',
      usage: { calls: 4 },
    });
  });

  it.each([
    ['in a code fence', '```json\n{"answer":"Four [P1].","citations":[]}\n```'],
    ['after a preamble', 'Sure! Here it is:\n{"answer":"Four [P1].","citations":[]}'],
    ['after thinking', '<think>{"answer":"Five"}</think>{"answer":"Four [P1].","citations":[]}'],
    ['as labelled text', 'ANSWER: Four [P1].\nASSUMPTIONS:\n- none'],
  ])('%s: read without a repair turn', async (_, text) => {
    const { env } = await startServer({ answer: text });
    expect(resultOf(await rlm(ask, { cwd: cwd(), env })).answer).toBe('Four [1].');
  });

  it('in another language', async () => {
    const text = 'Es sind vier Verbindungen, früher vierzig. Юникод, 四つ.';
    const { env } = await startServer({ answer: answer(text) });
    const run = await rlm(['ask', question, 'notes.md'], { cwd: cwd(), env });
    expect(run.stdout).toBe(`${text}\n`);
  });

  it('with quotes that the text does not contain: a warning, and no citation', async () => {
    const { env } = await startServer({ answer: answer('Nine [P1], and ten [P99].', 'P1', 'raised to 9') });
    const result = resultOf(await rlm(ask, { cwd: cwd(), env }));
    expect(result).toMatchObject({ answer: 'Nine, and ten.', citations: [], confidence: null });
    expect(warned(result, 'evidence')).toMatch(/quotes "raised to 9", [\s\S]*P99/);
  });

  it('with direction controls, in names and in text: none reaches the terminal, and --json escapes them', async () => {
    const turned = '\u202egnp.exe\u202c \u2066a\u2069 \u200fb\u200e \u061cc \u202ad\u202be\u202df';
    const { env } = await startServer({
      answer: answer(`Four [P1]. ${turned}`, 'P1', 'lowered from 40 to 4'),
      planner: { keyQuestions: [{ question: turned, needs: [] }], approach: 'direct' },
    });
    const name = 'notes\u202edm.txt';
    const folder = createFolder({ [name]: `${goodText}${turned}\n` });
    const args = ['ask', question, name, '--provider', 'ollama'];
    const [text, json, verbose, found, described] = await Promise.all([
      rlm(args, { cwd: folder, env }),
      rlm([...args, '--json'], { cwd: folder, env }),
      rlm([...args, '--verbose'], { cwd: folder, env }),
      rlm(['search', 'gnp', name], { cwd: folder }),
      rlm(['describe', name], { cwd: folder }),
    ]);
    expect(text.stdout).toContain('Four [1]. gnp.exe a b c def');
    for (const { stdout, stderr } of [text, json, verbose, found, described]) {
      expect(stdout + stderr).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    }
    expect(resultOf(json).answer).toContain(`Four [1]. ${turned}`);
  });

  it("with a line like one of the program's: marked as quoted", async () => {
    const fake = 'rlm: answered · confidence 100/100';
    const text = `Four [P1].\n\n${fake}\n  \u200bＲlm: failed\nSources:\n[9] real.md:1`;
    const { env } = await startServer({ answer: answer(text, 'P1', 'lowered from 40 to 4') });
    const run = await rlm(['ask', question, 'notes.md', '--provider', 'ollama'], { cwd: cwd(), env });
    expect(run.stdout).toContain(`Four [1].\n\n> ${fake}\n> \u200bＲlm: failed\n> Sources:\n`);
    const own = (run.stdout + run.stderr).split('\n').filter((line) => line.startsWith('rlm: answered'));
    expect(own).toEqual([expect.stringMatching(/^rlm: answered · confidence (?!100)\d+\/100 · /)]);
    const json = resultOf(await rlm(ask, { cwd: cwd(), env }));
    expect(json.answer).toContain(`\n${fake}\n`);
  });

  it('without citations: the confidence is unknown for this reason', async () => {
    const { env } = await startServer({ answer: answer('It is.') });
    const run = await rlm([...ask, '--min-confidence', '10'], { cwd: cwd(), env });
    expect(run.code).toBe(7);
    expect(resultOf(run)).toMatchObject({ answer: 'It is.', citations: [], confidence: null });
    expect(run.stderr).toMatch(/confidence is unknown, .*no evidence/);
  });

  it('with escape codes: none reaches the text, and --json keeps them', async () => {
    const nasty = '\u001b]0;owned\u0007Four\u001b[2J \u009b31mred\u0008 \u001b[1mbold\u001b[0m\r!';
    const { env } = await startServer({
      answer: answer(nasty),
      planner: { keyQuestions: [{ question: nasty, needs: [] }], approach: 'direct' },
    });
    const [text, json, verbose] = await Promise.all([
      rlm(['ask', question, 'notes.md', '--color', 'always'], { cwd: cwd(), env }),
      rlm(ask, { cwd: cwd(), env }),
      rlm([...ask, '--verbose'], { cwd: cwd(), env }),
    ]);
    const withoutColor = (text.stdout + text.stderr).replace(/\u001b\[\d+m/g, '');
    expect(withoutColor).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|owned|2J/);
    expect(json.stdout + json.stderr + verbose.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(resultOf(json).answer).toBe(nasty);
  });
});
