import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from '../../../src/tools/calculate/tool.ts';
import type { ToolWorld } from '../../../src/tools/tool.ts';
import { ToolError } from '../../../src/tools/tool-error.ts';

const world = { bounds: { characters: 20_000, lines: 200 } } as ToolWorld;

const result = (expression: string): Promise<string> => calculate.run({ expression }, world);

describe('calculate', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2^-3', '0.125'],
    ['10 - 3 - 2', '5'],
    ['0.1 + 0.2', '0.3'],
    ['0.1 + 0.2 = 0.3', 'true'],
    ['9007199254740993 + 1', '9007199254740994'],
    ['1/3', '1/3 ≈ 0.33333333333333333333'],
    ['-2/3', '-2/3 ≈ -0.66666666666666666667'],
    ['7 % 3', '1'],
    ['mod(-7, 3)', '2'],
    ['15% of 80', '12'],
    ['50% * 3', '1.5'],
    ['1_000 × 3 ÷ 2', '1500'],
    ['2.5e3', '2500'],
    ['3 > 2', 'true'],
    ['1/3 >= 0.33334', 'false'],
    ['4/3', '4/3 ≈ 1.33333333333333333333'],
    ['-10/99', '-10/99 ≈ -0.10101010101010101010'],
    ['(-2/3)^-3', '-3.375'],
    ['7^0', '1'],
    ['round(-12350, -2)', '-12400'],
    ['weekday(2024-02-29) = weekday(2024-03-07)', 'true'],
    ['[1/2, 2024-01-31, 3 days]', '[0.5, 2024-01-31, 3 days]'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.5)', '-3'],
    ['round(12345, -2)', '12300'],
    ['floor(-1.5)', '-2'],
    ['ceil(-1.5)', '-1'],
    ['abs(-3)', '3'],
    ['sum(1, [2, 3.5])', '6.5'],
    ['mean(1, 2, 6)', '3'],
    ['median(3, 1, 2, 10)', '2.5'],
    ['min(3, -1) + max(3, -1)', '2'],
    ['count(5, 5, 5)', '3'],
  ])('computes %s exactly', async (expression, expected) => {
    expect(await result(expression)).toBe(expected);
  });

  it.each([
    ['2024-03-01 - 2024-01-01', '60 days'],
    ['2023-03-01 - 2023-01-01', '59 days'],
    ['2024-01-31 + 1 month', '2024-02-29'],
    ['2024-02-29 + 1 year', '2025-02-28'],
    ['2024-03-31 - 1 month', '2024-02-29'],
    ['(2024-12-24 - 2024-03-01) in days', '298'],
    ['2024-01-01T10:00+02:00 + 90 minutes', '2024-01-01T09:30:00Z'],
    ['(2024-03-10T12:30 - 2024-03-09T00:00) in hours', '36.5'],
    ['weekday(2024-02-29)', 'Thursday'],
    ['weekday(1969-07-20)', 'Sunday'],
    ['2024-02-01 < 2024-02-02', 'true'],
    ['90 min in hours', '1.5'],
    ['3 days + 4 hours', '3 days 4 hours'],
    ['2 * 36 hours', '3 days'],
    ['sum(1 hour, 15 min, 45 min)', '2 hours'],
    ['2 years in months', '24'],
    ['0001-01-01 + 1 day', '0001-01-02'],
  ])('computes dates and durations: %s', async (expression, expected) => {
    expect(await result(expression)).toBe(expected);
  });

  it.each([
    ['1/0', 'division by 0'],
    ['10 % -3', 'mod(a, b)'],
    ['1,234 + 1', 'without commas'],
    ['(1,234)', 'without commas'],
    ['2024-13-01', 'there is no date'],
    ['2023-02-29 + 1 day', 'there is no date'],
    ['today + 3 days', 'write a date'],
    ['1 month in days', 'no fixed length'],
    ['1 day + 2', 'means nothing'],
    ['2^0.5', 'whole number'],
    ['0^-1', 'division by 0'],
    ['(15/14)^33000', 'too large'],
    ['9^999999999', 'too large'],
    ['1e99999', 'too many digits'],
    ['9999-12-31 + 1 day', 'to 9999'],
    ['text', 'no value'],
    ['sqrt(2)', 'no function'],
    ['sum()', 'at least one'],
    ['-2024-01-01', '- before a date'],
    ['[1] = [1]', 'cannot be compared'],
    ['round(1, 2, 3)', '1 to 2 values'],
    ['2024-01-01 + 0.5 months', 'whole months'],
    ['2024-01-01 + 1e30 years', 'to 9999'],
    ['2024-01-01T24:00', 'there is no date'],
    ['90 min in hours in days', 'needs a duration'],
    ['process.exit()', 'means nothing'],
    ['constructor(1)', 'no function'],
    ['__proto__', 'no value'],
    ['toString()', 'no function'],
    ['1 < 2 < 3', 'only two'],
    [`${'('.repeat(150)}1`, 'nested'],
    ['-'.repeat(19_000), 'a value is missing'],
    [Array.from({ length: 3_000 }, (_, at) => `1/${at + 1}`).join('+'), 'too long'],
    [`[${'(2/3)^19000,'.repeat(1_000)}1]`, 'too long'],
    [`2024-01-01${' + (2/3)^9000 * 1 s + (5/7)^9000 * 1 s'.repeat(400)}`, 'too l'],
  ])('says what is wrong: %s', async (expression, words) => {
    const failure = await result(expression).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolError);
    expect((failure as ToolError).message).toContain(words);
  });

  it('refuses a result that is too long to be shown', async () => {
    const small = { bounds: { characters: 200, lines: 5 } } as ToolWorld;
    await expect(calculate.run({ expression: '7^1000' }, small)).rejects.toThrow('846 characters');
  });
});

