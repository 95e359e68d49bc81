import { isMailStart } from '../../../context/mail-start.ts';
import { columnsNamed, type FindTables, type ReadRows, recordLines, tableOf } from '../reader.ts';
import type { TimeReader } from '../times.ts';

const columns = columnsNamed('time timeText sender recipients subject messageId inReplyTo text');

function headersOf(head: string): ReadonlyMap<string, string> {
  const fields = head.replace(/\n[ \t]+/g, ' ').matchAll(/^([!-9;-~]+):[ \t]*(.*)$/gm);
  return new Map([...fields].map(([, name, value]) => [name!.toLowerCase(), value!.trimEnd()]));
}

function toRow({ line, lines }: { readonly line: number; readonly lines: readonly string[] }, times: TimeReader) {
  const message = `\n${lines.join('\n')}`.replace(/^>(?=>*From )/gm, '');
  const [head = ''] = message.split('\n\n', 1);
  const headers = headersOf(head);
  const body = message.slice(head.length);
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
    if (isBlank && isMailStart(text)) {
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
    isMailStart(first) && rest.slice(0, 30).some((line) => /^(?:from|date|subject|message-id):/i.test(line));
  return isMail ? tableOf('mail', columns, document, rowsOf) : [];
};
