import { styleText } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveTree, createScreen } from '../../src/cli/render/live/screen.ts';
import type { Output } from '../../src/cli/terminal.ts';
import type { Result, RunEvent } from '../../src/index.ts';
import type { EventBody } from '../../src/run/events.ts';
import { screenOf } from '../support/screen.ts';

let seconds = 0;
beforeEach(() => {
  seconds = 0;
  vi.spyOn(process, 'uptime').mockImplementation(() => seconds);
});
afterEach(() => void vi.restoreAllMocks());

const colored: Output['style'] = (style, text) => styleText(style, text, { validateStream: false });
const plain: Output['style'] = (_, text) => text;
const model = { provider: 'ollama', model: 'qwen2.5-coder:14b' };

/** Draws a run event by event, as the program does. */
function createRun(columns: number, rows: number, style = colored) {
  const screen = createScreen({ columns, rows, style }, true);
  let calls = 0;
  const tell = (event: EventBody) => screen.onEvent({ seq: 1, at: '', runId: '01KB', ...event } as RunEvent);
  const call = (path: string, prompt: 'answer' | 'assess' | 'scan' | 'compose', isOver = true) => {
    calls += 1;
    const about = { call: calls, path, prompt, ...model };
    tell({ type: 'call.started', ...about, repair: false });
    const tokens = { input: 1_200, output: 80 };
    const rest = { from: 'model', reply: 'ok', tokens, cost: 0.004, timeMs: 900 } as const;
    if (isOver) tell({ type: 'call.completed', ...about, ...rest });
  };
  const limits = { calls: 50, tokens: null, usd: null, wallTimeMs: 600_000 };
  tell({
    type: 'run.started',
    task: '',
    ...model,
    documents: 3,
    index: null,
    bytes: 1_234_567,
    fits: false,
    recordedCalls: 0,
    atMost: null,
    limits,
  });
  tell({ type: 'stage.started', stage: 'reasoner' });
  return {
    tell,
    call,
    ask: (path: string, question: string) =>
      tell({ type: 'node.started', path, depth: path.split('.').length - 1, question }),
    answered: (path: string) => {
      const spent = { calls: 2, cacheHits: 0, tokens: { input: 1, output: 1 }, timeMs: 4_200 };
      tell({ type: 'node.completed', path, status: 'answered', ...spent, error: null });
    },
    warn: (message: string) => tell({ type: 'warning', code: 'model', message }),
    left: (result: Partial<Result>) => screen.left(result as Result),
    raw: () => screen.lines('*').join('\n'),
    shown: async () => (await screenOf(screen.lines('*').join('\n'), columns, rows)).join('\n'),
  };
}

/** Events of a run in progress with two parts, one of which is split again. */
function splitRun(columns: number, rows: number) {
  const run = createRun(columns, rows);
  run.ask('0', 'How large was the payments pool (支払いプール) before and after the change, and what did it lead to?');
  run.tell({ type: 'node.judged', path: '0', strategy: 'decompose', reason: '', assessment: null });
  run.ask('0.2', 'What did the change of the payments pool lead to?');
  run.ask('0.1', 'How large was the payments pool before the change, and how large after it?');
  run.ask('0.2.1', 'Which services failed?');
  run.call('0.1', 'answer');
  run.answered('0.1');
  run.call('0.2.1', 'answer', false);
  run.tell({ type: 'call.progress', call: 2, path: '0.2.1', characters: 1_204 });
  return run;
}

