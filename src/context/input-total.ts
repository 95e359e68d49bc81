import { RlmError } from '../errors.ts';

/** Told how many bytes more are about to be held (fewer when negative); throws when they are too many. */
export type Reserve = (bytes: number) => void;

/** Counts the bytes of all text of a run, wherever it comes from. */
export interface InputTotal {
  /** Held now. */
  bytes(): number;
  readonly maxBytes: number;
  /** For one document; it throws `input-too-large`, naming the document. */
  reserveFor(name: string): Reserve;
}

/** A count that allows so many bytes in all. */
export function createInputTotal(maxBytes: number): InputTotal {
  let total = 0;
  return {
    bytes: () => total,
    maxBytes,
    reserveFor: (name) => (bytes) => {
      total += bytes;
      if (bytes > 0 && total > maxBytes) throw tooLarge(name, total, maxBytes);
    },
  };
}

function tooLarge(name: string, bytes: number, maxBytes: number): RlmError {
  const message =
    `the input is too large: with '${name}' it reaches ${megabytes(bytes)}, and the limit (inputs.maxBytes) is ` +
    megabytes(maxBytes);
  return new RlmError('input-too-large', message, {
    hint: 'Give less text, or raise inputs.maxBytes (RLM_MAX_INPUT_BYTES).',
  });
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${bytes} bytes` : `${(Math.ceil(bytes / 1e5) / 10).toFixed(1)} MB (${bytes} bytes)`;
}
