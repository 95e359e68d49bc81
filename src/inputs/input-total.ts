import { RlmError } from '../errors.ts';

export type InputTotal = ReturnType<typeof createInputTotal>;

/** Counts the bytes of all text of a run, whatever its source, and enforces `maxBytes`. */
export function createInputTotal(maxBytes: number) {
  let total = 0;
  const foresee = (name: string, bytes: number) => {
    if (total + bytes > maxBytes) throw tooLarge(name, total + bytes, maxBytes);
  };
  return {
    bytes: () => total,
    maxBytes,
    /** Throws the error that `add` would throw for these bytes, but does not add them. */
    foresee,
    /** Throws `input-too-large`. */
    add: (name: string, bytes: number) => {
      foresee(name, bytes);
      total += bytes;
    },
  };
}

function tooLarge(name: string, bytes: number, maxBytes: number): RlmError {
  const message =
    `the input is too large: with '${name}' it reaches ${megabytes(bytes)} or more, and the limit (inputs.maxBytes) is ` +
    megabytes(maxBytes);
  return new RlmError('input-too-large', message, {
    hint: 'Give less text, or raise inputs.maxBytes (RLM_MAX_INPUT_BYTES).',
  });
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${bytes} bytes` : `${(Math.ceil(bytes / 1e5) / 10).toFixed(1)} MB (${bytes} bytes)`;
}
