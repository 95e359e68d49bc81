/** Writes GGUF files, the format of models for llama.cpp (version 3). */

/** A value of the header. A number is a 32-bit integer, unless it is wrapped. */
export type GgufValue =
  | string
  | number
  | boolean
  | { readonly float: number }
  | readonly string[]
  | { readonly integers: readonly number[] };

/** A tensor of 32-bit weights. The length of a row is the first dimension, as in ggml. */
export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly weights: Float32Array;
}

const alignment = 32;

function number(bytes: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}
const uint32 = (value: number) => number(4, (buffer) => buffer.writeUInt32LE(value));
const int32 = (value: number) => number(4, (buffer) => buffer.writeInt32LE(value));
const float32 = (value: number) => number(4, (buffer) => buffer.writeFloatLE(value));
const uint64 = (value: number) => number(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);

function valueBytes(value: GgufValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([uint32(8), text(value)]);
  if (typeof value === 'number') return Buffer.concat([uint32(4), uint32(value)]);
  if (typeof value === 'boolean') return Buffer.from([7, 0, 0, 0, Number(value)]);
  if ('float' in value) return Buffer.concat([uint32(6), float32(value.float)]);
  if ('integers' in value) {
    return Buffer.concat([uint32(9), uint32(5), uint64(value.integers.length), ...value.integers.map(int32)]);
  }
  return Buffer.concat([uint32(9), uint32(8), uint64(value.length), ...value.map(text)]);
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);

/** Returns the bytes of a file. */
export function ggufFile(values: Readonly<Record<string, GgufValue>>, tensors: readonly Tensor[] = []): Buffer {
  const entries = Object.entries(values).map(([key, value]) => Buffer.concat([text(key), valueBytes(value)]));
  const data = tensors.map(({ weights }) =>
    padded(Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength)),
  );
  let offset = 0;
  const infos = tensors.map(({ name, shape }, index) => {
    const at = offset;
    offset += data[index]!.length;
    return Buffer.concat([text(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(at)]);
  });
  const counts = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(entries.length)];
  return Buffer.concat([padded(Buffer.concat([...counts, ...entries, ...infos])), ...data]);
}
