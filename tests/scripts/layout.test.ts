import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { findViolations } from '../../scripts/layout.ts';

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
])('finds %s that goes the wrong way', async (_, line) => {
  const source = await sourceOf({ 'strategies/direct.ts': line });
  expect(await findViolations(source)).toEqual([
    expect.objectContaining({ file: 'strategies/direct.ts', why: 'strategies comes before stages' }),
  ]);
});

it('lets a later folder import an earlier one', async () => {
  const source = await sourceOf({ 'stages/reasoner.ts': "import { direct } from '../strategies/direct.ts';" });
  expect(await findViolations(source)).toEqual([]);
});

it('refuses a folder that the list does not know', async () => {
  const source = await sourceOf({ 'utils/text.ts': "import { RlmError } from '../errors.ts';" });
  expect(await findViolations(source)).toEqual([
    expect.objectContaining({ why: 'utils is not in the list of layers' }),
  ]);
});

it.each([
  ['strategies/direct.ts', '../providers/ollama.ts'],
  ['stages/planner.ts', '../providers/extractive/provider.ts'],
  ['run/ask.ts', '../providers/ollama-host.ts'],
  ['run/ask.ts', '../providers/scripted.ts'],
  ['strategies/direct.ts', '../retrievers/lexical.ts'],
  ['run/start.ts', '../retrievers/lexical.ts'],
  ['stages/retriever.ts', '../context/read-file.ts'],
  ['strategies/direct.ts', '../context/gather-inputs.ts'],
  ['create-run.ts', './providers/ollama.ts'],
  ['create-run.ts', './retrievers/lexical.ts'],
  ['choose-retriever.ts', './providers/ollama-embedder.ts'],
  ['choose-vectors.ts', './retrievers/vector.ts'],
  ['retrievers/chroma.ts', '../providers/ollama.ts'],
  ['cli/run-doctor.ts', '../retrievers/search-server.ts'],
  ['index.ts', './providers/ollama.ts'],
  ['index.ts', './retrievers/lexical.ts'],
  ['cli/run-doctor.ts', '../providers/ollama-survey.ts'],
])('finds that %s names %s, which is behind a contract', async (file, target) => {
  for (const line of [`import { x } from '${target}';`, `const x = await import('${target}');`]) {
    expect(await findViolations(await sourceOf({ [file]: line }))).toEqual([
      expect.objectContaining({ file, why: expect.stringMatching(/ is behind a contract; only .+\.ts/) }),
    ]);
  }
});

it.each([
  ['strategies/direct.ts', '../providers/provider.ts'],
  ['run/start.ts', '../retrievers/retriever.ts'],
  ['stages/reasoner.ts', '../context/terms.ts'],
  ['run/start.ts', '../context/document.ts'],
  ['choose-provider.ts', './providers/ollama.ts'],
  ['choose-provider.ts', './providers/extractive/provider.ts'],
  ['choose-embedder.ts', './providers/ollama-embedder.ts'],
  ['choose-retriever.ts', './retrievers/lexical.ts'],
  ['run/embed.ts', '../providers/embedder.ts'],
  ['index.ts', './providers/scripted.ts'],
  ['providers/ollama.ts', './ollama-host.ts'],
  ['context/read-inputs.ts', './read-file.ts'],
])('lets %s name %s', async (file, target) => {
  expect(await findViolations(await sourceOf({ [file]: `import { x } from '${target}';` }))).toEqual([]);
});
