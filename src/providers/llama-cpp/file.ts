/**
 * Reads the header of a GGUF file: everything before the weights (docs/gguf.md of ggml). The file is untrusted, so
 * the sizes that it states are checked against its length.
 */
import { open, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import { sha256 } from '../../base/sha256.ts';
import { RlmError } from '../../errors.ts';

/** A value in the header. Booleans are 0 or 1. Lists of texts, such as the vocabulary, are omitted. */
type GgufValue = string | number | readonly number[];

/** The fault of a file that cannot be used. The message is a predicate, such as `is cut off`. */
export class GgufFault extends Error {}
/** Thrown when more bytes are needed than have been read. */
class Short extends Error {}

const firstBytes = 1 << 20;
const mostBytes = 1 << 28;
const longestList = 4_096;
const stringType = 8;
const listType = 9;

/** For each type of value with a fixed size: its size in bytes, and the method that reads it. Type 7 is a boolean. */
const fixed: Readonly<Record<number, readonly [bytes: number, read: keyof DataView & `get${string}`]>> = {
  ...{ 0: [1, 'getUint8'], 1: [1, 'getInt8'], 2: [2, 'getUint16'], 3: [2, 'getInt16'], 4: [4, 'getUint32'] },
  ...{ 5: [4, 'getInt32'], 6: [4, 'getFloat32'], 7: [1, 'getUint8'], 10: [8, 'getBigUint64'], 11: [8, 'getBigInt64'] },
  12: [8, 'getFloat64'],
};

/** For each type of weights: the number of weights in a block, and the block's bytes (`ggml_type_size`). */
const blocks: Readonly<Record<number, readonly [weights: number, bytes: number]>> = {
  ...{ 0: [1, 4], 1: [1, 2], 2: [32, 18], 3: [32, 20], 6: [32, 22], 7: [32, 24], 8: [32, 34], 9: [32, 36] },
  ...{ 10: [256, 84], 11: [256, 110], 12: [256, 144], 13: [256, 176], 14: [256, 210], 15: [256, 292] },
  ...{ 16: [256, 66], 17: [256, 74], 18: [256, 98], 19: [256, 50], 20: [32, 18], 21: [256, 110], 22: [256, 82] },
  ...{ 23: [256, 136], 24: [1, 1], 25: [1, 2], 26: [1, 4], 27: [1, 8], 28: [1, 8], 29: [256, 56], 30: [1, 2] },
  ...{ 34: [256, 54], 35: [256, 66], 39: [32, 17] },
};

function createCursor(bytes: Buffer) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  function step(size: number): number {
    if (!(size <= bytes.length - at)) throw new Short();
    at += size;
    return at - size;
  }
  const uint32 = () => view.getUint32(step(4), true);
  const count = () => Number(view.getBigUint64(step(8), true));
  const text = () => {
    const size = count();
    const from = step(size);
    return bytes.toString('utf8', from, from + size);
  };
  const number = (type: number) => {
    const [size, read] = fixed[type] ?? [];
    if (size === undefined) throw new GgufFault(`holds a value of the unknown type ${type}`);
    return Number(view[read!](step(size), true));
  };
  return { at: () => at, step, uint32, count, text, number };
}

type Cursor = ReturnType<typeof createCursor>;

/** Reads a list. Returns undefined for texts and for more than `longestList` numbers, because nothing uses them. */
function readList(cursor: Cursor): readonly number[] | undefined {
  const type = cursor.uint32();
  const length = cursor.count();
  if (type === stringType) {
    for (let place = 0; place < length; place++) cursor.step(cursor.count());
    return undefined;
  }
  const size = fixed[type]?.[0];
  if (size === undefined) throw new GgufFault(`holds a list of the unknown type ${type}`);
  if (length <= longestList) return Array.from({ length }, () => Number(cursor.number(type)));
  cursor.step(size * length);
  return undefined;
}

function readValue(cursor: Cursor): GgufValue | undefined {
  const type = cursor.uint32();
  if (type === stringType) return cursor.text();
  return type === listType ? readList(cursor) : cursor.number(type);
}

