import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startFileServer } from '../servers/file-server.ts';
import { pullLines } from '../servers/ollama-pull.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { ggufFile } from '../support/gguf-file.ts';
import { startServer } from './replies.ts';
import { createFolder, program, rlm, start, startRlm } from './run-rlm.ts';

const models = [
  { name: 'qwen2.5-coder:14b', size: 9_000_000_000 },
  { name: 'nomic-embed-text', capabilities: ['embedding'], contextLength: 2048, size: 274_000_000 },
];

describe.concurrent('rlm models', () => {
  it('pull of an address: a model file, checked, and the missing steps to run it', async () => {
    const file = ggufFile({ 'general.architecture': 'llama', 'tokenizer.chat_template': '{{ messages }}' });
    const server = await startFileServer({ file });
    onTestFinished(() => server.close());
    const env = { RLM_HOME: createFolder(), RLM_LLAMA_CPP_FOLDER: createFolder() };
    const sum = createHash('sha256').update(file).digest('hex');
    const args = ['models', 'pull', `${server.url}/tiny.gguf`, '--sha256', sum];
    const { code, stdout, stderr } = await rlm(args, { env });
    const isChecked = expect.stringContaining(`SHA-256 ${sum}, as given`);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: isChecked });
    expect(stderr).toContain('rlm ask "…" --model tiny.gguf');
    expect(stderr).toMatch(/node-llama-cpp, .*is not installed/);
    expect(existsSync(join(env.RLM_HOME, 'models', 'tiny.gguf'))).toBe(true);
    const [refused, doctor] = await Promise.all([
      rlm(['models', 'pull', 'llama3.2:3b', '--sha256', sum], { env }),
      rlm(['doctor'], { env: { ...env, RLM_HOME: createFolder() } }),
    ]);
    expect(`${refused.code} ${refused.stderr}`).toMatch(/^2 .*takes --sha256 only for/s);
    expect(doctor.stdout).toMatch(/rlm models pull hf:Qwen\/\S+\.gguf: a model file \(1\.1 GB\)/);
  });

  it('list: every model with size, window and abilities; the configured one is marked', async () => {
    const { env } = await startServer({}, { models });
    expect(await rlm(['models', 'list'], { env })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        '*  qwen2.5-coder:14b        9.0 GB  32,768 tokens  completion, tools',
        '   nomic-embed-text:latest  274 MB  2,048 tokens   embedding, (cannot answer questions)',
        '',
      ].join('\n'),
    });
  });

  it('list --json, and what to type for a configured model that is missing', async () => {
    const { env } = await startServer({}, { models });
    const lacking = { env: { ...env, RLM_MODEL: 'phi4' } };
    const [asJson, asText] = await Promise.all([
      rlm(['models', 'list', '--json'], lacking),
      rlm(['models', 'list'], lacking),
    ]);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      provider: 'ollama',
      version: '0.13.5',
      configured: { model: 'phi4', isThere: false },
      models: [{ name: 'qwen2.5-coder:14b', windowTokens: 32_768 }, { capabilities: ['embedding'] }],
    });
    expect(asText.stderr).toMatch(/phi4 is not available; .*rlm models pull phi4/);
  });

  it('show: all facts about the model, and how a run would use it', async () => {
    const { env } = await startServer({}, { models });
    const [configured, embedding, absent] = await Promise.all([
      rlm(['models', 'show'], { env }),
      rlm(['models', 'show', 'nomic-embed-text', '--json'], { env }),
      rlm(['models', 'show', 'absent'], { env }),
    ]);
    expect(configured.stdout).toMatch(/Weights: +qwen2, 14\.8B, Q4_K_M\nWindow: +32,768 tokens\n/);
    expect(configured.stdout).toMatch(
      /at most 16,384 tokens \(context\.maxWindowTokens\)\n.*JSON Schema\n.*native tool calls\n$/,
    );
    expect(JSON.parse(embedding.stdout).uses).toEqual([
      expect.stringContaining('cannot chat'),
      'can turn text into vectors: --embedding-model nomic-embed-text',
    ]);
    expect(absent).toMatchObject({ code: 4, stdout: '' });
    expect(absent.stderr).toContain('ollama pull absent');
  });

  it('pull: lines without a terminal, and then the model exists', async () => {
    const { env } = await startServer({}, { models: [], pull: () => pullLines(2_000_000_000, 50) });
    const { code, stdout, stderr } = await rlm(['models', 'pull', 'phi4'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/pulling manifest\n.* {4}0% of 2\.0 GB\n[\s\S]* 100% of 2\.0 GB\n.*verifying/);
    expect(stderr).toMatch(/^rlm: downloaded phi4; .*--model phi4$/m);
    expect((await rlm(['models', 'list'], { env })).stdout).toContain('phi4:latest');
  });

  it('pull --json: one object per line; the last one states the outcome', async () => {
    const { env } = await startServer({}, { models: [], pull: () => pullLines(1000, 2) });
    const { stdout } = await rlm(['models', 'pull', 'phi4', '--json'], { env });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines[0]).toMatchObject({ type: 'progress', status: 'pulling manifest', completedBytes: 0 });
    expect(lines.at(-1)).toEqual({ type: 'completed', model: 'phi4' });
  });

  it('ends at once when the name of a file is invalid', async () => {
    const { code, stderr } = await rlm(['models', 'pull', 'hf:bad']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('still waiting');
  });

  it("pull: an error in the stream ends it, with the server's message and an exit status", async () => {
    const error = 'pull model manifest: file does not exist';
    const { env } = await startServer({}, { pull: () => [{ status: 'pulling manifest' }, { error }] });
    const run = await rlm(['models', 'pull', 'nosuch'], { env });
    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/nosuch: .*file does not exist/);
  });

  it('pull: Ctrl-C ends it at once, it says that it can be resumed, and it can', async ({ expect }) => {
    const begun = [...pullLines(1_000_000_000, 4).slice(0, 3), Number.POSITIVE_INFINITY];
    const rest = pullLines(1_000_000_000, 2, 500_000_000);
    const server = await startServer({}, { models: [], pull: (_name, index) => (index === 0 ? begun : rest) });
    const first = startRlm(['models', 'pull', 'phi4'], { env: server.env });
    await first.shows('stderr', '25%');
    first.kill('SIGINT');
    const { code, stderr } = await first.done;
    expect(code).toBe(130);
    expect(stderr).toMatch(/download is kept; .*continues it/);
    await vi.waitFor(() => expect(server.openSockets()).toBe(0), 5_000);
    const second = await rlm(['models', 'pull', 'phi4'], { env: server.env });
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('50% of 1.0 GB') });
  });

  it('is an error for a provider without models to list or to download', async () => {
    const [list, pull] = await Promise.all([
      rlm(['models', 'list', '--provider', 'extractive']),
      rlm(['models', 'pull', 'phi4', '--provider', 'extractive']),
    ]);
    expect(list).toMatchObject({ code: 0, stderr: 'rlm: extractive does not list models\n' });
    expect(pull).toMatchObject({ code: 2, stderr: expect.stringContaining('only Ollama downloads models') });
    expect(pull.stderr).toContain('rlm models pull phi4 --provider ollama');
  });

  it("of a server that speaks OpenAI's API: the facts that the server reports", async () => {
    const server = await startOpenAiServer({ models: ['phi4', 'qwen3'] });
    const env = { OPENAI_BASE_URL: server.url, RLM_PROVIDER: 'openai', RLM_MODEL: 'phi4' };
    const [list, show, pull] = await Promise.all(
      [['list'], ['show', 'qwen3'], ['pull', 'qwen3']].map((args) => rlm(['models', ...args], { env })),
    );
    await server.close();
    expect(list).toMatchObject({ code: 0, stdout: '*  phi4\n   qwen3\n', stderr: '' });
    expect(show!.stdout).toMatch(/^Model: +qwen3\nrlm: +requests a window/);
    expect(pull).toMatchObject({ code: 2, stderr: expect.stringContaining('only Ollama downloads models') });
  });

  it.each([
    [['frob'], /has no action "frob"\n.*list, show, pull/],
    [['pull'], /needs the name of a model/],
    [['list', 'phi4'], /does not take "phi4"/],
    [['list', '--host', 'http://127.0.0.1:1'], /connection refused/],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await rlm(['models', ...args]);
    expect([2, 4]).toContain(code);
    expect(stderr).toMatch(message);
  });
});

const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

// Without `script` of util-linux, these tests cannot run a program on a terminal.
describe.skipIf(!hasScript)('rlm models on a terminal', () => {
  it('pull: a line that is drawn over itself', async () => {
    const { env } = await startServer({}, { models: [], pull: () => pullLines(2_000_000_000, 20) });
    const line = `'${process.execPath}' '${program}' models pull phi4`;
    const { stdout } = await start('script', ['-qec', line, '/dev/null'], {
      stdin: 'open',
      env: { ...env, TERM: 'xterm-256color' },
    }).done;
    expect(stdout).toMatch(/\r\u001b\[2Kpulling \w+ {2}100% of 2\.0 GB/);
  });
});
