/** Provides a model file, written once per test file, and the package that `npm run test:llama` has installed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { tinyModel } from '../support/tiny-model.ts';

const wanted = process.env['LLAMA_TEST_FOLDER'];
if (wanted === undefined) throw new Error('LLAMA_TEST_FOLDER is not set: run npm run test:llama');

/** The folder in which node-llama-cpp is installed. */
export const packageFolder: string = wanted;

/** The text from which the model's words are taken. */
const prompts = fileURLToPath(new URL('../../prompts/', import.meta.url));
const words = readdirSync(prompts).map((name) => readFileSync(join(prompts, name), 'utf8'));

/** The folder with `tiny.gguf`, which is removed at the end. */
export const modelFolder: string = mkdtempSync(join(tmpdir(), 'rlm-llama-'));
writeFileSync(
  join(modelFolder, 'tiny.gguf'),
  tinyModel(`${words.join('\n')}${' Ünïcödé text, line after'.repeat(30)}`),
);
afterAll(() => rmSync(modelFolder, { recursive: true, force: true }));

/** The model's settings: one thread, so that a busy machine does not slow it down. */
export const options = { model: 'tiny.gguf', cwd: modelFolder, folder: packageFolder, threads: 1, gpu: 'off' } as const;
