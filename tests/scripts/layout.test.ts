import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { findViolations, readSource } from '../../scripts/layout.ts';
import { sharedNames } from '../../scripts/shared-names.ts';
import { weigh, weighLoaded } from '../../scripts/weigh.ts';

const folders: string[] = [];

async function sourceOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rlm-layout-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

it('finds no violation in the source', async () => {
  expect(await findViolations(fileURLToPath(new URL('../../src', import.meta.url)))).toEqual([]);
});

it.each([
  ['a value import', "import { reason } from '../stages/reasoner.ts';"],
  ['a type import', "import type { Stage } from '../stages/stage.ts';"],
  ['a re-export', "export { reason } from '../stages/reasoner.ts';"],
  ['a lazy import', "const stages = await import('../stages/reasoner.ts');"],
  ['an import for its effect', "import '../stages/reasoner.ts';"],
])('finds %s that breaks the order', async (_, line) => {
  const source = await sourceOf({ 'strategies/direct.ts': line });
  expect(await findViolations(source)).toEqual([
    expect.objectContaining({ file: 'strategies/direct.ts', why: 'strategies comes before stages' }),
  ]);
});

it('lets a later folder import an earlier one', async () => {
  const source = await sourceOf({ 'stages/reasoner.ts': "import { direct } from '../strategies/direct.ts';" });
  expect(await findViolations(source)).toEqual([]);
});

it.each([
  ['import { reason } from', 'stages/reasoner.ts'],
  ['import { type Run, startRun } from', 'run/start.ts'],
  ['export { reason } from', 'stages/reasoner.ts'],
  ['await import(', 'stages/reasoner.ts'],
])('lets a user of the API run nothing of the rooms below it: %s', async (words, target) => {
  const end = words.endsWith('(') ? ')' : '';
  const source = await sourceOf({ 'mcp/server.ts': `${words} '../${target}'${end};` });
  expect(await findViolations(source)).toEqual([
    { file: 'mcp/server.ts', imports: target, why: 'mcp uses api, what is listed beside it, and nothing else of src' },
  ]);
});

it('lets a user of the API use it, its errors and its own files, and types of every room', async () => {
  const source = await sourceOf({
    'mcp/server.ts': "import { ask } from '../api/ask.ts';\nimport { RlmError } from '../errors.ts';",
    'mcp/tool.ts': "import { createServer } from './server.ts';\nimport type { Usage } from '../run/usage.ts';",
    'eval/outcome.ts': "import {\n  type Usage,\n  type Call,\n} from '../run/usage.ts';",
  });
  expect(await findViolations(source)).toEqual([]);
});

it('lets nothing in src use the interface for programs outside', async () => {
  const source = await sourceOf({ 'cli/actions/ask.ts': "import { ask } from '../../index.ts';" });
  expect(await findViolations(source)).toEqual([
    expect.objectContaining({ file: 'cli/actions/ask.ts', imports: 'index.ts' }),
  ]);
});

it('lets the terminal program import only the files listed for it', async () => {
  const source = await sourceOf({
    'cli/actions/mcp.ts': "import { now } from '../../base/clock.ts';\nawait import('../../mcp/stdio.ts');",
    'cli/actions/doctor.ts': "import { startRun } from '../../run/start.ts';",
    'cli/actions/ask.ts': "import { runTask } from '../../controller.ts';",
  });
  const found = (await findViolations(source)).map(({ file }) => file);
  expect(found.sort()).toEqual(['cli/actions/ask.ts', 'cli/actions/doctor.ts']);
});

it.each([
  ['a value', "import { translate } from '../query/translate/translate.ts';"],
  ['a type', "import type { Reading } from '../query/translate/readings.ts';"],
  ['a lazy import', "const { stemOf } = await import('../query/translate/words.ts');"],
])('lets no file that a run with a model reaches import the rules that read English: %s', async (_, line) => {
  const source = await sourceOf({ 'stages/critic.ts': line, 'controller.ts': "import './stages/critic.ts';" });
  expect(await findViolations(source)).toEqual([
    expect.objectContaining({ file: 'stages/critic.ts', why: expect.stringContaining('without a language model') }),
  ]);
});