function readValues(cursor: Cursor, count: number): Map<string, GgufValue> {
  const values = new Map<string, GgufValue>();
  for (let place = 0; place < count; place++) {
    const key = cursor.text();
    const value = readValue(cursor);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

/** Reads how many weights a tensor has, and where they end, in bytes from the first weight in the file. */
function readTensor(cursor: Cursor): { readonly weights: number; readonly end: number } {
  cursor.text();
  const dimensions = cursor.uint32();
  if (dimensions > 8) throw new GgufFault(`has weights of ${dimensions} dimensions`);
  let weights = 1;
  for (let place = 0; place < dimensions; place++) weights *= cursor.count();
  const [perBlock, bytes] = blocks[cursor.uint32()] ?? [1, 0];
  return { weights, end: cursor.count() + Math.ceil(weights / perBlock) * bytes };
}

type GgufHeader = ReturnType<typeof parseWhole>;

function parseWhole(bytes: Buffer, sizeBytes: number) {
  const cursor = createCursor(bytes);
  if (!'GGUF'.startsWith(bytes.toString('latin1', 0, 4))) throw new GgufFault('does not begin with GGUF');
  cursor.step(4);
  const version = cursor.uint32();
  if (version >>> 16 !== 0) throw new GgufFault('is made for big-endian machines');
  if (version < 2 || version > 3) throw new GgufFault(`has format version ${version}; 2 and 3 can be read`);
  const tensors = cursor.count();
  const values = readValues(cursor, cursor.count());
  let [weights, end] = [0, 0];
  for (let place = 0; place < tensors; place++) {
    const tensor = readTensor(cursor);
    weights += tensor.weights;
    end = Math.max(end, tensor.end);
  }
  const alignment = Number(values.get('general.alignment') ?? 32);
  if (!(alignment > 0)) throw new GgufFault(`has an alignment of ${alignment}`);
  return {
    values,
    weights,
    /** The end of the weights in the file, according to the header. */
    endByte: Math.ceil(cursor.at() / alignment) * alignment + end,
    sizeBytes,
    hash: sha256(bytes.subarray(0, cursor.at())),
  };
}

function parse(bytes: Buffer, sizeBytes: number): GgufHeader | null {
  try {
    return parseWhole(bytes, sizeBytes);
  } catch (error) {
    if (error instanceof Short) return null;
    throw error;
  }
}

/**
 * Reads the header of a GGUF file.
 * @throws GgufFault for a file that cannot be used. Throws the file system's error if the file cannot be read.
 */
export async function readGguf(path: string): Promise<GgufHeader> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let length = firstBytes; ; length *= 4) {
      const bytes = Buffer.alloc(Math.min(length, size));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      const header = parse(bytes.subarray(0, bytesRead), size);
      if (header !== null && header.endByte > size)
        throw new GgufFault(`is cut off after ${size} of ${header.endByte} bytes`);
      if (header !== null) return header;
      if (size <= length) throw new GgufFault(size === 0 ? 'is empty' : 'is cut off before the weights begin');
      if (length >= mostBytes) throw new GgufFault(`has a header of more than ${length} bytes`);
    }
  } finally {
    await file.close();
  }
}

/** The facts about a model that are known before it is loaded. */
export interface ModelFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly weights: number;
  /** The longest text that the model was trained on, in tokens; 4096 if the header does not state it. */
  readonly trainedTokens: number;
  /** Bytes of the KV cache for one token, at 16 bits per number; 0 if the header lacks the dimensions. */
  readonly bytesPerToken: number;
  /** Null if unknown. */
  readonly madeFor: 'chat' | 'vectors' | null;
  /** Hash of the header, the size and the time of the last change; reading all weights would take too long. */
  readonly digest: string;
}

const missing = (message: string, hint: string, cause?: unknown): RlmError =>
  new RlmError('model-missing', message, { hint, cause });

const nameAFile = 'Name a GGUF file: --model path/to/model.gguf';

export const noFile = (): RlmError => missing('no GGUF file is named', `${nameAFile}.`);

function unusable(path: string, error: unknown): RlmError {
  const { code = String(error), message } = error as NodeJS.ErrnoException;
  if (error instanceof GgufFault) {
    const hint = message.startsWith('is cut off') ? 'Download it again.' : `${nameAFile}.`;
    return missing(`${path} is not a usable GGUF file: it ${message}`, hint);
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing(`there is no model file ${path}`, `${nameAFile}.`, error);
  return missing(`the model file ${path} cannot be read (${code})`, 'Make the file readable.', error);
}

function numberOf({ values }: GgufHeader, key: string): number | null {
  const value = values.get(`${values.get('general.architecture')}.${key}`);
  const numbers = (Array.isArray(value) ? value : [value]).filter((part) => Number.isFinite(part));
  return numbers.length === 0 ? null : Math.max(...numbers);
}

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
 * Reads the facts in the header of a model file.
 * @param path the absolute path of the file.
 * @throws RlmError `model-missing` when the file is missing, unreadable, not a GGUF file, or cut off.
 */
export async function readModelFile(path: string): Promise<ModelFile> {
  try {
    const found = await stat(path);
    const { mtimeMs, size: sizeBytes } = found;
    if (!found.isFile()) throw missing(`${path} is no file`, `${nameAFile}.`);
    const header = await readGguf(path);
    return {
      path,
      name: basename(path),
      sizeBytes,
      weights: header.weights,
      trainedTokens: numberOf(header, 'context_length') ?? 4_096,
      bytesPerToken: bytesPerToken(header),
      madeFor: purposeOf(header),
      digest: sha256(`${header.hash} ${sizeBytes} ${mtimeMs}`),
    };
  } catch (error) {
    throw error instanceof RlmError ? error : unusable(path, error);
  }
}

function memoryBytes(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

const smallestTokens = 2_048;

/**
 * Returns the largest window to request, in tokens: at most `trainedTokens`. If it has more than `smallestTokens`, its
 * KV cache takes at most half of the memory that the weights leave free. The memory that other programs use is not
 * subtracted, because it changes.
 */
export function largestContext({ trainedTokens, bytesPerToken, sizeBytes }: ModelFile, bytes = memoryBytes()): number {
  const fitting = bytesPerToken === 0 ? trainedTokens : (bytes - sizeBytes) / 2 / bytesPerToken;
  return Math.min(trainedTokens, Math.max(smallestTokens, Math.floor(fitting / 1024) * 1024));
}
