/** A GGUF file as a model: what its header says, and how large a window this machine has memory for. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import { RlmError } from '../../errors.ts';
import { type GgufHeader, readGguf } from './gguf.ts';

/** What is known of a model before it is loaded. */
export interface ModelFile {
  readonly path: string;
  /** The file's name, without its folder. */
  readonly name: string;
  readonly sizeBytes: number;
  /** The longest text that it was trained on. */
  readonly trainedTokens: number;
  /** What its memory of one token takes, at 16 bits a number; 0 where the header does not tell. */
  readonly bytesPerToken: number;
  /** Whether it is made for chat, for vectors, or neither is told. */
  readonly madeFor: 'chat' | 'vectors' | null;
  /** Of the header, the size and the time of the last change: reading all weights would take too long. */
  readonly digest: string;
}

const missing = (message: string, hint: string, cause?: unknown): RlmError =>
  new RlmError('model-missing', message, { hint, cause });

const nameAFile = 'Name a GGUF file: --model path/to/model.gguf';

/** Nobody has said which file. */
export const noFile = (): RlmError => missing('no GGUF file is named', `${nameAFile}.`);

function unreadable(path: string, error: unknown): RlmError {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing(`there is no model file ${path}`, `${nameAFile}.`, error);
  return missing(`the model file ${path} cannot be read (${code})`, 'Make the file readable.', error);
}

function numberOf({ values }: GgufHeader, key: string): number | null {
  const value = values.get(`${values.get('general.architecture')}.${key}`);
  const numbers = (Array.isArray(value) ? value : [value]).filter((part) => Number.isFinite(part));
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** The keys and values of every layer. */
function bytesPerToken(header: GgufHeader): number {
  const of = (key: string) => numberOf(header, key);
  const layers = of('block_count') ?? 0;
  const heads = of('attention.head_count') ?? 0;
  if (heads === 0) return 0;
  const width = (of('embedding_length') ?? 0) / heads;
  const widths = (of('attention.key_length') ?? width) + (of('attention.value_length') ?? width);
  return 2 * layers * (of('attention.head_count_kv') ?? heads) * widths;
}

function purposeOf(header: GgufHeader): ModelFile['madeFor'] {
  const { values } = header;
  if (numberOf(header, 'pooling_type') !== null || /bert/.test(String(values.get('general.architecture')))) {
    return 'vectors';
  }
  return values.has('tokenizer.chat_template') ? 'chat' : null;
}

/**
 * What a model file says of itself.
 * @param path absolute.
 * @throws RlmError `model-missing` when it is not there, cannot be read, is no GGUF file, or is cut off.
 */
export async function readModelFile(path: string): Promise<ModelFile> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw missing(`${path} is no file`, `${nameAFile}.`);
    const header = await readGguf(path);
    if ('fault' in header) {
      const isCut = header.fault.startsWith('is cut off');
      const hint = isCut ? 'Download it again.' : `${nameAFile}.`;
      throw missing(`${path} is no GGUF file that can be used: it ${header.fault}`, hint);
    }
    const identity = `${header.hash} ${found.size} ${found.mtimeMs}`;
    return {
      path,
      name: basename(path),
      sizeBytes: found.size,
      trainedTokens: numberOf(header, 'context_length') ?? 4_096,
      bytesPerToken: bytesPerToken(header),
      madeFor: purposeOf(header),
      digest: createHash('sha256').update(identity).digest('hex'),
    };
  } catch (error) {
    throw error instanceof RlmError ? error : unreadable(path, error);
  }
}

/** What this process may use at most, in bytes. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const smallestTokens = 2_048;

/**
 * The largest window to ask for, in tokens: what the model was trained on, within half of the memory that its weights
 * leave. It follows from the machine and not from the moment, so that a question has the same window every time.
 */
export function largestWindow({ trainedTokens, bytesPerToken, sizeBytes }: ModelFile, bytes = memoryBytes()): number {
  const fitting = bytesPerToken === 0 ? trainedTokens : (bytes - sizeBytes) / 2 / bytesPerToken;
  return Math.min(trainedTokens, Math.max(smallestTokens, Math.floor(fitting / 1024) * 1024));
}
