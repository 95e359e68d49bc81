import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../src/base/files/replace-file.ts';
import { RlmError } from '../../src/index.ts';
import { createAudit } from '../../src/journal/audit.ts';
import { failedResult } from '../../src/result.ts';
import { askScripted, decomposing, look, part, type Script, splitInto, variables } from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const readAudits = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, audit: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));

/** Reads the only audit file of a folder. */
function readAudit(folder: string) {
  const [only, ...others] = readAudits(folder);
  expect(others).toEqual([]);
  return only!;
}

const cited = (request: Parameters<typeof variables>[0]) => ({
  answer: `It was 20 [${variables(request, 'answer').passages[0]!.id}].`,
  citations: [{ passage: variables(request, 'answer').passages[0]!.id, quote: 'limited to 20' }],
  assumptions: [],
});

const twins = splitInto(part('How large was it?'), part('How large was it?'));

/** Makes a run with sub-calls, some of them reused, and returns its audit. */
async function audited(script: Parameters<typeof askScripted>[0] = { ...twins, answer: cited }) {
  const folder = join(tempFolder(), 'audits');
  const settings = { ...decomposing.settings, seed: 7, audit: folder };
  const { result } = await askScripted(script, { settings });
  return { result, folder, ...readAudit(folder) };
}

describe('the audit file', () => {
  it('has the documented shape, and holds the outcome of the run', async () => {
    const { result, name, audit } = await audited();
    expect(name).toBe(`${result.runId}.json`);
    expect(audit).toMatchObject({
      task_id: result.runId,
      query: 'Why did it fail?',
      trajectory: { total_subcalls: 2, cached_hits: 2 },
      usage: {
        subcall_count: 2,
        total_tokens: result.usage.tokens.input + result.usage.tokens.output,
        wall_time_seconds: result.usage.wallTimeMs / 1000,
      },
    });
    expect(Object.keys(audit)).toEqual(
      'task_id query start_time end_time status error trajectory findings citations usage'.split(' '),
    );
    expect(Object.keys(audit.trajectory)).toEqual(['steps', 'total_subcalls', 'cached_hits']);
    expect(Object.keys(audit.usage)).toEqual(['subcall_count', 'total_tokens', 'wall_time_seconds']);
    const [start, end] = [audit.start_time, audit.end_time];
    expect([start, end].map((time) => new Date(time).toISOString())).toEqual([start, end]);
    expect(Date.parse(end)).toBeGreaterThanOrEqual(Date.parse(start));
  });

  it('lists the tool calls of an exploration and of code', async () => {
    const stepsOf = async (script: Script, settings: object) => {
      const folder = join(tempFolder(), 'audits');
      await askScripted(script, { settings: { ...settings, audit: folder } });
      return readAudit(folder).audit.trajectory.steps as (Record<string, unknown> & { tool?: object })[];
    };
    const explored = await stepsOf({ explore: [look(['list_files', {}])] }, { strategy: 'explore' });
    expect(explored[2]).toMatchObject({ kind: 'tool', path: '0', prompt: 'explore', tool: { name: 'list_files' } });
    const coded = await stepsOf({ repl: ['```js\nprint(1)\n```', 'FINAL(1)'] }, { strategy: 'repl' });
    expect(coded[2]).toMatchObject({ kind: 'tool', path: '0', prompt: 'repl', tool: { name: 'code', result: '1' } });
  });

  it('lists every step in order', async () => {
    const { result, audit } = await audited();
    const { steps } = audit.trajectory;
    expect(steps.map(({ step }: { step: number }) => step)).toEqual(
      steps.map((_: unknown, index: number) => index + 1),
    );
    const told = steps.map(({ kind, path, prompt }: Record<string, string>) => `${kind} ${path} ${prompt}`);
    expect(told).toEqual([
      'call planner planner',
      'call 0.1 assess',
      'cached 0.2 assess',
      'call 0.1 answer',
      'cached 0.2 answer',
      'call 0 compose',
      'call critic critic',
    ]);
    const sum = (name: string) => steps.reduce((total: number, step: Record<string, number>) => total + step[name]!, 0);
    expect(sum('input_tokens')).toBe(result.usage.tokens.input);
    expect(sum('output_tokens')).toBe(result.usage.tokens.output);
  });

  it('holds every finding and every citation', async () => {
    const { result, audit } = await audited();
    expect(audit.findings).toMatchObject([
      { path: '0', question: 'Why did it fail?', answer: result.recursionTree!.answer, status: 'answered' },
      { path: '0.1', question: 'How large was it?', status: 'answered' },
      { path: '0.2', question: 'How large was it?', status: 'answered' },
    ]);
    const direct = await audited({ answer: cited, decompose: { subQuestions: [] } });
    const [citation] = direct.result.citations;
    expect(direct.audit.citations).toEqual([
      {
        number: 1,
        source: 'a.md',
        start_line: citation!.startLine,
        end_line: citation!.endLine,
        content_hash: citation!.hash,
        quote: 'limited to 20',
      },
    ]);
  });

  it('is written for a run that fails, with its tries', async () => {
    const { audit, result } = await audited({ answer: () => new RlmError('request-refused', 'the server says no') });
    expect(result.status).toBe('failed');
    expect(audit).toMatchObject({
      status: 'failed',
      error: { code: 'request-refused', message: 'the server says no' },
      citations: [],
    });
    expect(audit.trajectory.steps.at(-1)).toMatchObject({ kind: 'failed', path: '0', error: 'the server says no' });
  });

  it('is written for a run that could not begin, which keeps its own error', async () => {
    const folder = join(tempFolder(), 'audits');
    const asked = askScripted({}, { settings: { audit: folder }, documents: [], paths: ['nowhere.md'] });
    await expect(asked).rejects.toMatchObject({ code: 'input-missing' });
    const { audit, name } = readAudit(folder);
    expect(name).toBe(`${audit.task_id}.json`);
    expect(audit).toMatchObject({
      query: 'Why did it fail?',
      status: 'failed',
      error: { code: 'input-missing' },
      trajectory: { steps: [], total_subcalls: 0, cached_hits: 0 },
      usage: { subcall_count: 0, total_tokens: 0, wall_time_seconds: 0 },
    });
  });

  it('that can no longer be written does not hide why the run failed', async () => {
    const folder = join(tempFolder(), 'audits');
    const documents = async () => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
      throw new RlmError('input-unreadable', 'it is gone');
    };
    await expect(askScripted({}, { settings: { audit: folder }, documents })).rejects.toMatchObject({
      code: 'input-unreadable',
    });
  });

  it('is private, and one for each run', async () => {
    const folder = tempFolder();
    for (const _ of [1, 2]) await askScripted({}, { settings: { audit: folder } });
    const audits = readAudits(folder);
    expect(new Set(audits.map(({ audit }) => audit.task_id)).size).toBe(2);
    for (const { name } of audits) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('refuses a folder that cannot be written before anything is asked', async () => {
    const folder = join(tempFolder({ file: '' }), 'file');
    let asked = 0;
    const asking = askScripted({ planner: () => `${asked++}` }, { settings: { audit: folder } });
    await expect(asking).rejects.toMatchObject({
      code: 'output-unwritable',
      hint: expect.stringContaining('RLM_AUDIT_DIR'),
    });
    expect(asked).toBe(0);
  });

  it('that cannot be written at the end is an error, and the answer is returned', async () => {
    const folder = join(tempFolder(), 'audits');
    const critic = () => {
      mkdirSync(join(folder, `${runId}.json`));
      return { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: 'fair' };
    };
    let runId = '';
    const { result } = await askScripted(
      { critic },
      {
        settings: { audit: folder },
        onEvent: (event) => {
          runId = event.runId;
        },
      },
    );
    expect(result).toMatchObject({
      status: 'answered',
      error: { code: 'output-unwritable', message: expect.stringContaining('cannot be written') },
    });
    expect(result.answer).not.toBeNull();
  });

  it.each([false, true])('of earlier runs is not a text to ask about, if its parent existed: %s', async (isThere) => {
    const cwd = tempFolder({ 'a.md': 'The pool was limited to 20.\n' });
    if (isThere) mkdirSync(join(cwd, 'telemetry'));
    const options = { cwd, paths: ['.'], documents: [], settings: { audit: true } };
    await askScripted({}, options);
    const { of } = await askScripted({}, options);
    expect(of('planner')[0]!.documents).toBe('- a.md: 1 line, 28 bytes, Markdown');
    expect(readAudits(join(cwd, 'telemetry', 'rlm'))).toHaveLength(2);
  });

  it('hides nothing in an existing folder', async () => {
    const folder = tempFolder();
    await createAudit(join(folder));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'is refused in a folder that accepts no files, with its name alone',
    async () => {
      const message = expect.stringMatching(/ \/proc: E[A-Z]+(?!.*\.json)/);
      await expect(createAudit('/proc')).rejects.toMatchObject({ code: 'output-unwritable', message });
    },
  );
});

describe('a replaced file', () => {
  it('is never incomplete for a reader', async () => {
    const path = join(tempFolder(), 'a.json');
    await replaceFile(path, 'first');
    const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify({ index, text: 'x'.repeat(200_000) }));
    let isWriting = true;
    const reading = (async () => {
      let reads = 0;
      for (; isWriting; reads++) {
        const text = readFileSync(path, 'utf8');
        if (text !== 'first') JSON.parse(text);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return reads;
    })();
    await Promise.all(texts.map((text) => replaceFile(path, text)));
    isWriting = false;
    expect(await reading).toBeGreaterThan(0);
    expect(readdirSync(join(path, '..'))).toEqual(['a.json']);
  });

  it('is the target of a link', async () => {
    const folder = tempFolder({ 'real.json': 'old' });
    const { symlinkSync, lstatSync } = await import('node:fs');
    symlinkSync('real.json', join(folder, 'link.json'));
    await replaceFile(join(folder, 'link.json'), 'new');
    expect(readFileSync(join(folder, 'real.json'), 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'link.json')).isSymbolicLink()).toBe(true);
  });

  it('keeps its permissions; a new one is for the user alone', async () => {
    const folder = tempFolder({ 'shared.json': 'old' });
    const { chmodSync, statSync } = await import('node:fs');
    chmodSync(join(folder, 'shared.json'), 0o664);
    for (const name of ['shared.json', 'own.json']) await replaceFile(join(folder, name), 'new');
    const modes = ['shared.json', 'own.json'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o664, 0o600]);
  });

  it('stays unchanged if the new one cannot replace it', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'a.json'));
    writeFileSync(join(folder, 'a.json', 'kept'), 'kept');
    await expect(replaceFile(join(folder, 'a.json'), 'new')).rejects.toMatchObject({ code: 'output-unwritable' });
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

it('an audit of a run that failed before it has an id has its own id', async () => {
  const folder = tempFolder();
  const audit = await createAudit(folder);
  await audit.write(failedResult('Why?', new RlmError('internal', 'x')));
  expect(readAudit(folder).audit.task_id).toMatch(/^\d{8}T\d{6}-/);
});
