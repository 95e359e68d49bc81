import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Citation } from '../../src/index.ts';
import { warned } from '../support/warned.ts';
import { goodText, startServer, unnamed } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, shell } from './run-rlm.ts';

const binary = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7) % 256));
const filler = (about: string) =>
  Array.from({ length: 400 }, (_, line) => `${about} line ${line}: the ${about} keeps working as before.`).join('\n');

/** Expects that a citation's lines and bytes contain its quote and nothing else. */
function expectToHold({ source, startLine, endLine, startByte, endByte, quote }: Citation, text: string): void {
  const lines = text.split('\n').slice(startLine - 1, endLine);
  expect(lines.join('\n'), source).toContain(quote);
  expect(Buffer.from(text).subarray(startByte, endByte).toString(), source).toBe(quote);
}

describe.concurrent('files, folders, globs and pipes', () => {
  const files = {
    'notes.md': goodText,
    'src/a.ts': `${filler('parser')}\nconst poolSize = 4; // the pool size of the checkout\n${filler('writer')}\n`,
    'src/deep/b.ts': `// the pool is closed in the destructor\n${filler('reader')}\n`,
    'src/ignored.ts': 'the pool is ignored\n',
    'src/.gitignore': 'ignored.ts\n',
    'src/private.txt': 'the pool is private\n',
    'src/.rlmignore': '*.txt\n',
    'docs/one.md': 'Pool size: see the checkout notes.\n',
    'docs/two.txt': 'The pool was painted blue.\n',
    'docs/logo.png': binary,
  };
  const sourcesOf = (citations: readonly Citation[]) => [...new Set(citations.map(({ source }) => source))].sort();
  const started = async (paths: readonly string[], stdin?: string) => {
    const cwd = createFolder(files);
    const args = ['ask', 'Which pool is it?', ...paths, '--format', 'ndjson'];
    const run = await rlm(args, { cwd, ...(stdin === undefined ? {} : { stdin }) });
    expect(run.code).toBe(0);
    return eventsOf(run);
  };

  it.each([
    ['a file', ['notes.md'], undefined, 1],
    ['the same file twice', ['notes.md', './notes.md'], undefined, 1],
    ['a folder without what is ignored', ['src'], undefined, 2],
    ['an ignored file that is named', ['src', 'src/ignored.ts', 'src/private.txt'], undefined, 4],
    ['a glob', ['**/*.md'], undefined, 2],
    ['a folder without what is binary', ['docs'], undefined, 2],
    ['everything', ['.'], undefined, 5],
    ['a pipe', [], 'the pool', 1],
    ['a pipe and files', ['-', 'notes.md', 'src'], 'the pool', 4],
    ['files beside a pipe that is not named', ['notes.md', 'src'], 'the pool', 3],
    ['an empty pipe and a file', ['-', 'notes.md'], '', 1],
  ] as const)('%s', async (_, paths, stdin, documents) => {
    const { events } = await started(paths, stdin);
    expect(events[0]).toMatchObject({ type: 'run.started', documents });
  });

  it('a file whose name is not UTF-8 is read through its folder, even if the folder has such a name', async () => {
    const cwd = createFolder({ 'other.md': 'nothing' });
    const ask = `rlm ask 'What was the pool lowered to?' --json -p extractive`;
    const make = `mkdir "$(printf 'd\\344')"; printf '${goodText.replaceAll('\n', '\\n')}' > "$(printf 'd\\344/caf\\351.md')"`;
    const run = await shell(`${make}; ${ask} .`, { cwd });
    expect(run.code, run.stderr).toBe(0);
    expect(resultOf(run).citations[0]).toMatchObject({ source: 'd\uFFFD/caf\uFFFD.md' });
    const none = await shell(`${ask} "$(printf 'caf\\351.txt')"`, { cwd });
    expect(none.code).toBe(2);
    expect(resultOf(none).error).toMatchObject({ code: 'input-missing' });
  });

  it('binary files are skipped, counted and named', async () => {
    const { last } = await started(['docs']);
    expect(warned(last.result, 'input')).toMatch(/1 binary \(docs\/logo\.png\)/);
  });

  it('citations name the file and hold their quotes, in every file', async () => {
    const cwd = createFolder(files);
    const stdin = `${filler('logger')}\nstdin says that the pool has 7 connections\n`;
    const run = await rlm(
      ['ask', 'What is the pool size, and how many connections has the pool?', '-', '.', '--json'],
      {
        cwd,
        stdin,
      },
    );
    const { citations } = resultOf(run);
    expect(sourcesOf(citations)).toEqual(expect.arrayContaining(['src/a.ts', 'stdin']));
    for (const citation of citations)
      expectToHold(citation, citation.source === 'stdin' ? stdin : readFileSync(join(cwd, citation.source), 'utf8'));
  });

  it('text output cites file:line', async () => {
    const cwd = createFolder(files);
    const { stdout } = await rlm(['ask', 'What is poolSize of the checkout?', 'src'], { cwd });
    const [, line] = /\[1\] src\/a\.ts:(\d+)/.exec(stdout) ?? [];
    expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8').split('\n')[Number(line) - 1]).toContain('poolSize = 4');
  });

  it('a file name cannot forge lines of the output', async () => {
    const name = 'x\n[2] other.md:1  "true"\n\u001b[2J.md';
    const { stdout, stderr } = await rlm(['ask', 'Which pool?', '.'], { cwd: createFolder({ [name]: goodText }) });
    expect(stdout).not.toMatch(/^\[2\] other/m);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stdout).toMatch(/^\[1\] x \[2\] other\.md:1 "true" \.md:\d/m);
  });

  it('Windows line ends, a byte order mark and UTF-16 are read', async () => {
    const cwd = createFolder({
      'crlf.txt': 'first\r\nthe pool has 40 connections\r\n',
      'bom.txt': '\ufeffthe pool has 41 connections\n',
      'utf16.txt': Buffer.from('\ufeffthe pool has 42 connections\n', 'utf16le'),
    });
    for (const [name, wanted] of [
      ['crlf.txt', 40],
      ['bom.txt', 41],
      ['utf16.txt', 42],
    ]) {
      const { stdout, stderr } = await rlm(['ask', 'How many connections has the pool?', String(name)], { cwd });
      expect(stdout).toContain(`the pool has ${wanted} connections [1]`);
      expect(stdout + stderr).not.toMatch(/[\r\ufeff\ufffd]/);
    }
  });
});

