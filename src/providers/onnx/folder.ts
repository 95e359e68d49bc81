/** Reads the folder of an ONNX model that judges pairs of texts, in the layout that exporters write. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RlmError } from '../../errors.ts';

/** What is known about a model before it is loaded. */
export interface CheckerFolder {
  /** The folder's name. */
  readonly name: string;
  readonly modelPath: string;
  readonly sizeBytes: number;
  readonly tokenizer: object;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  /** The names of its outputs, in order; empty where config.json has none. */
  readonly labels: readonly string[];
  /** The longest pair of texts that it takes, in tokens. */
  readonly maxTokens: number;
  /** Hash of the files' sizes and modification times: reading all weights would take too long. */
  readonly digest: string;
}

const missing = (message: string, cause?: unknown): RlmError =>
  new RlmError('model-missing', message, {
    hint: 'Name a folder with model.onnx, tokenizer.json and config.json: evidence.model onnx/PATH.',
    cause,
  });

const places = ['model.onnx', join('onnx', 'model.onnx')];

async function readJson(path: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error('it is not an object');
  } catch (error) {
    throw missing(`${path} cannot be read: ${(error as Error).message}`, error);
  }
}

const readIfThere = (path: string): Promise<Record<string, unknown>> =>
  existsSync(path) ? readJson(path) : Promise.resolve({});

function labelsOf(config: Readonly<Record<string, unknown>>): string[] {
  const labels = config['id2label'];
  return typeof labels === 'object' && labels !== null ? Object.values(labels).map(String) : [];
}

/** The usual window of these models, in tokens; a longer text is read in parts. */
const usualTokens = 512;

function mostTokens(...told: readonly unknown[]): number {
  const known = told.filter((value): value is number => Number.isInteger(value) && Number(value) >= 16);
  return Math.min(usualTokens, ...known);
}

/**
 * Reads the description of a folder's model.
 * @param path absolute path of the folder, or of the `.onnx` file in it.
 * @throws RlmError `model-missing` when it has no model, or its tokenizer cannot be read.
 */
export async function readCheckerFolder(path: string): Promise<CheckerFolder> {
  const isFile = path.endsWith('.onnx');
  const folder = isFile ? dirname(path) : path;
  const modelPath = isFile ? path : places.map((place) => join(folder, place)).find((place) => existsSync(place));
  if (modelPath === undefined || !existsSync(modelPath)) throw missing(`there is no model.onnx in ${folder}`);
  const [{ size, mtimeMs }, tokenizer, tokenizerConfig, config] = await Promise.all([
    stat(modelPath),
    readJson(join(folder, 'tokenizer.json')),
    readIfThere(join(folder, 'tokenizer_config.json')),
    readIfThere(join(folder, 'config.json')),
  ]);
  return {
    name: basename(folder),
    modelPath,
    sizeBytes: size,
    tokenizer,
    tokenizerConfig,
    labels: labelsOf(config),
    maxTokens: mostTokens(tokenizerConfig['model_max_length'], config['max_position_embeddings']),
    digest: createHash('sha256').update(`${modelPath} ${size} ${mtimeMs}`).digest('hex'),
  };
}
