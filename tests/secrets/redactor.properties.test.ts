import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/secrets/redactor.ts';

const secretText = fc.oneof(
  fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' }),
  fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }),
  fc.base64String({ minLength: 8, maxLength: 60 }),
);
const surrounding = fc.string({ maxLength: 40, unit: 'grapheme-ascii' });

const hexOf = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** Forms of a secret that other programs write. The list was written without looking at the source. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  jsonInJson: (secret) => JSON.stringify(JSON.stringify(secret)),
  encodeURI: (secret) => encodeURI(secret),
  encodeURIComponent: (secret) => encodeURIComponent(secret),
  pathEncoded: (secret) =>
    encodeURIComponent(secret)
      .replace(/[!'()*]/g, hexOf)
      .replaceAll('%2F', '/'),
  quotesEncoded: (secret) => secret.replace(/["<>\\]/g, hexOf),
  formEncoded: (secret) => new URLSearchParams({ q: secret }).toString().slice(2),
  everyByteEncoded: (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  basicAuth: (secret) => Buffer.from(`user:${secret}`).toString('base64'),
  base64InUrl: (secret) => encodeURIComponent(Buffer.from(secret).toString('base64')),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  xml: (secret) => secret.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;'),
};

/** Returns the forms that a text contains, except the one with a user, which is only there to be redacted. */
const found = (text: string, secret: string) =>
  Object.entries(forms).filter(([name, form]) => name !== 'basicAuth' && text.includes(form(secret)));

describe('for any secret and surroundings', () => {
  it.each(Object.keys(forms))('as %s it is not found afterwards', (name) => {
    fc.assert(
      fc.property(secretText, surrounding, surrounding, (secret, before, after) => {
        const text = `${before}${forms[name]!(secret)}${after}`;
        const redacted = createRedactor([secret]).text(text);
        expect(redacted).toContain('[secret]');
        expect(found(redacted, secret)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('it is not found in the base64 of a longer text', () => {
    fc.assert(
      fc.property(
        secretText,
        fc.uint8Array({ maxLength: 9 }),
        fc.uint8Array({ maxLength: 9 }),
        (secret, before, after) => {
          const bytes = Buffer.concat([before, Buffer.from(secret), after]);
          const redacted = createRedactor([secret]).text(bytes.toString('base64'));
          expect(redacted).toContain('[secret]');
          const rest = redacted.split('[secret]').map((part) => Buffer.from(part, 'base64').length);
          expect(rest.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(before.length + after.length + 2);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('finds the same as a separate search for each of many secrets', () => {
    const some = fc.array(fc.string({ minLength: 8, maxLength: 12, unit: fc.constantFrom('a', 'b') }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(some, fc.string({ maxLength: 200, unit: fc.constantFrom('a', 'b') }), (secrets, text) => {
        const redacted = createRedactor(secrets).text(text);
        expect(redacted.includes('[secret]')).toBe(secrets.some((secret) => text.includes(secret)));
        expect(secrets.filter((secret) => redacted.includes(secret))).toEqual([]);
      }),
    );
  });
});

it('a value without secrets is returned unchanged', () => {
  const redactor = createRedactor(['not-in-any-value-1', 'not-in-any-value-2']);
  fc.assert(fc.property(fc.jsonValue(), (value) => Object.is(redactor.value(value), value)));
});