/** Computes a fraction by other means than the tool. */
interface Fraction {
  readonly text: string;
  readonly n: bigint;
  readonly d: bigint;
}

const integer = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((n): Fraction => ({ text: `(${n})`, n, d: 1n }));

const { tree } = fc.letrec<{ tree: Fraction }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    integer,
    fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(combine),
  ),
}));

function combine([a, sign, b]: [Fraction, string, Fraction]): Fraction {
  const text = `(${a.text} ${sign} ${b.text})`;
  if (sign === '*') return { text, n: a.n * b.n, d: a.d * b.d };
  // A zero denominator stays zero, whatever it is divided by.
  if (sign === '/') return { text, n: b.d === 0n ? 0n : a.n * b.d, d: b.d === 0n ? 0n : a.d * b.n };
  return { text, n: sign === '+' ? a.n * b.d + b.n * a.d : a.n * b.d - b.n * a.d, d: a.d * b.d };
}

describe('any arithmetic', () => {
  it('gives the same results as fractions of whole numbers', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async ({ text, n, d }) => {
        if (d === 0n) await expect(result(text)).rejects.toThrow('division by 0');
        else expect(await result(`${text} * (${d}) = (${n})`)).toBe('true');
      }),
      { numRuns: 200 },
    );
  });

  it('rounds to the nearest, halves away from 0', async () => {
    const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    await fc.assert(
      fc.asyncProperty(whole, fc.bigInt({ min: 1n, max: 10n ** 10n }), async (n, d) => {
        const rounded = BigInt(await result(`round((${n}) / ${d})`));
        const [size, off] = [n < 0n ? -n : n, rounded < 0n ? -rounded : rounded];
        expect(2n * size >= (2n * off - 1n) * d && 2n * size < (2n * off + 1n) * d).toBe(true);
      }),
    );
  });

  it('counts days as the calendar does', async () => {
    const day = fc.integer({ min: -719_000, max: 2_900_000 }).map((days) => new Date(days * 86_400_000));
    const iso = (date: Date) => date.toISOString().slice(0, 10);
    await fc.assert(
      fc.asyncProperty(day, day, async (a, b) => {
        const days = (a.getTime() - b.getTime()) / 86_400_000;
        expect(await result(`(${iso(a)} - ${iso(b)}) in days`)).toBe(String(days));
        expect(await result(`${iso(b)} + (${days}) days`)).toBe(iso(a));
      }),
    );
  });

  it('describes the error of any other input', async () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('(', ')', '2', '3 days', '2024-01-01', '%', '+', '-', '^', ',', 'sum(', 'in', '"', ' '),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const failure = await result(pieces.join('') || '1').catch((error: unknown) => error);
        expect(typeof failure === 'string' || failure instanceof ToolError).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
