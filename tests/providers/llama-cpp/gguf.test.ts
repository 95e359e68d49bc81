import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GgufFault, readGguf } from '../../../src/providers/llama-cpp/file.ts';
import { ggufFile } from '../../support/gguf-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const values = {
  'general.architecture': 'llama',
  'general.name': 'Ünïcödé',
  'llama.context_length': 4096,
  'llama.rope.freq_base': { float: 0.5 },
  'tokenizer.ggml.add_bos_token': true,
  'tokenizer.ggml.tokens': ['a', 'b', '<end>'],
  'llama.attention.head_count_kv': { integers: [2, 4] },
};
const tensors = [
  { name: 'token_embd.weight', shape: [4, 3], weights: Float32Array.from({ length: 12 }, (_, at) => at) },
  { name: 'output.weight', shape: [3, 3], weights: new Float32Array(9) },
];
const whole = ggufFile(values, tensors);
/** Bytes of a file in which padding follows the weights of the last tensor. */
const weightsEnd = whole.length - 28;

/** Resolves to the header, or to `{ fault }` if the bytes are not a header. */
function reader() {
  const folder = tempFolder();
  let files = 0;
  return (bytes: Uint8Array) => {
    const path = join(folder, `${files++}.gguf`);
    writeFileSync(path, bytes);
    return readGguf(path).catch((error: unknown) => {
      if (error instanceof GgufFault) return { fault: error.message };
      throw error;
    });
  };
}

describe('readGguf', () => {
  it('returns the fields of the header, without the vocabulary', async () => {
    const header = await reader()(whole);
    expect(header).toMatchObject({ sizeBytes: whole.length, weights: 21, endByte: weightsEnd });
    expect('values' in header && Object.fromEntries(header.values)).toEqual({
      'general.architecture': 'llama',
      'general.name': 'Ünïcödé',
      'llama.context_length': 4096,
      'llama.rope.freq_base': 0.5,
      'tokenizer.ggml.add_bos_token': 1,
      'llama.attention.head_count_kv': [2, 4],
    });
  });

  it('distinguishes headers by their hash, and ignores the weights', async () => {
    const read = reader();
    const hash = async (bytes: Uint8Array) => {
      const header = await read(bytes);
      return 'hash' in header ? header.hash : header;
    };
    const other = ggufFile({ ...values, 'general.name': 'Other' }, tensors);
    const trained = Buffer.from(whole);
    trained.writeFloatLE(7, weightsEnd - 4);
    expect(await hash(trained)).toBe(await hash(whole));
    expect(await hash(other)).not.toBe(await hash(whole));
  });

  it('reads a header that is larger than its first step', async () => {
    const words = Array.from({ length: 60_000 }, (_, at) => `a rather long word of the vocabulary ${at}`);
    const bytes = ggufFile({ ...values, 'tokenizer.ggml.tokens': words }, tensors);
    expect(bytes.length).toBeGreaterThan(2 ** 21);
    expect(await reader()(bytes)).toMatchObject({ sizeBytes: bytes.length });
  });

  it('reports a file that is cut off, wherever it is cut', async () => {
    const read = reader();
    for (let length = 4; length < weightsEnd; length += 3) {
      expect(await read(whole.subarray(0, length))).toEqual({ fault: expect.stringMatching(/^is cut off \w/) });
    }
    expect(await read(whole.subarray(0, weightsEnd))).toHaveProperty('hash');
  });

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['does not begin with GGUF', Buffer.from('# A page of text\n')],
    ['does not begin with GGUF', Buffer.from('PK')],
    ['has format version 1; 2 and 3 can be read', Buffer.from('GGUF\u0001\0\0\0')],
    ['is made for big-endian machines', Buffer.from('GGUF\0\0\0\u0003')],
  ])('reports that a file %s', async (fault, bytes) => {
    expect(await reader()(bytes)).toEqual({ fault });
  });

  it('reads any bytes as a header or a fault', async () => {
    const read = reader();
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(whole.length), async (bytes, length) => {
        const mutated = Buffer.from(whole.subarray(0, length));
        for (const [at, byte] of bytes) if (at < length) mutated[at] = byte;
        const header = await read(mutated);
        if ('fault' in header) expect(header.fault).not.toBe('');
        else expect(header.endByte).toBeLessThanOrEqual(length);
      }),
      { numRuns: 300 },
    );
  });
});
