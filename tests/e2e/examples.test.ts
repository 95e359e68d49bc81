/** Runs the examples of every command's help unchanged. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { startFileServer } from '../servers/file-server.ts';
import { ggufFile } from '../support/gguf-file.ts';
import { answer, goodText, startServer } from './replies.ts';
import { createFolder, type Finished, launcher, rlm, start } from './run-rlm.ts';

const question = '{"question": "How many connections?", "target": "4"}\n';
const checks = 'paths: [docs]\nchecks:\n  - question: How many connections has the pool?\n    contains: ["4"]\n';

const files = {
  rlm: launcher,
  'build.log': `FATAL pool exhausted\ntimeout\n${goodText}`,
  'ci.log': goodText,
  'app.log': goodText,
  'docs/api.md': goodText,
  'src/pool.ts': goodText,
  'logs/a.log': '2026-03-17 13:42:26 ERROR pool exhausted\n'.repeat(3),
  'orders.csv': 'customer,total\nAcme,3\nGlobex,4\n',
  'checks.yaml': checks,
  'questions.jsonl': question,
  'q.jsonl': question,
  'questions.txt': 'How many connections?\nWhich pool?\n',
};

/** Replacements for commands that are missing, or not part of this test. */
const prelude = `
rlm() { sh "$ROOT/rlm" "$@"; }
git() { echo '+ retries = 3'; }
compdef() { :; }
Out-String() { cat; }
Invoke-Expression() { cat > /dev/null; }
mkdir -p "$HOME/.config/fish/completions"
`;

const ids = ['20261121T010842-3f9a2c', '20261121T011530-000001'];

let root = '';
let onEnd = async () => {};
afterAll(() => onEnd());
let env: Readonly<Record<string, string>> = {};

const envIn = (cwd: string) => ({
  ...env,
  ROOT: root,
  HOME: cwd,
  RLM_HOME: join(cwd, 'state'),
  RLM_JOURNAL: 'true',
});

const bash = (line: string, cwd: string): Promise<Finished> =>
  start('bash', ['-c', `${prelude}\n${line}`], { cwd, env: envIn(cwd) }).done;

/** Matches a line that needs a shell only for its quotation marks, and reads no standard input. */
const isPlain = (line: string): boolean => /^rlm (?!chat|mcp (?!install))[^|<>&;]*$/.test(line);

/** Runs a line in a shared process, with the arguments that bash makes of it, or in a separate bash. */
async function run(line: string, cwd: string): Promise<Finished> {
  if (!isPlain(line)) return bash(line, cwd);
  const { stdout } = await start('bash', ['-c', `rlm() { printf '%s\\0' "$@"; }\n${line}`], { cwd }).done;
  return rlm(stdout.split('\0').slice(0, -1), { cwd, env: envIn(cwd) });
}

beforeAll(async () => {
  root = createFolder(files);
  const models = ['qwen2.5-coder:14b', 'llama3.2:3b', 'llama3.1:8b'];
  const pull = () => [{ status: 'success' }];
  const handlers = { answer: answer('Four: 4 connections [P1].', 'P1', '40 to 4'), query: 'Four: 4.' };
  const server = await startServer(handlers, { models, pull });
  const served = await startFileServer({ file: ggufFile({ 'general.architecture': 'llama' }) });
  onEnd = served.close;
  env = { ...server.env, HF_ENDPOINT: served.url, RLM_LLAMA_CPP_FOLDER: root };
  const made = await bash(
    'rlm "How many connections?" docs -q && rlm index add docs --name docs && rlm eval q.jsonl docs --record replies -q',
    root,
  );
  expect(made.code, made.stderr).toBe(0);
  const runs = join(root, 'state/runs');
  const [run] = readdirSync(runs);
  for (const id of ids) cpSync(join(runs, run!), join(runs, id), { recursive: true });
}, 60_000);

/** Adapts examples that would meet files of other examples, or that would run until they are ended. */
const adapted = (line: string): string => {
  if (line.startsWith('rlm eval init')) return `mkdir new && cd new && ${line}`;
  if (line.startsWith('rlm index add')) return `rlm index rm docs && ${line}`;
  if (line.startsWith('rlm index watch'))
    return `(${line.replace(/^rlm/, 'exec sh "$ROOT/rlm"')} > told 2>&1) & until grep -q . told; do sleep 0.1; done; kill $!`;
  if (!line.includes('--http')) return line;
  const served = `${line.replace(/^rlm/, 'exec sh "$ROOT/rlm"').replace('8808', '0')} > told 2>&1`;
  return `(${served}) & until grep -q http://127 told; do sleep 0.1; done; kill $!`;
};

it.concurrent.each(commands.map(({ name, examples }) => [name, examples.map(([line]) => line)] as const))(
  'the examples of rlm %s run',
  async (_, lines) => {
    const cwd = createFolder();
    cpSync(root, cwd, { recursive: true });
    for (const line of lines) {
      const { code, stderr } = await run(adapted(line), cwd);
      // This server's answers may miss a threshold, which is not a fault of the example.
      expect(line.includes('--min') ? [0, 7] : [0], `${line}\n${code} ${stderr}`).toContain(code);
    }
  },
  60_000,
);

it('docs/evaluation.md shows the output of its example', async () => {
  const root = join(import.meta.dirname, '../..');
  const page = readFileSync(join(root, 'docs/evaluation.md'), 'utf8');
  const shown = /^```text\n(10 questions, 2 arms, extractive[\s\S]*?)^```/m.exec(page)![1]!;
  const args = ['eval', 'examples/handbook-questions.jsonl', 'examples/handbook', '-p', 'extractive'];
  const { stdout } = await rlm(args, { cwd: root });
  const untimed = (text: string) => text.replace(/ +[\d.]+(?= +0 +–$)/gm, ' s');
  expect(untimed(shown)).toBe(untimed(stdout));
});
