import { describe, expect, it } from 'vitest';
import { type DayOrder, readDay } from '../../../../src/context/tables/cells/days.ts';

const start = (text: string, order: DayOrder | null = null) => {
  const period = readDay(text, order);
  return period && new Date(period.startMs).toISOString().replace('.000Z', '');
};

describe('a cell that holds a day', () => {
  it.each<[string, DayOrder | null, string]>([
    ['2024-03-01', null, '2024-03-01T00:00:00'],
    ['2024/03/01', null, '2024-03-01T00:00:00'],
    ['2024-03-01T10:20:30Z', null, '2024-03-01T10:20:30'],
    ['2024-03-01 10:20', null, '2024-03-01T10:20:00'],
    ['2024-03-01T23:30:00+02:00', null, '2024-03-01T23:30:00'],
    ['1 Mar 2024', null, '2024-03-01T00:00:00'],
    ['March 1st, 2024', null, '2024-03-01T00:00:00'],
    ['25/12/2024', null, '2024-12-25T00:00:00'],
    ['12/25/2024', null, '2024-12-25T00:00:00'],
    ['03/04/2024', 'day first', '2024-04-03T00:00:00'],
    ['03/04/2024', 'month first', '2024-03-04T00:00:00'],
    ['03.04.2024', 'day first', '2024-04-03T00:00:00'],
  ])('%s (%s) is %s', (text, order, expected) => {
    expect(start(text, order)).toBe(expected);
  });

  it.each([
    '03/04/2024',
    '2024-02-30',
    '2024-13-01',
    '31/02/2024',
    'May',
    '12345678',
    '2024-03-01 25:00',
    'v2024.03.1-rc',
  ])('%s is none, or not for certain', (text) => {
    expect(start(text)).toBeNull();
  });
});
