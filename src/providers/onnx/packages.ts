/** Finds and loads the packages that run a user's ONNX model. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { broken, type FoundPackage, findOptionalPackage, type OptionalPackage } from '../optional-package.ts';
import type { RuntimeModule, TokenizerModule } from './interface.ts';

export const installCommand = (): string =>
  'npm i -g --ignore-scripts onnxruntime-node@1.30.0 @huggingface/tokenizers@0.2.0';

const common = { size: '290 MB', setting: 'onnx.folder', installCommand };
const runtime: OptionalPackage = { ...common, name: 'onnxruntime-node', does: 'which runs ONNX models', major: 1 };
const tokenizers: OptionalPackage = {
  ...common,
  name: '@huggingface/tokenizers',
  does: 'which reads the words for ONNX models',
  major: 0,
};

/** The folders of both packages. */
export interface FoundPackages {
  readonly runtime: FoundPackage;
  readonly tokenizers: FoundPackage;
}

/**
 * Finds the packages. @param folder the folder that the user names; null: the usual places.
 * @throws RlmError `provider-unreachable` when one is missing, or has another version.
 */
export async function findPackages(folder: string | null, cwd: string, signal: AbortSignal): Promise<FoundPackages> {
  return {
    runtime: await findOptionalPackage(runtime, folder, cwd, signal),
    tokenizers: await findOptionalPackage(tokenizers, folder, cwd, signal),
  };
}

/** Loads a package. Its path is computed, so that no bundler resolves it. */
async function load<T>(wanted: OptionalPackage, found: FoundPackage, path: string): Promise<T> {
  try {
    const module: T & { readonly default?: T } = await import(pathToFileURL(join(found.folder, path)).href);
    return module.default ?? module;
  } catch (error) {
    throw broken(wanted, found, (error as Error).message, error);
  }
}

/**
 * Loads the packages. Throws RlmError `provider-unreachable` when one is broken, or has no binary for this machine.
 */
export async function loadPackages(found: FoundPackages): Promise<RuntimeModule & TokenizerModule> {
  const { InferenceSession, Tensor } = await load<RuntimeModule>(runtime, found.runtime, 'dist/index.js');
  const { Tokenizer } = await load<TokenizerModule>(tokenizers, found.tokenizers, 'dist/tokenizers.mjs');
  return { InferenceSession, Tensor, Tokenizer };
}
