import { columnsNamed, type FindTables, type ReadRows, recordLines, tableOf } from '../reader.ts';
import type { TimeReader } from '../times.ts';

const columns = columnsNamed('time timeText sender recipients subject messageId inReplyTo text');

const separator = /^From \S+(?: .*)?\d\d:\d\d/;
const encodedWord = /=\?([\w-]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

function decodeWord(whole: string, charset: string, coding: string, text: string): string {
  const bytes =
    coding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        );
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return whole; // No such character set.
  }
}

/** Reads a message from the lines below the one that separates it from the message above. */
function toRow({ line, lines }: { readonly line: number; readonly lines: readonly string[] }, times: TimeReader) {
  const end = lines.includes('') ? lines.indexOf('') : lines.length;
  const unfolded = lines
    .slice(0, end)
    .join('\n')
    .replace(/[ \t]*\n[ \t]+/g, ' ');
  const fields = [...unfolded.matchAll(/^([!-9;-~]+):[ \t]*(.*)$/gm)];
  const headers = new Map(
    fields.map(([, name, value]) => [name!.toLowerCase(), value!.replace(encodedWord, decodeWord)]),
  );
  const header = (name: string): string | null => headers.get(name) ?? null;
  const date = header('date');
  const to = [header('to'), header('cc')].filter((one) => one !== null).join(', ');
  const text = lines
    .slice(end + 1)
    .join('\n')
    .trim()
    .replace(/^>(?=>*From )/gm, '');
  const time = date === null ? null : (times.read(date)?.time ?? null);
  const named = ['subject', 'message-id', 'in-reply-to'].map(header);
  return { line, values: [time, date, header('from'), to === '' ? null : to, ...named, text] };
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

/** Finds mail in the mbox format, with the text as it is sent. */
export const findMail: FindTables = (document) => {
  const [first = '', ...rest] = document.head;
  const isMail =
    separator.test(first) && rest.slice(0, 30).some((line) => /^(?:from|date|subject|message-id):/i.test(line));
  return isMail ? tableOf('mail', columns, document, rowsOf) : [];
};
