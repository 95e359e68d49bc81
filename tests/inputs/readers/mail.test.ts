import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../src/inputs/read-file.ts';
import { mailReader } from '../../../src/inputs/readers/mail.ts';

const limits = {
  maxBytes: 1e9,
  maxUnpackRatio: 200,
  timeoutMs: 1_000,
  encoding: 'utf-8',
  signal: new AbortController().signal,
} as const;

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(mail: string | Buffer, size = 50, encoding: 'utf-8' | 'latin1' = 'utf-8') {
  const bytes = Buffer.from(mail as string);
  for await (const part of mailReader.read({ name: 'a.eml', bytes: inPieces(bytes, size) }, { ...limits, encoding })) {
    if ('reason' in part) throw new Error(part.reason);
    const pieces: Uint8Array[] = [];
    for await (const piece of piecesOf(part.source)) pieces.push(Uint8Array.from(piece));
    return { text: Buffer.concat(pieces).toString(), warnings: part.warnings };
  }
  throw new Error('no part');
}

const textOf = async (mail: string | Buffer) => (await read(mail)).text;
const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');

describe('mail', () => {
  it('has decoded words in its headers, each field in its first line', async () => {
    const mail =
      'From: =?utf-8?B?SsO8cmdlbg==?= <j@x>\nSubject: =?iso-8859-1?Q?Gr=FC=DFe_und_?=\n =?utf-8?q?K=C3=BCsse?=\nTo: a@x\n\nHi\n';
    expect((await textOf(mail)).split('\n')).toEqual([
      'From: Jürgen <j@x>',
      'Subject: Grüße und Küsse',
      ' ',
      'To: a@x',
      '',
      'Hi',
      '',
    ]);
  });

  it('has quoted-printable text in as many lines as in the file', async () => {
    const mail =
      'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDie Kosten f=FCr das ganze Pro=\r\njekt sind hoch, sagt=\r\n er.\r\n\r\nGru=DF\r\n';
    expect((await textOf(mail)).split('\n')).toEqual([
      'Content-Type: text/plain; charset=iso-8859-1\r',
      'Content-Transfer-Encoding: quoted-printable\r',
      '\r',
      'Die Kosten für das ganze Projekt sind hoch,',
      'sagt',
      'er.',
      '',
      'Gruß',
      '',
    ]);
  });

  it('keeps a letter at the end whose last byte looks like a space, and takes linear time for spaces', async () => {
    const quoted = 'Content-Transfer-Encoding: quoted-printable\n\nvoil=C3=A0\n';
    expect(await textOf(quoted)).toContain('\n\nvoilà\n');
    const spaces = `${' '.repeat(2_000_000)}voilà`;
    const encoded = `Content-Transfer-Encoding: base64\n\n${base64(spaces)}\n`;
    expect((await read(encoded, 1_000_000)).text.split('\n')[2]).toBe(spaces);
  });

  it('has a paragraph in quoted-printable in its first line', async () => {
    const paragraph =
      'The deposit is refunded in full by the end of May, =\nbut only if the inspection of the hull finds no damage at all, =\nneither above nor below the line.';
    const lines = (await textOf(`Content-Transfer-Encoding: quoted-printable\n\n${paragraph}\n`)).split('\n');
    expect(lines.slice(2)).toEqual([paragraph.replaceAll('=\n', ''), '', '', '']);
  });

  it('has the lines of a text in base64 spread over as many lines as in the file', async () => {
    const head = 'Content-Transfer-Encoding: base64\n\n';
    const short = `one\n\nthree ${'x'.repeat(120)}\n`;
    expect((await textOf(`${head}${base64(short)}\n`)).split('\n').slice(2)).toEqual([
      'one',
      '',
      `three ${'x'.repeat(120)}`,
      '',
    ]);
    const many = 'a line of text\n'.repeat(20);
    const lines = (await textOf(`${head}${base64(many)}\n`)).split('\n').slice(2, -1);
    expect(lines).toHaveLength(base64(many).split('\n').length);
    expect(lines.join(' ')).toBe(many.trim().replaceAll('\n', ' '));
  });

  it.each([
    ['that is no base64', 'Content-Transfer-Encoding: base64\n\nnone of it!\n'],
    [
      'in an unknown character set',
      'Content-Type: text/plain; charset=none\nContent-Transfer-Encoding: quoted-printable\n\na =3D b\n',
    ],
    ['without headers', 'From here on it is text =3D\n\nand =\nmore\n'],
  ])('is unchanged %s', async (_, mail) => {
    expect(await textOf(mail)).toBe(mail);
  });

  it('has decoded parts; attachments and a second form of a text are left out with a note', async () => {
    const part = (type: string, coding: string, body: string) =>
      `Content-Type: ${type}\nContent-Transfer-Encoding: ${coding}\n\n${body}\n`;
    const mail = [
      'Content-Type: multipart/mixed;\n boundary="out"\n\n--out\n',
      'Content-Type: multipart/alternative; boundary=in\n\n--in\n',
      part('text/plain', 'base64', base64('Grüße')),
      '--in\n',
      part('text/html', 'quoted-printable', '<p>Gr=C3=BC=C3=9Fe</p>\n<p>x</p>'),
      '--in--\n--out\n',
      part('image/png', 'base64', 'AAAA\nBBBB'),
      '--out\n',
      part('message/rfc822', '7bit', 'Subject: =?utf-8?q?=C3=9C?=\n\nInner'),
      '--out--\nafter\n',
    ].join('');
    const { text, warnings } = await read(mail);
    const lines = text.split('\n');
    expect(lines).toHaveLength(mail.split('\n').length);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Grüße',
        '(text/html, as above)',
        '(image/png, not read)',
        'Subject: Ü',
        'Inner',
        'after',
      ]),
    );
    expect(text).not.toMatch(/<p>|AAAA|^--|text\/plain/m);
    expect(text).toContain('Content-Type: image/png');
    expect(warnings).toEqual(["1 attachment of 'a.eml' is not read"]);
  });

  it('keeps text that no blank line separates from the head of its part', async () => {
    const mail = 'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nHi Ann\n--b--\n';
    expect(await textOf(mail)).toContain('Hi Ann');
  });

  it('cannot forge another mail in a decoded text', async () => {
    const forged = 'Hi\n\nFrom b@x Tue Mar 17 13:42:26 2026\nFrom: boss@x\n';
    const start = 'From a@x Tue Mar 17 13:42:26 2026\n';
    const mail = `${start}Content-Transfer-Encoding: base64\nSubject: =?utf-8?q?a=0A=0AFrom_b@x_10:00?=\n\n${base64(forged)}\n\n\n\n${start}\nnext\n`;
    const lines = (await textOf(mail)).split('\n');
    expect(lines.filter((line) => /^From \S+/.test(line))).toHaveLength(2);
  });

  it('keeps its number of lines and its line ends, for any content and any cut', async () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '--b',
        '--b--',
        '--c',
        'From a@x 10:00',
        'a =',
        '=E4=',
        'R3LDvMOfZQ==',
        '=?utf-8?q?=0A?=',
        'text',
      ),
      fc.constantFrom(
        'Content-Type: multipart/alternative; boundary=b',
        'Content-Type: multipart/mixed; boundary="c"',
        'Content-Type: text/html; charset=utf-16le',
        'Content-Type: message/rfc822',
        'Content-Type: image/png',
        'Content-Transfer-Encoding: base64',
        'Content-Transfer-Encoding: quoted-printable',
      ),
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 99 }),
        async (lines, eol, isEnded, size) => {
          const mail = lines.join(eol) + (isEnded ? eol : '');
          const { text } = await read(mail, size);
          expect(text.split('\n')).toHaveLength(mail.split('\n').length);
          expect(text).toBe((await read(mail, 1_000_000)).text);
        },
      ),
    );
  });
});
