import { describe, expect, it } from 'vitest';
import { showDecimal } from '../../../../src/context/tables/cells/decimal.ts';
import { type DecimalMark, readAmount, tellMark } from '../../../../src/context/tables/cells/numbers.ts';

const shown = (text: string, mark: DecimalMark) => {
  const amount = readAmount(text, mark);
  return amount && [showDecimal(amount.value), amount.unit];
};

describe('a cell that holds a number', () => {
  it.each<[string, DecimalMark, string, string]>([
    ['12', '.', '12', ''],
    ['-3.50', '.', '-3.50', ''],
    ['1,234.50', '.', '1,234.50', ''],
    ['1.234,50', ',', '1,234.50', ''],
    ['1,234', '.', '1,234', ''],
    ['1,5', ',', '1.5', ''],
    ["1'234'567.8", '.', '1,234,567.8', ''],
    ['1 234 567', '.', '1,234,567', ''],
    ['$1,200.10', '.', '1,200.10', '$'],
    ['-$5', '.', '-5', '$'],
    ['$-5', '.', '-5', '$'],
    ['(3.20)', '.', '-3.20', ''],
    ['EUR 12.00', '.', '12.00', 'EUR'],
    ['12,50 €', ',', '12.50', '€'],
    ['12 %', '.', '12', '%'],
    ['350ms', '.', '350', 'ms'],
    ['1.5e3', '.', '1,500', ''],
    ['−4', '.', '-4', ''],
  ])('%s with %s is %s %s', (text, mark, value, unit) => {
    expect(shown(text, mark)).toEqual([value, unit]);
  });

  it.each<[string, DecimalMark]>([
    ['', '.'],
    ['abc', '.'],
    ['12,34', '.'],
    ['1,23,456', '.'],
    ['2024-03-01', '.'],
    ['10:30', '.'],
    ['A-12', '.'],
    ['12 of 40', '.'],
    ['192.168.0.1', '.'],
    ['(5', '.'],
  ])('%s with %s is none', (text, mark) => {
    expect(shown(text, mark)).toBeNull();
  });

  it.each<[string, DecimalMark | undefined]>([
    ['1.5', '.'],
    ['1,5', ','],
    ['1,234.50', '.'],
    ['1.234,50', ','],
    ['1,234', undefined],
    ['1.234', undefined],
    ['0.125', '.'],
    ['12', undefined],
  ])('%s tells the decimal mark %s', (text, mark) => {
    expect(tellMark(text)).toBe(mark);
  });
});
