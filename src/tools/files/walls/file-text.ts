import type { TextSource } from '../../../context/shown-text.ts';
import { createDecoder, headBytes, isBinary } from '../../../inputs/decode.ts';
import type { OpenFile } from './open-checked.ts';

/** The text of an open file as UTF-8. */
export interface FileText {
  readonly name: string;
  /** Size in bytes of UTF-8, without a byte order mark. */
  readonly bytes: number;
  /** Whether all of the text is in memory. */
  readonly isWhole: boolean;
  /** Returns the bytes of a range; fewer at the end of the text. */
  read(startByte: number, endByte: number): Buffer;
}

/** Files of up to this many bytes are read as a whole. */
export const wholeFileBytes = 1024 * 1024;

/** Maximum size of a UTF-16 file, in bytes. A larger file is not read, because it would be decoded as a whole. */
const mostDecodedBytes = 32 * 1024 * 1024;

/**
 * Returns the text of a file, valid until the file is closed. Null if the file is binary, or UTF-16 and too large.
 * @param scratch buffer for a small file. Reusing the buffer invalidates the text.
 */
export function fileTextOf(file: OpenFile, scratch?: Buffer): FileText | null {
  const isShort = file.bytes <= wholeFileBytes;
  const head = file.read(0, isShort ? file.bytes : headBytes, scratch);
  if (isBinary(head)) return null;
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return decodedText(file);
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  if (isShort) return wholeText(file.name, head.subarray(start));
  return {
    ...{ name: file.name, bytes: file.bytes - start, isWhole: false },
    read: (startByte, endByte) => file.read(start + startByte, start + endByte),
  };
}

const wholeText = (name: string, bytes: Buffer): FileText => ({
  name,
  bytes: bytes.length,
  isWhole: true,
  read: (startByte, endByte) => bytes.subarray(startByte, endByte),
});

function decodedText(file: OpenFile): FileText | null {
  if (file.bytes > mostDecodedBytes) return null;
  const bytes = file.read(0, file.bytes);
  const decoder = createDecoder(bytes, 'utf-8');
  return wholeText(file.name, Buffer.concat([decoder.write(bytes), decoder.end()]));
}

export const asSource = (text: FileText): TextSource => ({
  documents: [{ name: text.name, bytes: text.bytes, lines: 0 }],
  read: (_document, startByte, endByte) => text.read(startByte, endByte),
});
