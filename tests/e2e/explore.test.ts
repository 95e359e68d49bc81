import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type ChatCall, faults } from '../servers/ollama-server.ts';
import { logs } from '../support/exploring.ts';
import { look } from '../support/scripted-run.ts';
import { answer, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, startRlm } from './run-rlm.ts';

const createLogs = () => createFolder(Object.fromEntries(logs.map(({ name, text }) => [name, text])));
const asking = ['ask', 'Who lowered the pool?', 'log.txt', 'src/', '--strategy', 'explore'];

const who = 'Who authored C-1187?';

/** Returns the number of steps in the conversation. */
const stepOf = ({ messages }: ChatCall) => messages.filter(({ role }) => role === 'assistant').length;

/** Returns the passage with these words that the model was shown. */
const passageWith = ({ messages }: ChatCall, words: string) =>
  messages
    .map(({ content }) => content)
    .join('\n')
    .match(new RegExp(`\\[(P\\d+)\\][^\\n]*${words}`))?.[1];

const inJson = { models: [{ name: 'qwen2.5-coder:14b', capabilities: ['completion'] }] };

/** Writes a step as native tool calls. */
function calling(step: ReturnType<typeof look>): object {
  const found = step.findings.map(
    ({ description, evidence, source, startLine }) => `- [${source}:${startLine}] "${evidence}" | 95 | ${description}`,
  );
  const content = `THOUGHT: ${step.thought}\nFINDINGS:\n${found.join('\n') || 'none'}`;
  const calls = step.actions.map((call, index) => ({
    function: { index, name: call.tool, arguments: call.arguments },
  }));
  return faults.parts([{ message: { content } }, { message: { tool_calls: calls } }]);
}

/** Writes a step in the requested form. */
const saying = (call: ChatCall, step: ReturnType<typeof look>): object => (call.format === null ? calling(step) : step);

/** A model that searches, asks a sub-query about some lines, and answers. */
function stepping(call: ChatCall) {
  if (stepOf(call) === 0) return look(['grep', { pattern: 'pool was lowered' }], ['list_files', {}]);
  if (stepOf(call) === 1) {
    const part = { question: who, path: 'src/commits.md', startLine: 1, endLine: 5 };
    const step = look(['sub_query', JSON.stringify({ queries: [part] })]);
    const found = { source: 'log.txt', startLine: 2_001, endLine: 2_001, confidence: 95 };
    return { ...step, findings: [{ description: 'By C-1187', evidence: 'lowered to 4 by config C-1187', ...found }] };
  }
  return look([
    'final_answer',
    {
      answer: `Mara [${passageWith(call, 'authored by Mara')}], by C-1187 [${passageWith(call, 'The pool was lowered')}].`,
    },
  ]);
}

const handlers = {
  explore: (call: ChatCall) => saying(call, stepping(call)),
  answer: (call: ChatCall) => {
    const [, id = 'P1'] = /<passage id="(P\d+)" source="src\/commits\.md"/.exec(call.messages.at(-1)!.content) ?? [];
    return answer(`Mara [${id}].`, id, 'authored by Mara');
  },
};