it('lets the doors of these rules load them, and only when they are needed', async () => {
  const path = "'./translate/translate.ts'";
  const lazy = await sourceOf({ 'query/worker.ts': `const { translate } = await import(${path});` });
  expect(await findViolations(lazy)).toEqual([]);
  const early = await sourceOf({ 'query/worker.ts': `import { translate } from ${path};` });
  expect(await findViolations(early)).toEqual([
    expect.objectContaining({ file: 'query/worker.ts', why: expect.stringContaining('dynamic import') }),
  ]);
});

it("lets the ranking of sentences use them, for a small model's excerpts", async () => {
  const line = "import { rankSentences } from './extractive/rank.ts';";
  expect(await findViolations(await sourceOf({ 'providers/compress-passages.ts': line }))).toEqual([]);
  expect(await findViolations(await sourceOf({ 'providers/ollama.ts': line }))).toHaveLength(1);
});

it('refuses a room that is not listed', async () => {
  const source = await sourceOf({ 'utils/text.ts': "import { RlmError } from '../errors.ts';" });
  expect(await findViolations(source)).toEqual([expect.objectContaining({ why: 'utils is not in the list of rooms' })]);
});

it.each([
  ['strategies/direct.ts', '../providers/ollama/provider.ts'],
  ['stages/planner.ts', '../providers/extractive/provider.ts'],
  ['run/ask.ts', '../providers/wire/http.ts'],
  ['run/ask.ts', '../providers/scripted/provider.ts'],
  ['strategies/direct.ts', '../retrievers/lexical/retriever.ts'],
  ['run/start.ts', '../retrievers/vector/meaning.ts'],
  ['stages/retriever.ts', '../inputs/read-file.ts'],
  ['strategies/direct.ts', '../inputs/gather-inputs.ts'],
  ['api/ask.ts', '../providers/ollama/provider.ts'],
  ['api/ask.ts', '../retrievers/lexical/retriever.ts'],
  ['retrievers/servers/chroma.ts', '../../providers/ollama/provider.ts'],
  ['cli/actions/doctor.ts', '../../retrievers/servers/search-server.ts'],
  ['index.ts', './providers/ollama/provider.ts'],
  ['index.ts', './retrievers/lexical/retriever.ts'],
  ['tools/files/grep.ts', '../../inputs/read-file.ts'],
])('finds that %s imports %s, which is behind a contract', async (file, target) => {
  for (const line of [`import { x } from '${target}';`, `const x = await import('${target}');`]) {
    expect(await findViolations(await sourceOf({ [file]: line }))).toEqual([
      expect.objectContaining({ file, why: expect.stringMatching(/ is behind a contract; only .+ may name it/) }),
    ]);
  }
});

it.each([
  ['strategies/direct.ts', '../providers/provider.ts'],
  ['run/start.ts', '../retrievers/retriever.ts'],
  ['stages/reasoner.ts', '../context/words/terms.ts'],
  ['run/start.ts', '../context/document.ts'],
  ['assemble/choose-provider.ts', '../providers/ollama/provider.ts'],
  ['assemble/choose-retriever.ts', '../retrievers/lexical/retriever.ts'],
  ['run/embed.ts', '../providers/embedder.ts'],
  ['index.ts', './providers/scripted/provider.ts'],
  ['providers/ollama/provider.ts', './host.ts'],
  ['indexes/read-changed.ts', '../inputs/read-inputs.ts'],
])('lets %s import %s', async (file, target) => {
  expect(await findViolations(await sourceOf({ [file]: `import { x } from '${target}';` }))).toEqual([]);
});

it.each([
  ['two files, by value', "import { b } from './b.ts';", "import { a } from './a.ts';"],
  ['two files, by type', "import type { B } from './b.ts';", "import type { A } from './a.ts';"],
])('finds a cycle of %s', async (_, first, second) => {
  const source = await sourceOf({ 'run/a.ts': first, 'run/b.ts': second });
  expect(await findViolations(source)).toEqual([
    expect.objectContaining({ why: 'a circle: run/a.ts → run/b.ts → run/a.ts' }),
  ]);
});