describe.concurrent('a question alone', () => {
  it('is answered by the model', async () => {
    const { env, requests } = await startServer({ answer: { answer: 'Paris.', citations: [], assumptions: [] } });
    const run = await rlm(['ask', 'What is the capital of France?', '--json'], { env });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ answer: 'Paris.', confidence: null, citations: [], provider: 'ollama' });
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it.each(['auto', 'extractive'])('without a model is an error and no answer (%s)', async (provider) => {
    const run = await rlm(['ask', 'What is the capital of France?', '--json', '--provider', provider]);
    expect(run.code).toBe(2);
    expect(resultOf(run)).toMatchObject({ status: 'failed', answer: null, error: { code: 'no-text' } });
    expect(resultOf(run).error!.hint).toContain('rlm ask "…" notes.md');
  });
});

describe.concurrent('the provider that answers', () => {
  const cwd = () => createFolder({ 'notes.md': goodText });
  const ask = ['ask', 'How many connections has the pool?', 'notes.md', '--json'];

  it('auto without Ollama: extractive, stated in the result, the warnings and on stderr', async () => {
    const run = await rlm(ask, { cwd: cwd() });
    const result = resultOf(run);
    expect(result.provider).toBe('extractive');
    expect(warned(result, 'model')).toMatch(/^no language model .*connection refused/);
    expect(run.stderr).toContain('no language model was used');
    expect(run.stderr).toContain('ollama serve');
  });

  it('auto without the model: extractive, and how to get the model', async () => {
    const { env } = await startServer({}, { models: ['llama3.2:3b'] });
    const result = resultOf(await rlm(ask, { cwd: cwd(), env: unnamed(env) }));
    expect(result.provider).toBe('extractive');
    expect(warned(result, 'model')).toContain('ollama pull qwen2.5-coder:14b');
  });

  it('a named provider is never replaced', async () => {
    const { env, requests } = await startServer();
    const extractive = resultOf(await rlm([...ask, '-p', 'extractive'], { cwd: cwd(), env }));
    expect(extractive.provider).toBe('extractive');
    expect(requests).toEqual([]);
    const missing = await rlm([...ask, '-p', 'ollama', '-m', 'nope'], { cwd: cwd(), env });
    expect(missing.code).toBe(4);
    expect(resultOf(missing)).toMatchObject({
      answer: null,
      error: { code: 'model-missing', hint: expect.stringContaining('ollama pull nope') },
    });
  });
});
