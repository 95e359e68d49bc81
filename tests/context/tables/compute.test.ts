import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divide, showDecimal } from '../../../src/context/tables/cells/decimal.ts';
import type { GroupResult } from '../../../src/context/tables/compute.ts';
import { compute } from './support.ts';

const one = async (question: string, text: string, name = 'sales.csv') =>
  (await compute(question, { [name]: text }))[0]!;

const shown = ({ key, unit, rows, sum }: GroupResult) => [key, `${showDecimal(sum)}${unit}`, rows];

const cents = fc.integer({ min: -1_000_000, max: 1_000_000_000 });
const money = (value: number) =>
  `${value < 0 ? '-' : ''}${Math.trunc(Math.abs(value) / 100)}.${String(Math.abs(value) % 100).padStart(2, '0')}`;

describe('computing a table', () => {
  it('adds money exactly, by group, as big integers do', async () => {
    const rows = fc.array(fc.tuple(fc.constantFrom('Ann', 'Bob', 'Cid'), cents), { minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const text = `seller,amount\n${all.map(([seller, value]) => `${seller},${money(value)}\n`).join('')}`;
        const { result } = await one('total amount by seller', text);
        const expected = new Map<string, bigint>();
        for (const [seller, value] of all) expected.set(seller, (expected.get(seller) ?? 0n) + BigInt(value));
        const found = new Map(result.groups.map(({ key, sum }) => [key, sum.units * 10n ** BigInt(2 - sum.scale)]));
        expect(found).toEqual(expected);
        expect(result.rowsSeen).toBe(all.length);
      }),
      { numRuns: 40 },
    );
  });

  it('states a mean with two more digits than its numbers', async () => {
    const { result } = await one('average amount', 'sale,amount\n1,0.10\n2,0.20\n3,0.20\n');
    const [{ sum, rows }] = result.groups as [GroupResult];
    expect(showDecimal(divide(sum, rows).quotient)).toBe('0.1667');
  });

  it('never adds amounts in two currencies', async () => {
    const text = 'sale,amount\n1,$5.00\n2,€7.00\n3,$1.50\n4,(0.50)\n5,9.00\n';
    const { result } = await one('total amount', text);
    expect(result.groups.map(shown)).toEqual([
      [null, '6.50$', 2],
      [null, '7.00€', 1],
      [null, '8.50', 2],
    ]);
  });

  it('leaves no row out silently', async () => {
    const text =
      'id,amount,day\n1,5,2024-01-01\n2,,2024-01-02\n3,n/a,2024-01-03\n4,much,2024-01-04\n5,7,soon\n6,1,2,3,4\n7,2,2024-01-05\n8,3,2024-01-06\n9,4,2024-01-07\n10,5,2024-01-08\n';
    const { result } = await one('sum of amount in January 2024', text);
    expect(result.leftOut).toEqual([
      { why: 'without amount', rows: 2, example: null },
      { why: 'whose amount is no number', rows: 1, example: 'much' },
      { why: 'whose day is no date', rows: 1, example: 'soon' },
      { why: 'with more fields than the header', rows: 1, example: null },
    ]);
    const out = result.leftOut.reduce((sum, { rows }) => sum + rows, 0);
    expect(out + result.groups[0]!.rows).toBe(result.rowsSeen);
  });

  it('compares numbers in their units', async () => {
    const text = 'id,took,x\n1,350 ms,a\n2,1.2 s,a\n3,90 ms,a\n4,2 min,a\n5,5 kg,a\n';
    const { result } = await one('how many rows took longer than 1 s', text, 'rows.csv');
    expect(result.groups[0]!.rows).toBe(2);
    expect(result.leftOut).toEqual([{ why: 'whose took has another unit', rows: 1, example: '5 kg' }]);
  });

  it('reads decimal commas where the column shows them', async () => {
    const text = 'Name;Salary;Start\nAna;3.450,50;03.01.2020\nBob;5.100,00;14.02.2019\nCleo;4.800,75;01.07.2021\n';
    const { result } = await one('total salary of rows with a start after 2019-12-31', text);
    expect(result.groups.map(shown)).toEqual([[null, '8,251.25', 2]]);
  });

  it('joins documents with the same columns, and states the rows of each', async () => {
    const texts = {
      'jan.csv': 'customer,amount\nAcme,1.10\nGlobex,2\n',
      'feb.csv': 'amount,customer\n3.30,acme\n',
      'notes.md': 'Acme, 5',
    };
    const [first] = await compute('total amount for Acme', texts);
    expect(first!.result.groups.map(shown)).toEqual([[null, '4.40', 2]]);
    expect([...first!.result.byDocument]).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it('ranks rows and groups, with those that share the first place', async () => {
    const text = 'player,team,points\nA,red,3\nB,blue,9\nC,red,9\nD,blue,1\nE,green,10\nF,green,2\n';
    const highest = await one('the 2 highest points', text, 'players.csv');
    expect(highest.result.groups[0]!.extremes.map(({ cell }) => cell)).toEqual(['10', '9']);
    const lowest = await one('lowest points', text, 'players.csv');
    expect(lowest.result.groups[0]).toMatchObject({ extremes: [{ cell: '1' }], ties: 1 });
    const teams = await one('which team has the most players?', text, 'players.csv');
    expect(teams.result.groups.map(({ key, rows }) => [key, rows])).toEqual([
      ['red', 2],
      ['blue', 2],
      ['green', 2],
    ]);
  });
});
