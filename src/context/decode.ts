import { isUtf8 } from 'node:buffer';
import { isBinaryFileSync } from 'isbinaryfile';
import type { Document } from './document.ts';

/** How many bytes from the start of a file `isBinary` looks at. */
export const headBytes = 515;

/** A document, and what a reader of it should know about how it was decoded. */
export interface Decoded {
  readonly document: Document;
  readonly warnings: readonly string[];
}

/**
 * Whether bytes are something else than text, judged by their first `headBytes`. UTF-8, UTF-16 with a byte order mark
 * and single-byte encodings that are mostly ASCII are text; UTF-32 is not.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const head = asBuffer(bytes.subarray(0, headBytes));
  return startsWith(head, [0xff, 0xfe, 0, 0]) || startsWith(head, [0, 0, 0xfe, 0xff]) || isBinaryFileSync(head);
}

/**
 * The bytes of a file or a pipe as a document. A UTF-8 byte order mark is dropped and UTF-16 with one becomes UTF-8.
 * Bytes that are no valid UTF-8 stay as they are and are reported in a warning that names the document. Never throws on
 * content.
 */
export function decodeDocument(name: string, bytes: Uint8Array): Decoded {
  if (startsWith(bytes, [0xff, 0xfe])) return fromUtf16(name, bytes, 'utf-16le');
  if (startsWith(bytes, [0xfe, 0xff])) return fromUtf16(name, bytes, 'utf-16be');
  const text = startsWith(bytes, [0xef, 0xbb, 0xbf]) ? bytes.subarray(3) : bytes;
  return { document: { name, bytes: text }, warnings: isUtf8(text) ? [] : [replacedWarning(name, 'UTF-8')] };
}

function fromUtf16(name: string, bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Decoded {
  const text = new TextDecoder(encoding).decode(bytes);
  const replaced = text.includes('\uFFFD');
  return {
    document: { name, bytes: Buffer.from(text, 'utf8') },
    warnings: replaced ? [replacedWarning(name, 'UTF-16')] : [],
  };
}

function replacedWarning(name: string, encoding: string): string {
  return `'${name}' is not valid ${encoding}; the invalid bytes are shown as \uFFFD`;
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
