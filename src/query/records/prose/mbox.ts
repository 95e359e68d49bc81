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

const decodeHeader = (text: string): string => text.replace(encodedWord, decodeWord);

interface Message {
  readonly line: number;
  readonly headers: Map<string, string>;
  readonly body: string[];
  isInBody: boolean;
  last: string;
}

function addHeader(message: Message, text: string): void {
  if (/^[ \t]/.test(text) && message.last !== '') {
    message.headers.set(message.last, `${message.headers.get(message.last)} ${text.trim()}`);
    return;
  }
  const [, name, value] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(text) ?? [];
  if (name === undefined) return;
  message.last = name.toLowerCase();
  message.headers.set(message.last, value!);
}

function toRow({ line, headers, body }: Message, times: TimeReader) {
  const header = (name: string): string | null => {
    const value = headers.get(name);
    return value === undefined ? null : decodeHeader(value);
  };
  const date = header('date');
  const to = [header('to'), header('cc')].filter((one) => one !== null).join(', ');
  const text = body
    .join('\n')
    .trim()
    .replace(/^>(?=>*From )/gm, '');
  const ids = [header('message-id'), header('in-reply-to')];
  const time = date === null ? null : (times.read(date)?.time ?? null);
  return { line, values: [time, date, header('from'), to === '' ? null : to, header('subject'), ...ids, text] };
}

const rowsOf: ReadRows = function* (document, reading) {
  const times = reading.times();
  let message: Message | null = null;
  let isBlank = true;
  for (const { line, text } of recordLines(document)) {
    if (isBlank && separator.test(text)) {
      if (message !== null) yield toRow(message, times);
      message = { line, headers: new Map(), body: [], isInBody: false, last: '' };
    } else if (message?.isInBody) message.body.push(text);
    else if (message !== null && text === '') message.isInBody = true;
    else if (message !== null) addHeader(message, text);
    isBlank = text === '';
  }
  if (message !== null) yield toRow(message, times);
};

/** Finds mail in the mbox format, with the text as it is sent. */
export const findMail: FindTables = (document) => {
  const [first = '', ...rest] = document.head;
  const isMail =
    separator.test(first) && rest.slice(0, 30).some((line) => /^(?:from|date|subject|message-id):/i.test(line));
  return isMail ? tableOf('mail', columns, document, rowsOf) : [];
};