describe('the screen of a run', () => {
  it('names a source that the run waits for', () => {
    const screen = createScreen({ columns: 80, rows: 24, style: plain }, true);
    screen.onReading({ files: 1, bytes: 62, name: '/dev/fd/63' });
    expect(screen.lines('*').join('\n')).toContain('62 bytes, now /dev/fd/63');
  });

  it('at 60 columns', async () => {
    expect(await splitRun(60, 24).shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * How large was the payments pool (支払いプール) before and
      │  after the change, and what did it lead to?
      │  answering its parts · 0.0 s
      ├─ ✔ How large was the payments pool before the change, and
      │    how large after it?  answered · 2 calls · 4.2 s
      └─ * What did the change of the payments pool lead to?
         │  answering its parts · 0.0 s
         └─ * Which services failed?
              answering (1,204 characters) · 1 call · 0.0 s
      * answering
      calls 2/50 · 1,280 tokens · $0.0040 · 0:00 of 10:00"
    `);
  });

  it('shows how long a model has been thinking, until it writes', async () => {
    const run = splitRun(100, 24);
    const progress = { type: 'call.progress', call: 2, path: '0.2.1' } as const;
    run.tell({ ...progress, characters: 1_400, thinkingMs: 12_345 });
    expect((await run.shown()).replaceAll('\u00a0', ' ')).toContain('answering (thinking 12 s)');
    run.tell({ ...progress, characters: 1_500 });
    expect((await run.shown()).replaceAll('\u00a0', ' ')).toContain('answering (1,500 characters)');
  });

  it.each([2, 4, 6])('has fewer lines than a terminal of %i rows, and the last line stays', (rows) => {
    const run = splitRun(80, rows);
    run.warn('the model is slow');
    const lines = run.raw().split('\n');
    expect(lines.length).toBeLessThan(rows);
    expect(lines.at(-1)).toContain('calls 2/50');
  });

  it('at 80 columns', async () => {
    expect(await splitRun(80, 24).shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * How large was the payments pool (支払いプール) before and after the change,
      │  and what did it lead to?  answering its parts · 0.0 s
      ├─ ✔ How large was the payments pool before the change, and how large after it?
      │    answered · 2 calls · 4.2 s
      └─ * What did the change of the payments pool lead to?  answering its parts ·
         │  0.0 s
         └─ * Which services failed?  answering (1,204 characters) · 1 call · 0.0 s
      * answering  calls 2/50 · 1,280 tokens · $0.0040 · 0:00 of 10:00"
    `);
  });

  it('at 120 columns, without colour', async () => {
    const run = splitRun(120, 24);
    expect(await run.shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * How large was the payments pool (支払いプール) before and after the change, and what did it lead to?
      │  answering its parts · 0.0 s
      ├─ ✔ How large was the payments pool before the change, and how large after it?  answered · 2 calls · 4.2 s
      └─ * What did the change of the payments pool lead to?  answering its parts · 0.0 s
         └─ * Which services failed?  answering (1,204 characters) · 1 call · 0.0 s
      * answering  calls 2/50 · 1,280 tokens · $0.0040 · 0:00 of 10:00"
    `);
    expect(run.raw()).toContain('\u001b[');
    expect(createRun(120, 24, plain).raw()).not.toContain('\u001b');
  });

  it('folds finished questions on a small screen, and never has more lines than the screen', async () => {
    const run = splitRun(60, 9);
    expect(await run.shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * How large was the payments…  answering its parts · 0.0 s
      ├─ ✔ How large was the payments…  answered · 2 calls · 4.2 s
      └─ * What did the change of…  answering its parts · 0.0 s
         └─ * Which services…  answering (1,204 characters) ·…
      * answering
      calls 2/50 · 1,280 tokens · $0.0040 · 0:00 of 10:00"
    `);
    for (const part of [3, 4, 5, 6, 7]) run.ask(`0.${part}`, `What about part ${part}?`);
    run.answered('0.3');
    expect(await run.shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * What about part 4?  0.0 s
      * What about part 5?  0.0 s
      * What about part 6?  0.0 s
      * What about part 7?  0.0 s
      … and 5 more questions
      * answering
      calls 2/50 · 1,280 tokens · $0.0040 · 0:00 of 10:00"
    `);
    run.tell({ type: 'answer.progress', call: 9, from: 0, text: 'word '.repeat(200) });
    expect((await run.shown()).split('\n').length).toBeLessThan(9);
  });

  it('a scan has a bar, and shows its remaining time when that is known', async () => {
    const run = createRun(100, 24);
    run.ask('0', 'Which services failed?');
    const sizes = { bytes: 1_234_567, chosenBytes: 1_234_567, fewestCalls: 41, mostCalls: 80, callsLeft: 49 };
    run.tell({ type: 'scan.started', path: '0', pieces: 40, chosen: 40, ...sizes });
    run.call('0', 'scan');
    expect(await run.shown()).not.toContain('left');
    seconds += 10;
    for (let piece = 2; piece <= 10; piece += 1) run.call('0', 'scan');
    expect(await run.shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * Which services failed?  reading all of the text · 10 calls · 10.0 s
      reading all of the text ━━━━━━────────────────── 10/40 pieces
      * answering  calls 10/50 · 12,800 tokens · $0.04 · 0:10 of 10:00 · about 30 s left"
    `);
    run.call('0', 'compose');
    expect(await run.shown()).not.toMatch(/━|left/);
  });

  it('has one note of each kind, with the number of repetitions', async () => {
    const run = createRun(100, 24);
    run.warn('a reply to the scan prompt was cut off; the part that arrived is used');
    for (const name of ['Who?', 'When?']) run.warn(`the reply cannot be read; "${name}" is answered directly`);
    expect((await run.shown()).split('\n').slice(1, 3)).toEqual([
      'note: a reply to the scan prompt was cut off; the part that arrived is used',
      'note (2 times): the reply cannot be read; "Who?" is answered directly',
    ]);
  });
});

