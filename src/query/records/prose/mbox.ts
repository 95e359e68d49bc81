import { columnsNamed, type FindTables, type ReadRows, recordLines, tableOf } from '../reader.ts';
import type { TimeReader } from '../times.ts';

const columns = columnsNamed('time timeText sender recipients subject messageId inReplyTo text');

const separator = /^From \S+(?: .*)?\d\d:\d\d/;
const encodedWord = /=\?([\w-]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

/** Decodes base64 (`b`) or quoted-printable (`q`) text; null for an unknown character set. */
function decode(text: string, coding: string, charset: string): string | null {
  const toByte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const bytes =
    coding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(text.replace(/=([0-9a-f]{2})/gi, toByte), 'latin1');
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

const decodeWord = (whole: string, charset: string, coding: string, text: string): string =>
  decode(coding.toLowerCase() === 'b' ? text : text.replaceAll('_', ' '), coding, charset) ?? whole;

type Headers = ReadonlyMap<string, string>;

function headersOf(text: string): Headers {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const unfolded = lines.join('\n').replace(/\n[ \t]+/g, ' ');
  const fields = unfolded.matchAll(/^([!-9;-~]+):[ \t]*(.*)$/gm);
  return new Map([...fields].map(([, name, value]) => [name!.toLowerCase(), value!.replace(encodedWord, decodeWord)]));
}

const mostNested = 5;

function decodeBody(body: string, headers: Headers, depth = 0): string {
  const type = headers.get('content-type') ?? 'text/plain';
  const [, boundary] = /^multipart\/.*\bboundary="?([^";]+)/i.exec(type) ?? [];
  if (boundary !== undefined && depth < mostNested) {
    const mark = `\n--${boundary}`;
    const [before, ...parts] = `\n${body}`.split(mark);
    const read = parts.map((part) => readMessage(part, depth + 1));
    return [before, ...read.map((part) => `${part.head}\n\n${part.body}`)].join(mark);
  }
  if (!/^text\b/i.test(type)) return body;
  const coding = headers.get('content-transfer-encoding')?.trim().toLowerCase();
  const [, charset = 'utf-8'] = /\bcharset="?([\w.:-]+)/i.exec(type) ?? [];
  if (coding === 'quoted-printable') return decode(body.replace(/=[ \t]*\n/g, ''), 'q', charset) ?? body;
  return coding === 'base64' && /^[\w+/=\s]*$/.test(body) ? (decode(body, 'b', charset) ?? body) : body;
}

/** `message` begins with the line feed of the line above. */
function readMessage(message: string, depth = 0) {
  const end = message.includes('\n\n') ? message.indexOf('\n\n') : message.length;
  const head = message.slice(0, end);
  const headers = headersOf(head);
  return { headers, head, body: decodeBody(message.slice(end + 2), headers, depth) };
}

function toRow({ line, lines }: { readonly line: number; readonly lines: readonly string[] }, times: TimeReader) {
  const { headers, body } = readMessage(`\n${lines.join('\n')}`.replace(/^>(?=>*From )/gm, ''));
  const header = (name: string): string | null => headers.get(name) ?? null;
  const date = header('date');
  const to = [header('to'), header('cc')].filter((one) => one !== null).join(', ');
  const time = date === null ? null : (times.read(date)?.time ?? null);
  const named = ['subject', 'message-id', 'in-reply-to'].map(header);
  return { line, values: [time, date, header('from'), to === '' ? null : to, ...named, body.trim()] };
}

const rowsOf: ReadRows = function* (document, reading) {
  const times = reading.times();
  let open: { readonly line: number; readonly lines: string[] } | null = null;
  let isBlank = true;
  for (const { line, text } of recordLines(document)) {
    if (isBlank && separator.test(text)) {
      if (open !== null) yield toRow(open, times);
      open = { line, lines: [] };
    } else open?.lines.push(text);
    isBlank = text === '';
  }
  if (open !== null) yield toRow(open, times);
};

/** Finds mail in the mbox format. */
export const findMail: FindTables = (document) => {
  const [first = '', ...rest] = document.head;
  const isMail =
    separator.test(first) && rest.slice(0, 30).some((line) => /^(?:from|date|subject|message-id):/i.test(line));
  return isMail ? tableOf('mail', columns, document, rowsOf) : [];
};
