import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { createRedactor } from '../../src/secrets/redactor.ts';

const secret = 'tok-5f/Qz+9&w~R7';
const redactor = createRedactor([secret]);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a redactor', () => {
  it.each([
    ['plain', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in small letters', encodeURIComponent(secret).toLowerCase().replace('qz', 'Qz').replace('r7', 'R7')],
    ['URL-encoded in part', secret.replace('5', '%35').replace('/', '%2f')],
    ['in JSON as Go writes it', secret.replace('&', '\\u0026')],
    ['in JSON with its slashes escaped', secret.replace('/', '\\/')],
    ['in JSON with any character escaped', secret.replace('t', '\\u0074').replace('9', '\\u0039')],
    ['in XML', secret.replace('&', '&amp;')],
    ['in HTML with its slashes escaped', secret.replace('&', '&amp;').replace('/', '&#x2F;')],
    ['in HTML with any character escaped', secret.replace('&', '&#x26;').replace('t', '&#116;')],
    ['in XML in JSON as Go writes it', secret.replace('&', '\\u0026amp;')],
    ['base64', base64(secret)],
    ['base64 without padding', base64(secret).replace(/=+$/, '')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['hex', Buffer.from(secret).toString('hex')],
    ['hex in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
  ])('removes it: %s', (_, form) => {
    expect(redactor.text(`before ${form} after`)).toBe('before [secret] after');
  });

  it.each(['', 'u', 'me', 'abc'])('removes it from longer base64, after "%s"', (user) => {
    const text = redactor.text(base64(`${user}:${secret}:${user}`));
    expect(text).toContain('[secret]');
    expect(Buffer.from(text.replace('[secret]', ''), 'base64').toString('latin1')).not.toMatch(/5f|Qz|9&w/);
  });

  it('removes it from XML with each sign escaped', () => {
    const marked = createRedactor(['p&ss<word>1"x\'y']);
    for (const apostrophe of ['&apos;', '&#39;', '&#x27;'])
      for (const quote of ['&quot;', '&#34;', '&#x22;'])
        expect(marked.text(`<p>p&amp;ss&lt;word&gt;1${quote}x${apostrophe}y</p>`)).toBe('<p>[secret]</p>');
  });

  it('removes it from JSON whose quotation marks and letters are written as numbers', () => {
    const { text } = createRedactor(['pass"wörd"1']);
    expect(text('{"key":"pass\\u0022wörd\\u00221"}')).toBe('{"key":"[secret]"}');
    expect(text('{"key":"pass\\"w\\u00F6rd\\"1"}')).toBe('{"key":"[secret]"}');
  });

  it.each([
    ['tiger"stripe99', 'tiger""stripe99'],
    ['tiger"stripe99', '{"row":"cellar,\\"tiger\\"\\"stripe99\\""}'],
    ["tiger'stripe99", "name = 'tiger''stripe99'"],
    ['Grüße-vom-Berg', 'Gr&#252;&#223;e-vom-Berg'],
    ['Grüße-vom-Berg', 'Gr&#xFC;&#xdf;e-vom-Berg'],
    ['Grüße/vom"Berg', 'Gr\\u00fc\\u00dfe\\/vom\\"Berg'],
    ['pass 😀 word', 'pass &#x1F600; word'],
    ['p$ss&w*rd_9', 'p\\$ss\\&w\\*rd_9'],
    ['p$ss&w*rd_9', 'p$ss&w\\*rd\\_9'],
    ['wJal/K7&bPx"stripe', 'payload={\\"secret\\":\\"wJal\\\\/K7\\u0026bPx\\\\\\"stripe\\"}'],
    ['wJal/K7&bPx"stripe', JSON.stringify(JSON.stringify(JSON.stringify('wJal/K7&bPx"stripe')))],
  ])('removes %s as CSV, SQL, XML, JSON, a shell or Markdown write it: %s', (secret, written) => {
    const shown = createRedactor([secret]).text(`see ${written} here`);
    expect(shown).toContain('[secret]');
    for (const part of ['stripe', 'Berg', 'word', 'rd']) expect(shown).not.toContain(part);
  });

  it('leaves the JSON around a secret valid, although the secret is escaped twice', () => {
    const inner = '{"secret":"wJal\\/K7\\u0026bPx","path":"C:\\\\x"}';
    const redacted = createRedactor(['wJal/K7&bPx']).text(JSON.stringify({ text: inner }));
    expect(JSON.parse(JSON.parse(redacted).text)).toEqual({ secret: '[secret]', path: 'C:\\x' });
  });

  it('leaves nothing of secrets that overlap', () => {
    const both = createRedactor(['abcdefgh1234', '1234ijklmnop']);
    expect(both.text('<abcdefgh1234ijklmnop>')).toBe('<[secret]>');
  });

  it('removes the longer of two secrets with the same beginning', () => {
    expect(createRedactor(['abcdefgh', 'abcdefgh-long']).text('abcdefgh-long')).toBe('[secret]');
  });

  it('reads an escaped backslash like JSON', () => {
    const text = JSON.stringify({ path: 'C:\\u0074emp', also: secret.replace('t', '%74') });
    expect(JSON.parse(redactor.text(text))).toEqual({ path: 'C:\\u0074emp', also: '[secret]' });
  });

  it('redacts every string in plain data, and returns the rest unchanged', () => {
    const clean = { list: ['a', 1, null], bytes: new Uint8Array(2) };
    const value = { clean, dirty: [{ quote: `"${secret}"` }], missing: undefined };
    const redacted = redactor.value(value);
    expect(redacted).toEqual({ clean, dirty: [{ quote: '"[secret]"' }], missing: undefined });
    expect(redacted.clean).toBe(clean);
    expect(redactor.value(clean)).toBe(clean);
  });

  it('redacts an error with its hint and its causes, and keeps its other fields', () => {
    const cause = Object.assign(new TypeError(`connect ${secret}`), { code: 'ECONNRESET' });
    const error = new RlmError('rate-limited', `said ${secret}`, {
      hint: secret,
      cause,
      transient: true,
      retryAfterMs: 5,
    });
    const redacted = redactor.thrown(error);
    expect(redacted).toBeInstanceOf(RlmError);
    expect(redacted).toMatchObject({ code: 'rate-limited', message: 'said [secret]', hint: '[secret]' });
    expect(redacted).toMatchObject({ transient: true, retryAfterMs: 5, cause: { name: 'TypeError' } });
    const { stack, cause: why } = redacted;
    expect([stack, (why as Error).message, (why as Error).stack].join('\n')).not.toContain(secret);
  });

  it('returns an error without secrets unchanged', () => {
    const error = new RlmError('usage', 'nothing in it', { cause: new Error('nor here') });
    expect(redactor.thrown(error)).toBe(error);
  });

  it('without secrets changes nothing', () => {
    const value = { text: 'any' };
    const none = createRedactor([]);
    expect(none.isIdle).toBe(true);
    expect(none.value(value)).toBe(value);
  });
});