describe('the answer on the screen', () => {
  const words = (text: string, call = 1, from = 0) => ({ type: 'answer.progress', call, from, text }) as const;
  const claim = { text: 'It was 40', start: 0, end: 9, citations: [], support: 0.1 } as const;
  const reason = 'the passage says 4, the answer 40';

  it('appears word by word, is withdrawn with its reason, and gets numbers when it is checked', async () => {
    const run = createRun(60, 24);
    run.ask('0', 'How large was it?');
    run.tell(words('It was'));
    run.tell(words(' 40 [P3].', 1, 6));
    expect(await run.shown()).toContain('\n\nIt was 40 [P3].\n\n');
    run.tell({ type: 'ladder.climbed', step: 'wider', reason: 'the answer cites nothing; more of the text is read' });
    run.tell(words('It was 40 [P3], then 4 [P3].', 2));
    expect(await run.shown()).toMatchInlineSnapshot(`
      "ollama qwen2.5-coder:14b · 3 documents, 1.2 MB · run 01KB
      * How large was it?  0.0 s

      withdrawn: It was 40 [P3]. (the answer cites nothing; more
      of the text is read)
      It was 40 [P3], then 4 [P3].

      * answering  calls 0/50 · 0:00 of 10:00"
    `);
    expect(run.raw()).toContain('\u001b[9mIt was 40 [P3].\u001b[29m');
    const claims = [{ ...claim, verdict: 'contradicted', reason }] as const;
    run.tell({ type: 'evidence.checked', answer: 'It was 40 [1], then 4 [1].', claims, contradictions: [] });
    expect(run.raw()).toContain('\u001b[9mIt was 40\u001b[29m [1] [!], then 4 [1].');
    expect(await run.shown()).toContain('the passage says 4, the');
    run.tell({ type: 'ladder.climbed', step: 'refine', reason: 'a claim is contradicted' });
    expect(await run.shown()).toContain('withdrawn: It was 40 [P3], then 4 [P3]. (a claim is');
    run.tell(words('It was 4.', 3));
    expect(await run.shown()).toMatch(/\)\nIt was 4\.\n\n/);
  });

  it('keeps a withdrawn answer visible, unless it becomes the final answer', () => {
    const run = createRun(60, 24, plain);
    run.tell(words('It was 40.'));
    run.tell({ type: 'ladder.climbed', step: 'wider', reason: 'the answer cites nothing' });
    const rung = { step: 'answer', reason: '', doubt: null, answerable: null } as const;
    const ladder = (...kept: boolean[]) => ({ ladder: kept.map((isKept) => ({ ...rung, isKept })) });
    expect(run.left(ladder(false, true))).toEqual(['withdrawn: It was 40. (the answer cites nothing)']);
    expect(run.left(ladder(true, false))).toEqual([]);
  });
});

it('it erases itself and leaves its notes, with a blank line below', async () => {
  const written: string[] = [];
  const stderr = { columns: 80, rows: 24, style: plain, write: (text: string) => void written.push(text) };
  const tree = createLiveTree(stderr as unknown as Output, true);
  const event = (body: EventBody) => tree.onEvent({ seq: 1, at: '', runId: '01KB', ...body });
  event({ type: 'node.started', path: '0', depth: 0, question: 'Why?' });
  tree.say('still reading stdin');
  expect((await screenOf(written.join(''), 80, 24)).slice(0, 2)).toEqual([
    'rlm: still reading stdin',
    expect.stringMatching(/^. Why\? {2}0\.0\u00a0s$/),
  ]);
  event({ type: 'warning', code: 'model', message: `one\u001b[2J of it, ${'of many words '.repeat(6)}` });
  tree.close(null);
  written.push('The answer.');
  expect(await screenOf(written.join(''), 80, 24)).toEqual([
    'rlm: still reading stdin',
    'rlm: note: one of it, of many words of many words of many words of many',
    '     words of many words of many words',
    '',
    'The answer.',
  ]);
});
