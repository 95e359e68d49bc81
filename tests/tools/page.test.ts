import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from '../../src/base/text.ts';
import { cutAround } from '../../src/tools/page.ts';

const texts = fc.array(fc.constantFrom('a', 'b ', '😀'), { maxLength: 40 }).map((parts) => parts.join(''));

it('cuts a text to about its limit, and splits no character', () => {
  fc.assert(
    fc.property(texts, texts, texts, fc.integer({ min: 2, max: 60 }), (before, match, after, most) => {
      const text = `${before}${match}${after}`;
      const range = { start: before.length, end: before.length + match.length };
      for (const cut of [cutText(text, most), cutAround(text, range, most)]) {
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(most + 1);
        expect(text).toContain(cut.replace(/^…|…$/g, ''));
      }
      if (match.length + 2 <= most / 2) expect(cutAround(text, range, most)).toContain(match);
    }),
  );
  expect(cutAround('0123456789', { start: 9, end: 10 }, 5)).toBe('…56789');
});
