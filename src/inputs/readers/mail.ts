import { counted } from '../../base/text.ts';
import { isMailStart } from '../../context/mail-start.ts';
import { readHead } from '../read-file.ts';
import type { Reader, ReaderSource } from './reader.ts';

/** Lines and pieces of text are binary strings: one character per byte. */
type Binary = string;

const binaryOf = (text: string): Binary => Buffer.from(text).toString('latin1');

/** Decodes bytes to UTF-8. Returns null for an unknown character set. */
function textOf(bytes: Binary, charset: string): Binary | null {
  try {
    return binaryOf(new TextDecoder(charset).decode(Buffer.from(bytes, 'latin1')));
  } catch {
    return null;
  }
}

const fromQuoted = (text: Binary): Binary =>
  text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const fromBase64 = (text: Binary): Binary => Buffer.from(text, 'base64').toString('latin1');

const encodedWord = /=\?([\w-]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

function decodeWord(whole: Binary, charset: string, coding: string, text: Binary): Binary {
  const bytes = coding.toLowerCase() === 'b' ? fromBase64(text) : fromQuoted(text.replaceAll('_', ' '));
  return textOf(bytes, charset)?.replace(/[\r\n]/g, ' ') ?? whole;
}

/** Removes white space at the end in linear time. Unlike `trimEnd`, never removes bytes of letters such as `à`. */
function withoutEnd(text: Binary): Binary {
  let end = text.length;
  while (' \t\r\n'.includes(text[end - 1] ?? '-')) end -= 1;
  return text.slice(0, end);
}

/** Joins or pads lines to exactly `places` lines, so that the lines below keep their numbers. */
function spread(lines: readonly Binary[], places: number): Binary[] {
  const share = Math.max(lines.length / places, 1);
  const placeAt = (place: number) => Math.round(place * share);
  return Array.from({ length: places }, (_, place) => lines.slice(placeAt(place), placeAt(place + 1)).join(' '));
}

/** Splits decoded text into lines. Puts `>` before a line that would begin a mail, as mailboxes do. */
const linesOf = (text: Binary): Binary[] => text.split(/\r?\n/).map((line) => line.replace(/^>*From /, '>$&'));

/** Decodes the body of a part. Takes its lines one by one, and returns lines to write. */
interface Body {
  take(line: Binary): readonly Binary[];
  end(): readonly Binary[];
}

const asItIs: Body = { take: (line) => [line], end: () => [] };

const inCharset = (charset: string): Body => ({ ...asItIs, take: (line) => [textOf(line, charset) ?? line] });

/** Maximum number of characters that a body holds until it can decode them. Longer text is returned undecoded. */
const mostHeld = 8_000_000;

/** Creates a body that holds lines while they belong together, and then returns the same number of decoded lines. */
function holding(isOpen: (line: Binary) => boolean, decode: (held: readonly Binary[]) => readonly Binary[]): Body {
  let held: Binary[] = [];
  let size = 0;
  const end = () => {
    const lines = held.length === 0 ? [] : size > mostHeld ? held : decode(held);
    [held, size] = [[], 0];
    return lines;
  };
  return {
    take(line) {
      held.push(line);
      size += line.length;
      return isOpen(line) && size <= mostHeld ? [] : end();
    },
    end,
  };
}

/** Maximum length of a line that was wrapped only because its encoded form was too long. Longer text is a paragraph. */
const longestWrapped = 100;

/** Returns a paragraph as one line. Splits a shorter text into `places` lines, so that no blank line follows. */
function setIn(places: number, text: Binary): Binary[] {
  const words = text.split(' ');
  const at = text.length > longestWrapped ? words.length : Math.max(1, words.length - places + 1);
  return [words.slice(0, at).join(' '), ...words.slice(at)];
}

const softBreak = /=[ \t]*\r?$/;

const quotedPrintable = (charset: string): Body =>
  holding(
    (line) => softBreak.test(line),
    (held) => {
      const text = textOf(fromQuoted(held.join('\n').replace(/=[ \t]*\r?\n/g, '')), charset)!;
      return spread(setIn(held.length, linesOf(withoutEnd(text)).join(' ')), held.length);
    },
  );

const base64 = (charset: string): Body =>
  holding(
    () => true,
    (held) => {
      const isSound = held.every((line) => /^[\w+/=]*[ \t\r]*$/.test(line));
      const text = isSound ? textOf(fromBase64(held.join('')), charset) : null;
      return text === null ? held : spread(linesOf(withoutEnd(text)), held.length);
    },
  );

/** Replaces the first line of a body with a note, and all other lines with blank lines. */
function leftOut(note: Binary): Body {
  let isFirst = true;
  return {
    ...asItIs,
    take() {
      const line = isFirst ? note : '';
      isFirst = false;
      return [line];
    },
  };
}

/** A multipart body that is being read. */
interface Multipart {
  readonly boundary: Binary;
  readonly isAlternative: boolean;
  hasPlain: boolean;
}

function readFields(lines: readonly Binary[], fallback: string) {
  const unfolded = lines.join('\n').replace(/\r?\n[ \t]+/g, ' ');
  const fields = unfolded.matchAll(/^([!-9;-~]+):[ \t]*(.*)$/gm);
  const values = new Map([...fields].map(([, name, value]) => [name!.toLowerCase(), value!]));
  const type = values.get('content-type') ?? 'text/plain';
  const parameter = (name: string) => new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]+)"|([^\\s";]+))`, 'i').exec(type);
  const [, quoted, plain] = parameter('boundary') ?? [];
  const [, quotedCharset, charset = quotedCharset ?? fallback] = parameter('charset') ?? [];
  return {
    kind: /^[^\s;]*/.exec(type)![0].toLowerCase(),
    boundary: quoted ?? plain ?? null,
    charset: /^us-ascii$/i.test(charset) ? fallback : charset,
    coding: values.get('content-transfer-encoding')?.trim().toLowerCase() ?? '7bit',
  };
}

/** Decodes the encoded words of header fields. A field with such words becomes one line, followed by blank lines. */
function decodeHead(lines: readonly Binary[]): Binary[] {
  const starts = [...lines.keys()].filter((index) => index === 0 || !/^[ \t]/.test(lines[index]!));
  return starts.flatMap((start, nth) => {
    const field = lines.slice(start, starts[nth + 1] ?? lines.length);
    if (!field.some((line) => line.includes('=?'))) return field;
    const text = field.join('\n').replace(/\r?\n[ \t]+/g, ' ');
    return [text.replace(encodedWord, decodeWord), ...field.slice(1).fill(' ')];
  });
}

/** Whether lines are only `Content-` fields of a text or multipart part. A part without a head may begin with text. */
const isHeadOfText = (lines: readonly Binary[], kind: string): boolean =>
  /^(?:text|multipart)\//.test(kind) && lines.every((line) => /^(?:Content-|[ \t])/i.test(line));

const mostNested = 20;
const mostHeadLines = 2_000;
const longestHeadLine = 10_000;

/**
 * Decodes mail without changing the number of lines, so that each line keeps its number in the file. Decodes
 * base64, quoted-printable, other character sets, and encoded words of headers.
 * Sources: https://www.rfc-editor.org/rfc/rfc2045, https://www.rfc-editor.org/rfc/rfc2046 (parts),
 * https://www.rfc-editor.org/rfc/rfc2047 (encoded words).
 * @param charset the character set of texts that name none.
 * @param onLeftOut called for each part that is left out because it is not text.
 */
function createMailDecoder(charset: string, onLeftOut: () => void) {
  let multiparts: Multipart[] = [];
  let head: Binary[] | null = [];
  let body = asItIs;
  let isAfterBlank = true;

  function bodyOf({ kind, charset, coding }: ReturnType<typeof readFields>): Body {
    if (!kind.startsWith('text/')) {
      if (coding !== 'base64' || kind.startsWith('message/')) return asItIs;
      onLeftOut();
      return leftOut(`(${kind}, not read)`);
    }
    const isSaid = multiparts.some(({ isAlternative, hasPlain }) => isAlternative && hasPlain);
    if (kind === 'text/html' && isSaid) return leftOut('(text/html, as above)');
    if (kind === 'text/plain' && multiparts.length > 0) multiparts.at(-1)!.hasPlain = true;
    if (textOf('', charset) === null) return asItIs;
    if (coding === 'quoted-printable') return quotedPrintable(charset);
    if (coding === 'base64') return base64(charset);
    return /^utf-?8$/i.test(charset) ? asItIs : inCharset(charset);
  }

  function endHead(): Binary[] {
    const lines = head ?? [];
    const fields = readFields(lines, charset);
    const isHidden = multiparts.length > 0 && isHeadOfText(lines, fields.kind);
    head = fields.kind === 'message/rfc822' && lines.length > 0 ? [] : null;
    body = bodyOf(fields);
    if (fields.kind.startsWith('multipart/') && fields.boundary !== null && multiparts.length < mostNested) {
      const isAlternative = fields.kind === 'multipart/alternative';
      multiparts.push({ boundary: `--${fields.boundary}`, isAlternative, hasPlain: false });
    }
    return isHidden ? lines.map(() => '') : decodeHead(lines);
  }

  const end = (): readonly Binary[] => (head === null ? body.end() : endHead());

  function begin(line: Binary, kept: number, isHead: boolean): readonly Binary[] {
    const lines = [...end(), line];
    multiparts = multiparts.slice(0, kept);
    [head, body] = [isHead ? [] : null, asItIs];
    return lines;
  }

  /** Returns the held lines, then the border: the first line of a mail, or a blank line. Null: no border. */
  function atBorder(line: Binary, wasBlank: boolean): readonly Binary[] | null {
    if (wasBlank && isMailStart(line)) return begin(line, 0, true);
    const text = line.trimEnd();
    const within = text.startsWith('--')
      ? multiparts.findLastIndex(({ boundary }) => text === boundary || text === `${boundary}--`)
      : -1;
    if (within < 0) return null;
    const isLast = text !== multiparts[within]!.boundary;
    return begin('', isLast ? within : within + 1, !isLast);
  }

  return {
    take(line: Binary): readonly Binary[] {
      const wasBlank = isAfterBlank;
      isAfterBlank = line.trim() === '';
      const border = atBorder(line, wasBlank);
      if (border !== null) return border;
      if (head === null) return body.take(line);
      if (!isAfterBlank && head.length < mostHeadLines && line.length <= longestHeadLine) {
        head.push(line);
        return [];
      }
      return [...endHead(), line];
    },
    end,
  };
}

/** Maximum length of a line, in characters. Only text that merely looks like mail has longer lines. */
const longestLine = 1_000_000;

async function* decodedPieces({ name, bytes }: ReaderSource, charset: string, warnings: string[]) {
  let attachments = 0;
  const decoder = createMailDecoder(charset, () => attachments++);
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + Buffer.from(piece).toString('latin1')).split('\n');
    rest = lines.pop()!;
    const decoded = lines.flatMap((line) => decoder.take(line));
    const isTooLong = rest.length > longestLine;
    if (isTooLong) decoded.push(...decoder.end());
    yield Buffer.from(`${decoded.map((line) => `${line}\n`).join('')}${isTooLong ? rest : ''}`, 'latin1');
    if (isTooLong) rest = '';
  }
  const last = rest === '' ? decoder.end() : [...decoder.take(rest), ...decoder.end()];
  yield Buffer.from(`${last.join('\n')}${rest === '' && last.length > 0 ? '\n' : ''}`, 'latin1');
  if (attachments > 0)
    warnings.push(`${counted(attachments, 'attachment')} of '${name}' ${attachments === 1 ? 'is' : 'are'} not read`);
}

/** Reads a single mail or a mailbox. */
export const mailReader: Reader = {
  async *read(source, { encoding, signal }) {
    const warnings: string[] = [];
    const pieces = decodedPieces(source, encoding === 'latin1' ? 'windows-1252' : 'utf-8', warnings);
    yield { name: source.name, source: await readHead(pieces, () => {}, signal), encoding: 'utf-8', warnings };
  },
};
