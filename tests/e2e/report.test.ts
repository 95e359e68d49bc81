import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { answer, goodHandlers, goodText, plan, startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const question = 'How large was the pool?';
const decomposed = {
  planner: plan('decompose', ['What changed?', 'What failed?']),
  answer: answer('It was lowered to 4 connections [P1].', 'P1', 'lowered from 40 to 4'),
};

/** Returns the tree of questions, with their prompts and replies. */
const treeIn = (page: string) => /<section id="tree"[\s\S]*?<\/section>/.exec(page)![0];

describe.concurrent('reports of a run', () => {
  it('are written next to the answer, and made again from the record', async () => {
    const server = await startServer(decomposed);
    const cwd = createFolder({ 'notes.md': goodText, 'summary.md': 'before\n' });
    const env = { RLM_HOME: createFolder(), GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'), ...server.env };
    const files = [
      '--report',
      'r.html',
      '--junit',
      'j.xml',
      '--sarif',
      's.json',
      '--annotations',
      'github',
      '--step-summary',
    ];
    const asked = await rlm(['ask', question, 'notes.md', '--strategy', 'decompose', '--json', ...files], { cwd, env });
    const { runId } = resultOf(asked);
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
    expect(asked).toMatchObject({ code: 0 });
    expect(asked.stderr).toMatch(
      /^::notice file=notes\.md,line=\d+,endLine=\d+,title=rlm%3A supported::It was lowered to 4/m,
    );
    expect(read('summary.md')).toMatch(/^before\n## How large was the pool\?\n/);
    expect(read('j.xml')).toContain('<testcase classname="rlm" name="How large was the pool?"');
    expect(JSON.parse(read('s.json')).runs[0].results).toEqual([]);

    const tree = treeIn(read('r.html'));
    for (const id of ['node-planner', 'node-0-1', 'node-0-2', 'node-critic']) expect(tree).toContain(`id="${id}"`);
    for (const prompt of ['planner', 'answer', 'compose', 'critic']) expect(tree).toContain(`<strong>${prompt} #`);
    expect(tree).toContain('It was lowered from 40 to 4 connections.');
    expect(tree).toContain('lowered to 4 connections [P1]');
    expect(read('r.html')).toContain('<mark>lowered from 40 to 4</mark>');

    const [page, markdown] = await Promise.all([
      rlm(['report', '-o', '-'], { cwd, env }),
      rlm(['report', runId!, '--format', 'markdown'], { cwd, env }),
    ]);
    expect(treeIn(page.stdout)).toBe(tree);
    expect(markdown.stdout).toContain('1. `notes.md:');
  });

  it('exist for failed and for killed runs; wrong use says what to type', async () => {
    const cwd = createFolder({ 'notes.md': goodText });
    const env = { RLM_HOME: createFolder() };
    const failed = await rlm(['ask', question, 'none.md', '--report', 'r.html', '--junit', 'j.xml'], { cwd, env });
    expect(failed.code).toBe(2);
    expect(readFileSync(join(cwd, 'j.xml'), 'utf8')).toContain('errors="1"');
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toContain('There is no answer.');
    const misuses = [
      [
        ['ask', question, 'notes.md', '-o', 'a', '--report', './a'],
        /cannot contain both the answer \(-o\) and --report/,
      ],
      [['ask', question, 'notes.md', '--report', '-'], /--report cannot be "-"/],
      [['ask', question, 'notes.md', '--log-file', '-'], /--log-file.* cannot be "-"/],
      [['ask', question, 'notes.md', '--step-summary'], /needs the variable GITHUB_STEP_SUMMARY/],
      [['ask', question, 'notes.md', '--report', 'no/such/folder.html'], /folder\.html cannot be written/],
      [['report'], /no run is recorded/],
    ] as const;
    const told = await Promise.all(misuses.map(([args]) => rlm(args, { cwd, env })));
    for (const [index, { code, stderr }] of told.entries()) {
      expect(code).toBe(2);
      expect(stderr).toMatch(misuses[index]![1]);
    }
    expect(existsSync(join(cwd, 'a'))).toBe(false);
  });
});

describe.concurrent('rlm checks', () => {
  const checks = `paths: [notes.md]
checks:
  - name: the new size
    question: ${question}
    contains: [4 connections]
    cites: notes.md
  - question: Was it approved?
    begins: yes
    excludes: lowered
`;

  it('says which expectations hold, for people, programs and CI servers', async () => {
    const server = await startServer({});
    const cwd = createFolder({
      'notes.md': goodText,
      'checks.yaml': checks,
      'one.json': `{"checks": [{"question": "${question}"}]}`,
    });
    const { env } = server;
    const [text, json, one] = await Promise.all([
      rlm(['checks', 'checks.yaml', '--junit', 'j.xml'], { cwd, env }),
      rlm(['checks', 'checks.yaml', '--json'], { cwd, env }),
      rlm(['checks', 'one.json', 'notes.md'], { cwd, env }),
    ]);
    expect(text.code).toBe(7);
    expect(text.stdout).toMatch(
      /^pass {2}the new size\nFAIL {2}Was it approved\?\n {6}the answer does not begin with "yes"\n {6}the answer contains "lowered"\n {6}answer: .*\n1 of 2 checks passed\n$/,
    );
    expect(readFileSync(join(cwd, 'j.xml'), 'utf8')).toMatch(/tests="2" failures="1" errors="0"/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      passed: 1,
      notAsked: 0,
      checks: [{ passed: true }, { passed: false, answer: expect.any(String) }],
    });
    expect(one).toMatchObject({ code: 0, stdout: `pass  ${question}\n1 of 1 check passed\n` });
  });

  it('limits all checks together by flags, and each check by the configuration', async () => {
    const questions = ['one', 'two', 'three', 'four', 'five'].map((word) => `  - question: What is ${word}?\n`);
    const cwd = createFolder({ 'notes.md': goodText, 'c.yaml': `paths: [notes.md]\nchecks:\n${questions.join('')}` });
    const run = async (args: readonly string[], more = {}, handlers = {}) => {
      const { env, requests } = await startServer(handlers);
      const { code, stdout } = await rlm(['checks', 'c.yaml', '--json', ...args], { cwd, env: { ...env, ...more } });
      const { notAsked, checks: asked } = JSON.parse(stdout);
      return { code, calls: requests.length, all: notAsked + asked.length, notAsked };
    };
    const whole = await run([]);
    expect(whole).toMatchObject({ code: 0, notAsked: 0, all: 5 });
    const each = whole.calls / 5;
    const [calls, cost, tokens, fewer, time, configured] = await Promise.all([
      run(['--max-calls', String(2 * each)]),
      run(['--max-cost', '0']),
      run(['--max-tokens', '6000']),
      // What is left after the fourth check does not suffice for a call.
      run(['--max-tokens', '5000']),
      run(['--timeout', '0.01']),
      run([], { RLM_MAX_SUBCALLS: String(each) }),
    ]);
    expect(calls).toEqual({ code: 6, calls: 2 * each, all: 5, notAsked: 3 });
    expect(cost).toMatchObject({ code: 0, notAsked: 0 });
    expect(tokens.calls).toBeLessThan(whole.calls);
    expect(tokens.code).toBe(6);
    expect(fewer).toMatchObject({ code: 6, all: 5, notAsked: 1 });
    expect(time).toMatchObject({ code: 6, calls: 0 });
    expect(configured).toEqual(whole);
    const busy = faults.status(500, 'oops', { 'retry-after': '0' });
    const critic = (_: unknown, index: number) => (index % 2 === 0 ? busy : goodHandlers.critic);
    const retried = await run(['--max-calls', String(3 * each)], {}, { critic });
    expect(retried.calls).toBeLessThanOrEqual(3 * each);
  });

  it('stops when no further check can be asked, and refuses wrong files', async () => {
    const files = {
      'c.yaml': checks,
      'k.yaml': 'checks:\n  - question: a\n    contain: b\n',
      'n.yaml': 'checks:\n  - question: a\n    contains: { 9: 4 }\n',
      'e.yaml': 'checks: [',
      'b.yaml': 'checks:\n  - question: " "\n',
    };
    const cwd = createFolder({ 'notes.md': goodText, ...files });
    const run = (file: string) => rlm(['checks', file, '--provider', 'ollama', '--junit', 'j.xml'], { cwd });
    const names = ['c.yaml', 'k.yaml', 'n.yaml', 'e.yaml', 'b.yaml'];
    const [gone, unknown, number, broken, blank] = await Promise.all(names.map(run));
    expect(gone!.code).toBe(4);
    expect(gone!.stdout).toMatch(/0 of 1 check passed, 1 not asked/);
    expect(readFileSync(join(cwd, 'j.xml'), 'utf8')).toMatch(/tests="2" failures="0" errors="2"/);
    for (const [{ code, stderr }, why] of [
      [unknown!, /unknown key "contain".*"contains"/],
      [number!, /checks\.0\.contains: .*list of texts/],
      [broken!, /not a valid checks file/],
      [blank!, /checks\.0\.question: is empty/],
    ] as const) {
      expect(code).toBe(2);
      expect(stderr).toMatch(why);
    }
  });
});

it('leaves no trajectory if nothing is recorded', async () => {
  const cwd = createFolder({ 'notes.md': goodText });
  const home = createFolder();
  writeFileSync(join(cwd, 'r.html'), 'old');
  const done = await rlm(['ask', 'What changed the pool?', 'notes.md', '--no-journal', '--report', 'r.html'], {
    cwd,
    env: { RLM_HOME: home },
  });
  expect(done.code).toBe(0);
  expect(existsSync(join(home, 'runs'))).toBe(false);
  expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toContain('The deploy at 13:42 changed the pool.');
});