it('finds a cycle through a third file', async () => {
  const source = await sourceOf({
    'run/a.ts': "import { b } from './b.ts';",
    'run/b.ts': "import { c } from './c.ts';",
    'run/c.ts': "import { b } from './b.ts';",
  });
  expect(await findViolations(source)).toHaveLength(1);
});

it.each([
  ['stages/refine.ts', "if (node.strategy === 'scan') return [];", 'scan', 'state/strategies.ts'],
  ['stages/refine.ts', "if ('scan' !== strategy) return [];", 'scan', 'state/strategies.ts'],
  ['api/dry-run.ts', "if (possible.includes('decompose')) return [];", 'decompose', 'state/strategies.ts'],
  ['strategies/scan.ts', "return strategy === 'repl';", 'repl', 'state/strategies.ts'],
  [
    'cli/render/words.ts',
    "switch (provider) { case 'extractive': return ''; }",
    'extractive',
    'config/provider-traits.ts',
  ],
  ['mcp/limits.ts', "['llama-cpp', other].includes(name)", 'llama-cpp', 'config/provider-traits.ts'],
  ['providers/openai/chat.ts', "provider.name === 'ollama'", 'ollama', 'config/provider-traits.ts'],
])('finds that %s compares a name: %s', async (file, line, name, traits) => {
  const why = `it compares the name ${name}; ask for a trait of src/${traits}`;
  expect(await findViolations(await sourceOf({ [file]: line }))).toEqual([{ file, imports: null, why }]);
});

it.each([
  ['strategies/scan.ts', "return strategy === 'scan';"],
  ['state/strategies.ts', "strategy === 'direct' ? 'answer' : strategy"],
  ['assemble/models/providers.ts', "settings.provider === 'openai'"],
  ['providers/anthropic/choice.ts', "settings.provider === 'anthropic'"],
  ['providers/extractive/provider.ts', "switch (input.prompt) { case 'scan': return scan(input); }"],
  ['cli/render/reading.ts', "if (event.prompt === 'scan') done += 1;"],
  ['stages/ladder.ts', "const next = { strategy: 'decompose' };"],
])('lets %s use %s', async (file, line) => {
  expect(await findViolations(await sourceOf({ [file]: line }))).toEqual([]);
});

it('measures rooms, and the files that a file loads', () => {
  const texts = new Map([
    ['controller.ts', "import {\n  a,\n} from './run/a.ts';\nimport type { T } from './run/types.ts';\n"],
    ['run/a.ts', "export * from './b.ts';\nconst lazy = () => import('./lazy.ts');\n"],
    ['run/b.ts', "import 'node:fs';\nimport './a.ts';\n"],
    ['run/lazy.ts', '\n'.repeat(26)],
    ['run/types.ts', '\n'],
  ]);
  expect(weigh(texts)).toEqual({
    files: 5,
    lines: 35,
    rooms: new Map([
      ['.', { files: 1, lines: 4 }],
      ['run', { files: 4, lines: 31 }],
    ]),
    small: 4,
  });
  expect(weighLoaded(texts, 'controller.ts')).toEqual({ files: 3, lines: 8 });
});

it('lets no two files export the same name without a reason', async () => {
  expect([...sharedNames(await readSource(fileURLToPath(new URL('../../src', import.meta.url))))]).toEqual([]);
});

it.each([
  [['run/a.ts', 'query/a.ts'], 1],
  [['prompts/scan.ts', 'strategies/scan.ts'], 0],
  [['providers/ollama/errors.ts', 'providers/openai/errors.ts'], 0],
  [['providers/ollama/errors.ts', 'providers/ollama/chat.ts'], 1],
  [['journal/runs.ts', 'api/runs/runs.ts'], 0],
])('judges a name that %j declare', (files, count) => {
  expect(sharedNames(new Map(files.map((file) => [file, 'export function one() {}\n']))).size).toBe(count);
});
