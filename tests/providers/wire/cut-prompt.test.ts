import { describe, expect, test } from 'vitest';
import { looksCut } from '../../../src/providers/wire/cut-prompt.ts';

const ascii = (length: number) => ({ characters: length, bytes: length });

describe('looksCut', () => {
  test.each([
    ['a count of the whole window', ascii(20_000), 4096, 4096, true],
    ['one token less', ascii(20_000), 4095, 4096, true],
    ['the whole window, of dense text', ascii(9000), 4096, 4096, true],
    ['most messages dropped', ascii(60_000), 300, 8192, true],
    ['half the window left', ascii(60_000), 4098, 8192, true],
    ['ordinary text', ascii(20_000), 5000, 8192, false],
    ['code, with few characters a token', ascii(20_000), 7900, 8192, false],
    ['Hindi, with many bytes a token', { characters: 20_000, bytes: 55_000 }, 5600, 8192, false],
    ['cached tokens left out of the count', ascii(30_000), 40, 8192, false],
    ['a negative count', ascii(60_000), -5, 8192, false],
    ['a larger window than was asked for', ascii(60_000), 15_000, 8192, false],
  ])('%s', (_what, size, counted, window, cut) => {
    expect(looksCut(size, counted, window)).toBe(cut);
  });
});
