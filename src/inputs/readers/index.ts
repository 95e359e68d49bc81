/** The formats other than text, and their readers. A reader is loaded when the first file of its format is read. */
import { headBytes, isBinary } from '../decode.ts';
import { piecesOf, readHead } from '../read-file.ts';
import type { Reader, ReaderSource, ReadLimits, ReadPart } from './reader.ts';

interface Format {
  /** File endings in lower case. */
  readonly endings: readonly string[];
  /**
   * First bytes that show the format of a file with an unknown ending or none; null: first bytes are not checked. If
   * `looks` is set, it must match, too.
   */
  readonly signature: Buffer | null;
  /** Matches the first bytes of a file without an ending; null: the first bytes do not show the format. */
  readonly looks: RegExp | null;
  /** Whether a file of the format holds other files. */
  readonly holds: boolean;
  load(): Promise<Reader>;
}

const plain = { signature: null, looks: null, holds: false };

/** Extensions of files whose text is extracted. */
const extractedEndings = {
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  html: ['html', 'htm', 'xhtml'],
  notebook: ['ipynb'],
} as const;

const extracted = (format: keyof typeof extractedEndings, more: Partial<Format> = {}): Format => ({
  ...plain,
  endings: extractedEndings[format],
  load: async () => (await import('./extracting.ts')).createExtractingReader(format),
  ...more,
});

const packed = (format: 'gzip' | 'zstd', endings: readonly string[], signature: readonly number[]): Format => ({
  ...plain,
  endings,
  signature: Buffer.from(signature),
  holds: true,
  load: async () => (await import('./compressed.ts')).createUnpackingReader(format, readMember),
});

const docx = extracted('docx');

const formats: readonly Format[] = [
  extracted('pdf', { signature: Buffer.from('%PDF-') }),
  docx,
  extracted('html', { looks: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html)[\s>]/i }),
  extracted('notebook', { looks: /^\s*\{\s*"cells"\s*:\s*\[\s*\{/ }),
  {
    ...plain,
    endings: ['eml', 'mbox', 'mbx'],
    signature: Buffer.from('From '),
    looks: /^From \S+.*\d\d:\d\d.*\r?\n[!-9;-~]+:/,
    load: async () => (await import('./mail.ts')).mailReader,
  },
  packed('gzip', ['gz', 'gzip'], [0x1f, 0x8b, 0x08]),
  packed('zstd', ['zst'], [0x28, 0xb5, 0x2f, 0xfd]),
  {
    ...plain,
    endings: ['zip'],
    looks: /^PK(?:\x03\x04|\x05\x06)/,
    holds: true,
    load: async () => (await import('./zip.ts')).createZipReader(readMember, await docx.load()),
  },
];

const byEnding = new Map(formats.flatMap((format) => format.endings.map((ending) => [ending, format])));

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > name.lastIndexOf('/') + 1 ? name.slice(dot + 1).toLowerCase() : '';
}

const begins = (head: Uint8Array, signature: Buffer | null): boolean =>
  signature !== null && signature[0] === head[0] && signature.every((byte, index) => byte === head[index]);

function findFormat(name: string, head: Uint8Array): Format | null {
  const ending = endingOf(name);
  const start = () => Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headBytes)).toString('latin1');
  const isSigned = ({ signature, looks }: Format) => begins(head, signature) && (looks?.test(start()) ?? true);
  const known = byEnding.get(ending) ?? formats.find(isSigned);
  if (known !== undefined || ending !== '') return known ?? null;
  return formats.find(({ looks }) => looks?.test(start())) ?? null;
}

/** Returns the reader of a file's format by its name and first `headBytes`; null for text and unknown formats. */
export function chooseReader(name: string, head: Uint8Array): Reader | null {
  const format = head.length === 0 ? null : findFormat(name, head);
  if (format === null) return null;
  return {
    async *read(source, limits) {
      yield* (await format.load()).read(source, limits);
    },
  };
}

async function* readMember(innerName: string, source: ReaderSource, limits: ReadLimits): AsyncIterable<ReadPart> {
  const { name } = source;
  const text = await readHead(source.bytes, () => {}, limits.signal);
  const { head } = text;
  const format = head.length === 0 ? null : findFormat(innerName, head);
  if (format?.holds) yield { name, reason: 'nested archive', detail: 'unpack it to have it read' };
  else if (format !== null) yield* (await format.load()).read({ name, bytes: piecesOf(text) }, limits);
  else if (isBinary(head, limits.encoding)) yield { name, reason: 'binary' };
  else yield { name, source: text, encoding: limits.encoding, warnings: [] };
}