describe.concurrent('--strategy explore', () => {
  it.each([
    ['tools', {}],
    ['JSON', inJson],
  ])('answers with a model that is asked in %s, and shows its steps in every output', async (form, options) => {
    const cwd = createLogs();
    const server = await startServer(handlers, options);
    const isNative = form === 'tools';
    const env = { ...server.env, RLM_HOME: join(cwd, '.state'), RLM_AUDIT_DIR: 'audits' };
    const run = await rlm([...asking, '--format', 'ndjson'], { cwd, env });
    expect(run.code, run.stderr).toBe(0);
    const { events, last } = eventsOf(run);
    const { answer: said, citations, recursionTree } = last.result;
    expect(said).toBe('Mara [1], by C-1187 [2].');
    expect(citations).toMatchObject([
      { source: 'src/commits.md', startLine: 2, quote: 'authored by Mara' },
      { source: 'log.txt', startLine: 2_001, quote: 'lowered to 4 by config C-1187' },
    ]);
    expect(recursionTree!.children).toMatchObject([{ path: '0.1', question: who, strategy: 'direct' }]);
    const called = events.flatMap((event) => (event.type === 'tool.called' ? [event.tool] : []));
    expect(called).toEqual(['grep', 'list_files', 'sub_query', 'final_answer']);
    const name = readdirSync(join(cwd, 'audits')).find((one) => one.endsWith('.json'));
    const audit = JSON.parse(readFileSync(join(cwd, 'audits', name!), 'utf8'));
    const tools = audit.trajectory.steps.filter(({ kind }: { kind: string }) => kind === 'tool');
    expect(tools.map(({ tool }: { tool: { name: string } }) => tool.name)).toEqual(called);
    const shown = await rlm(['runs', 'show', last.result.runId!], { cwd, env });
    expect(shown.stdout).toMatch(/step 1: Let me see\.\n\s+grep \{"pattern":"pool was lowered"\}: log\.txt/);
    expect(shown.stdout).toContain('found: By C-1187 (log.txt:2001-2001)');
    expect(server.requests.map(({ cut }) => cut)).not.toContain(true);
    expect(server.requests.filter(({ body }) => body['tools'] !== undefined)).toHaveLength(isNative ? 3 : 0);
  });

  it('answers without a model', async () => {
    const run = await rlm([...asking, '--provider', 'extractive', '--json'], { cwd: createLogs() });
    expect(run.code, run.stderr).toBe(0);
    const { answer: said, citations, recursionTree } = resultOf(run);
    expect(said).toContain('The pool was lowered to 4 by config C-1187');
    expect(citations).toMatchObject([{ source: 'log.txt', startLine: 2_001 }]);
    expect(recursionTree).toMatchObject({ strategy: 'direct', steps: [] });
  });

  it('continues after kill -9, and makes no call again', async () => {
    const cwd = createLogs();
    const env = { RLM_HOME: join(cwd, '.state') };
    let killed = false;
    const server = await startServer({
      ...handlers,
      explore: (call: ChatCall) => {
        if (stepOf(call) < 2 || killed) return saying(call, stepping(call));
        killed = true;
        return faults.stallMidStream();
      },
    });
    const run = startRlm([...asking, '--json'], { cwd, env: { ...server.env, ...env } });
    await run.shows('stderr', '0 sub_query');
    await vi.waitFor(() => expect(killed).toBe(true), { timeout: 20_000 });
    run.kill('SIGKILL');
    await run.done;
    const asked = server.requests.length;
    const resumed = await rlm(['resume', '--json'], { env: { ...server.env, ...env } });
    expect(resumed.code, resumed.stderr).toBe(0);
    const { answer: said, usage, recursionTree } = resultOf(resumed);
    expect(said).toBe('Mara [1], by C-1187 [2].');
    expect(recursionTree!.steps).toHaveLength(3);
    expect(usage.replayedCalls).toBe(asked - 1);
    expect(server.requests.length - asked).toBe(2);
  });

  it('is replayed from a recording, step by step', async () => {
    const cwd = createLogs();
    const server = await startServer(handlers);
    const first = resultOf(await rlm([...asking, '--json', '--record', 'run.cassette'], { cwd, env: server.env }));
    const again = await rlm([...asking, '--json', '--replay', 'run.cassette', '--concurrency', '1'], { cwd });
    expect(again.code, again.stderr).toBe(0);
    const stepsIn = ({ recursionTree }: typeof first) => recursionTree!.steps;
    expect(stepsIn(resultOf(again))).toEqual(stepsIn(first));
    expect(resultOf(again).answer).toBe(first.answer);
  });

  it('spends no call on sub-questions that repeat the question', async () => {
    const again = ['Who lowered the pool?', 'who lowered the POOL', 'Who lowered pool?!'];
    const server = await startServer({
      ...handlers,
      explore: (call: ChatCall) => {
        const question = again[stepOf(call)];
        return saying(call, question === undefined ? stepping(call) : look(['sub_query', { question }]));
      },
    });
    const run = await rlm([...asking, '--json'], { cwd: createLogs(), env: server.env });
    expect(run.code, run.stderr).toBe(0);
    const { recursionTree, usage } = resultOf(run);
    expect(recursionTree!.children).toEqual([]);
    expect(usage.subCalls).toBe(0);
    const results = recursionTree!.steps.flatMap(({ calls }) => calls.map(({ result }) => result));
    expect(results.slice(0, 3)).toEqual(Array(3).fill(expect.stringContaining('that is the question itself')));
  });

  it('stops at its limit of steps with its findings, and says how to allow more', async () => {
    const server = await startServer(handlers);
    const run = await rlm([...asking, '--max-iterations', '2'], { cwd: createLogs(), env: server.env });
    expect(run.code).toBe(6);
    expect(run.stdout).toContain('Mara');
    expect(run.stderr).toContain('--max-iterations 4');
  });

  it('has only the tools that --tools names', async () => {
    const cwd = createLogs();
    const server = await startServer(handlers, inJson);
    await rlm([...asking, '--tools', 'grep,read_file'], { cwd, env: server.env });
    const offered = JSON.stringify(
      server.requests.find(
        (call) => stepOf(call) === 0 && 'actions' in ((call.format as { properties?: object })?.properties ?? {}),
      )!.format,
    );
    expect(offered).toContain('"read_file"');
    expect(offered).not.toContain('"sub_query"');
    const refused = await rlm([...asking, '--tools', 'read_fille'], { cwd, env: server.env });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('Did you mean read_file?');
  });

  it('reads files under the given paths and --root, and nothing else', async () => {
    const cwd = createFolder({
      'src/commits.md': '# Commits\nC-1187 was authored by Mara.\n',
      'other/a.md': 'Elsewhere.\n',
    });
    const step = (call: ChatCall) =>
      stepOf(call) === 0
        ? look(
            ['grep', { pattern: 'authored' }],
            ['read_file', { path: 'other/a.md' }],
            ['read_file', { path: '../../../etc/passwd' }],
          )
        : {
            ...look(['final_answer', { answer: 'Mara.' }]),
            findings: [{ description: 'Mara', evidence: 'authored by Mara', source: 'src/commits.md', startLine: 2 }],
          };
    const server = await startServer({ explore: step }, inJson);
    const ask = (...args: string[]) =>
      rlm(['ask', who, 'src/', '--strategy', 'explore', '--json', ...args], { cwd, env: server.env });
    const results = (run: Parameters<typeof resultOf>[0]) =>
      resultOf(run).recursionTree!.steps[0]!.calls.map(({ result, outcome }) => [outcome, result]);
    const inside = await ask();
    expect(inside.code, inside.stderr).toBe(0);
    expect(results(inside)).toEqual([
      ['done', expect.stringContaining('authored by Mara')],
      ['wrong', expect.stringContaining('may be read')],
      ['wrong', expect.stringContaining('may be read')],
    ]);
    expect(resultOf(inside).citations).toMatchObject([{ source: 'src/commits.md', quote: 'authored by Mara' }]);
    const wider = await ask('--root', 'other');
    expect(results(wider)[1]).toEqual(['done', expect.stringContaining('Elsewhere.')]);
    expect(results(wider)[2]![0]).toBe('wrong');
    expect((await ask('--root', 'nowhere')).code).toBe(2);
    const piped = await rlm(['ask', who, '--strategy', 'explore', '--json'], {
      cwd,
      env: server.env,
      stdin: 'Text.\n',
    });
    expect(results(piped)[0]).toEqual(['done', expect.stringContaining('No line matches')]);
  });

  it('cites files outside the text that its tools have read, by the same check, in every format', async () => {
    const cwd = createFolder({
      'log.txt': 'The pool was lowered to 4 by config C-1187.\n',
      'history/commits.md': '# Commits\nC-1187 was authored by Mara.\nC-1188 was authored by Ines.\n',
    });
    const found = (evidence: string, startLine: number, source = 'history/commits.md') => ({
      ...{ description: evidence, evidence, source, startLine, endLine: startLine, confidence: 90 },
    });
    const shownAs = ({ messages }: ChatCall) => /cite as \[(P\d+)\]/.exec(messages.at(-1)!.content)?.[1];
    const step = (call: ChatCall) => {
      if (stepOf(call) === 0) return look(['grep', { pattern: 'C-1187', path: 'history' }]);
      const read = look(['read_file', { path: 'history/commits.md', startLine: 3 }]);
      if (stepOf(call) === 1)
        return { ...read, findings: [found('C-1187 was authored by Mara', 2), found('authored by Zoe', 2)] };
      const answering = look([
        'final_answer',
        {
          answer: `C-1187 was authored by Mara; C-1188 was authored by Ines [${shownAs(call)}].`,
          evidence: [
            { passage: shownAs(call), quote: 'C-1188 was authored by Ines' },
            { passage: shownAs(call), quote: 'C-1187 was authored by Mara' },
            { passage: shownAs(call), quote: 'never shown' },
          ],
        },
      ]);
      return { ...answering, findings: [found('authored by Mara', 99, 'commits.md')] };
    };
    const server = await startServer({ explore: step }, inJson);
    const ask = (...args: string[]) =>
      rlm(['ask', who, 'log.txt', '--root', 'history', '--strategy', 'explore', ...args], { cwd, env: server.env });
    const { events, last } = eventsOf(await ask('--format', 'ndjson'));
    expect(last.result).toMatchObject({
      status: 'answered',
      answer: expect.stringContaining('C-1188 was authored by Ines [1]'),
    });
    const citations = [
      { source: 'history/commits.md', startLine: 3, endLine: 3, startByte: 39, quote: 'C-1188 was authored by Ines' },
      { source: 'history/commits.md', startLine: 2, endLine: 2, quote: 'C-1187 was authored by Mara' },
    ];
    expect(last.result.citations).toMatchObject(citations);
    expect(last.result).toMatchObject({
      warningCodes: ['evidence'],
      warnings: [expect.stringContaining('"never shown"')],
    });
    expect(last.result.confidence).toBeGreaterThan(0);
    const noted = events.flatMap((event) => (event.type === 'step.completed' ? [event.findings] : []));
    expect(noted[1]).toMatchObject([{ passage: expect.stringMatching(/^P\d{10}$/), startLine: 2 }, { passage: null }]);
    expect(resultOf(await ask('--json')).citations).toMatchObject(citations);
    expect((await ask()).stdout).toContain('[1] history/commits.md:3  "C-1188 was authored by Ines"');
  });
});
