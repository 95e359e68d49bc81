/** The formats that are more than text, and who reads them. A reader is loaded when a file of its format is met. */

import { headBytes, isBinary } from '../decode.ts';
import { piecesOf, readHead } from '../read-file.ts';
import type { ExtractedFormat } from './extractor.ts';
import type { Reader, ReadLimits, ReadPart, Source } from './reader.ts';

interface Format {
  /** Endings of file names, in lower case. */
  readonly endings: readonly string[];
  /** What the first bytes look like, where the name has no ending, or, if `always`, none of a format. */
  readonly looks: RegExp;
  readonly always: boolean;
  /** Whether it holds other files. */
  readonly holds: boolean;
  load(): Promise<Reader>;
}

const extracted = (format: ExtractedFormat, endings: readonly string[], looks: RegExp, always = false): Format => ({
  endings,
  looks,
  always,
  holds: false,
  load: async () => (await import('./extracting.ts')).createExtractingReader(format),
});

const formats: readonly Format[] = [
  extracted('pdf', ['pdf'], /^%PDF-\d/, true),
  extracted('docx', ['docx', 'docm'], /^(?!)/),
  extracted(
    'html',
    ['html', 'htm', 'xhtml'],
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html)[\s>]/i,
  ),
  extracted('notebook', ['ipynb'], /^\s*\{\s*"cells"\s*:\s*\[\s*\{/),
  {
    endings: ['gz', 'gzip'],
    looks: /^\x1f\x8b\x08/,
    always: true,
    holds: true,
    load: async () => (await import('./compressed.ts')).createGzipReader(readMember),
  },
  {
    endings: ['zst'],
    looks: /^\x28\xb5\x2f\xfd/,
    always: true,
    holds: true,
    load: async () => (await import('./compressed.ts')).createZstdReader(readMember),
  },
  {
    endings: ['zip'],
    looks: /^PK(?:\x03\x04|\x05\x06)/,
    always: false,
    holds: true,
    load: async () => (await import('./zip.ts')).createZipReader(readMember, await formats[1]!.load()),
  },
];

const byEnding = new Map(formats.flatMap((format) => format.endings.map((ending) => [ending, format])));

const endingOf = (name: string): string => /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

function findFormat(name: string, head: Uint8Array): Format | null {
  const ending = endingOf(name);
  const named = byEnding.get(ending);
  if (named !== undefined) return named;
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headBytes)).toString('latin1');
  return formats.find(({ looks, always }) => (always || ending === '') && looks.test(start)) ?? null;
}

/**
 * Who reads a file that is more than text; null for text, and for what nobody can read.
 * @param head its first bytes, `headBytes` or more, or all of a shorter one
 */
export function chooseReader(name: string, head: Uint8Array): Reader | null {
  const format = head.length === 0 ? null : findFormat(name, head);
  return format === null ? null : { read: (source, limits) => readLazily(format, source, limits) };
}

async function* readLazily(format: Format, source: Source, limits: ReadLimits): AsyncIterable<ReadPart> {
  yield* (await format.load()).read(source, limits);
}

async function* readMember(innerName: string, source: Source, limits: ReadLimits): AsyncIterable<ReadPart> {
  const { name } = source;
  const text = await readHead(source.bytes, () => {}, limits.signal);
  const { head } = text;
  const format = head.length === 0 ? null : findFormat(innerName, head);
  if (format?.holds) yield { name, reason: 'nested archive', detail: 'unpack it to have it read' };
  else if (format !== null) yield* (await format.load()).read({ name, bytes: piecesOf(text) }, limits);
  else if (isBinary(head)) yield { name, reason: 'binary' };
  else yield { name, source: text, encoding: limits.encoding, warnings: [] };
}
