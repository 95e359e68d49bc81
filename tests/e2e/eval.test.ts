import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '../../src/eval/index.ts';
import { answer, startServer } from './replies.ts';
import { createFolder, rlm, startRlm } from './run-rlm.ts';

const text =
  'The pool was lowered from 40 to 4 connections.\nThe release was 4.18.0.\nThe owner is the platform team.\n';

const lines = [
  { id: 'pool', question: 'To how many connections was the pool lowered?', number: 4 },
  { id: 'release', question: 'Which release was it?', target: '4.18.0' },
  { id: 'owner', question: 'Who is the owner?', contains: 'platform team' },
  { id: 'colour', question: 'What colour has the logo?', answerable: false },
];

const createPlace = () =>
  createFolder({ 'q.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'), 'notes.md': text });

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const reportIn = (folder: string, name: string) => JSON.parse(read(folder, name)) as EvaluationReport;

const extractive = ['-p', 'extractive'];

describe.concurrent('rlm eval', () => {
  it('compares arms in a table and in files, checks them against thresholds, and repeats from recordings', async () => {
    const cwd = createPlace();
    const files = ['json', 'html', 'md', 'xml'].flatMap((end) => ['--report', `out/report.${end}`]);
    const common = ['eval', 'q.jsonl', 'notes.md', '--arms', 'rag,auto'];
    const run = await rlm([...common, ...extractive, '--record', 'replies', '--min', 'auto.accuracy=101', ...files], {
      cwd,
    });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('--min cannot be "auto.accuracy=101"');
    const barred = ['--min', 'rag.answered=100', '--min', 'auto.f1=100'];
    const first = await rlm([...common, ...extractive, '--record', 'replies', ...barred, ...files], { cwd });
    expect(first.code, first.stderr).toBe(7);
    expect(first.stdout).toMatch(/^4 questions, 2 arms, extractive\n/);
    expect(first.stdout).toMatch(/^rag \(baseline\) +\d+ /m);
    expect(first.stdout).toContain('No difference between auto and rag can be shown with 4 samples');
    expect(first.stdout).toContain('MISSED: auto.f1 of at least 100');
    expect(first.stderr).toMatch(/8 of 8 · rag \d+ % · auto \d+ %/);
    expect(read(cwd, 'out/report.html')).toContain('<svg ');
    expect(read(cwd, 'out/report.md')).toContain('## Evaluation: below the bar');
    expect(read(cwd, 'out/report.xml').match(/<testcase /g)).toHaveLength(10);

    const env = { OLLAMA_HOST: 'http://127.0.0.1:1' };
    const gates = ['--max-regression', '0', '--against', 'out/report.json'];
    const again = await rlm([...common, '--replay', 'replies', '--json', '-q', ...gates], { cwd, env });
    expect(again, again.stderr).toMatchObject({ code: 0, stderr: '' });
    const [before, after] = [reportIn(cwd, 'out/report.json'), JSON.parse(again.stdout) as EvaluationReport];
    const told = ({ outcomes }: EvaluationReport) =>
      outcomes.map(({ sample, arm, answer, score }) => [sample, arm, answer, score]);
    expect(told(after)).toEqual(told(before));
    expect(after.bars).toMatchObject([{ isReached: true, found: expect.stringMatching(/^0 points/) }]);
  });

  it('is killed in the middle, and continues without repeating answered questions', async () => {
    const isHeld = { now: true };
    let asked = 0;
    const held = async () => {
      asked += 1;
      if (isHeld.now && asked > 3) await new Promise(() => {});
      return answer('It was 4.18.0 of the platform team, with 4 connections [P1].', 'P1');
    };
    const server = await startServer({ answer: held });
    const [cwd, state] = [createPlace(), createFolder()];
    const env = { ...server.env, RLM_HOME: state, RLM_PLANNER: 'never', RLM_CRITIC: 'never', OLLAMA_NUM_PARALLEL: '1' };
    const args = ['eval', 'q.jsonl', 'notes.md', '--arms', 'direct', '--json', '--max-cost', '1'];
    const running = startRlm(args, { cwd, env });
    while (asked < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill('SIGKILL');
    await running.done;
    isHeld.now = false;
    const again = await rlm([...args, '--resume', '-q'], { cwd, env });
    expect(again.code, again.stderr).toBe(0);
    const { outcomes, status } = JSON.parse(again.stdout) as EvaluationReport;
    expect([status, outcomes.map(({ sample }) => sample)]).toEqual([
      'complete',
      ['pool', 'release', 'owner', 'colour'],
    ]);
    expect(outcomes.map(({ score }) => score.lenient)).toEqual([1, 1, 1, 0]);
    // Three answers were recorded; the fourth was in progress.
    expect(asked).toBe(5);
  });

  it('begins a file of questions, and makes tasks that it can run', async () => {
    const cwd = createPlace();
    const init = await rlm(['eval', 'init'], { cwd });
    expect(init.code).toBe(0);
    writeFileSync(join(cwd, 'own.jsonl'), init.stdout);
    const make = ['eval', 'make', 'niah', 'notes.md', '--tokens', '1k', '--samples', '2', '--seed', '3', '-o', 'made'];
    const made = await rlm(make, { cwd });
    expect(made, made.stderr).toMatchObject({ code: 0, stdout: 'made/questions.jsonl\n' });
    expect(read(cwd, 'made/text/niah-1k-1.txt')).toContain('The release was 4.18.0.');
    expect((await rlm(make, { cwd })).stderr).toContain('made/questions.jsonl already exists');
    const run = await rlm(['eval', 'made/questions.jsonl', ...extractive, '--json', '-q'], { cwd });
    expect(run.code, run.stderr).toBe(0);
    expect((JSON.parse(run.stdout) as EvaluationReport).outcomes).toHaveLength(4);
    const own = await rlm(
      ['eval', 'own.jsonl', 'notes.md', ...extractive, '--arms', 'auto', '--max-calls', '2', '-q'],
      { cwd },
    );
    expect(own.code, own.stderr).toBe(6);
    expect(own.stderr).toContain('continue with --resume');
  });

  it('a report does not replace the text of a question, a schema or the evaluation to compare with', async () => {
    const inputs = {
      'q.jsonl': JSON.stringify({ question: 'Which release was it?', contains: '4.18.0', paths: 'notes.md' }),
      'notes.md': text,
      'schema.json': '{"type":"object","properties":{"release":{"type":"string"}}}',
      'base.json': '{"schemaVersion":1,"outcomes":[]}',
    };
    const cwd = createFolder(inputs);
    const schema = ['--schema', 'schema.json', '--max-regression', '5', '--against', 'base.json'];
    for (const name of ['notes.md', 'schema.json', 'base.json'] as const) {
      const run = await rlm(['eval', 'q.jsonl', '--arms', 'auto', ...extractive, ...schema, '--report', name], { cwd });
      expect(run.stderr).toContain(`the output would overwrite the input '${name}'`);
      expect(run.code).toBe(2);
      expect(read(cwd, name)).toBe(inputs[name]);
    }
  });

  it.each([
    [['eval', 'gone.jsonl'], 2, 'gone.jsonl cannot be read (ENOENT)'],
    [['eval', 'q.jsonl', 'notes.md', '--arm', 'x: modle=y'], 3, 'unknown setting "modle"'],
    [['eval', 'q.jsonl', 'notes.md', '--max-regression', '5'], 2, '--max-regression needs --against'],
    [['eval', 'q.jsonl', 'notes.md', ...extractive, '--resume'], 2, 'no evaluation of these questions'],
    [['eval', 'q.jsonl', '--arm', 'x: role=./notes.md', '--report', 'notes.md'], 2, 'overwrite the input'],
    [['eval', 'q.jsonl', '--report', 'r.html', '--report', './r.html'], 2, 'cannot contain both'],
    [['eval', 'make', 'niah', '--tokens', '9'], 2, '--tokens cannot be "9"'],
  ])('%j is refused', async (args, code, message) => {
    const cwd = createPlace();
    const run = await rlm(args, { cwd });
    expect(run.stderr).toContain(message);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(existsSync(join(cwd, 'eval-niah'))).toBe(false);
  });
});
