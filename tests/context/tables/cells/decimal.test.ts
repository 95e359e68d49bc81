import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, divide, readDecimal, showDecimal, zero } from '../../../../src/context/tables/cells/decimal.ts';

const decimals = fc.record({ units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), scale: fc.nat(12) });

/** The number at 12 digits, as a plain big integer. */
const at12 = ({ units, scale }: { units: bigint; scale: number }) => units * 10n ** BigInt(12 - scale);

describe('a decimal', () => {
  it.each([
    ['0.1', '0.1'],
    ['-12.50', '-12.50'],
    ['1234567.891', '1,234,567.891'],
    ['.5', '0.5'],
    ['1.2e3', '1,200'],
    ['5e-3', '0.005'],
    ['-0.04', '-0.04'],
    ['12345678901234567890', '12,345,678,901,234,567,890'],
  ])('%s is shown as %s', (text, shown) => {
    expect(showDecimal(readDecimal(text)!)).toBe(shown);
  });

  it.each(['', '.', '-', '1.2.3', 'abc', '1e999', '0x10'])('%s is none', (text) => {
    expect(readDecimal(text)).toBeNull();
  });

  it('adds money to the cent', () => {
    const sum = ['0.10', '0.20', '1999.99', '-0.29'].map((one) => readDecimal(one)!).reduce(add, zero);
    expect(showDecimal(sum)).toBe('2,000.00');
  });

  it('adds as big integers do, in any order', () => {
    fc.assert(
      fc.property(fc.array(decimals, { maxLength: 50 }), (all) => {
        const expected = all.reduce((sum, one) => sum + at12(one), 0n);
        expect(at12(all.reduce(add, zero))).toBe(expected);
        expect(at12(all.toReversed().reduce(add, zero))).toBe(expected);
      }),
    );
  });

  it('compares as big integers do', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const difference = at12(a) - at12(b);
        expect(Math.sign(compare(a, b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  it('divides to within half of the last of two more digits, and says whether that is exact', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 1, max: 1_000_000 }), (one, count) => {
        const { quotient, isExact } = divide(one, count);
        const scale = one.scale + 2;
        const units = quotient.units * 10n ** BigInt(scale - quotient.scale);
        const error = units * BigInt(count) - one.units * 100n;
        expect((error < 0n ? -error : error) * 2n).toBeLessThanOrEqual(BigInt(count));
        expect(isExact).toBe(error === 0n);
      }),
    );
  });
});
