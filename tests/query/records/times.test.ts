import { describe, expect, it } from 'vitest';
import { createTimeReader, timeOfEpoch } from '../../../src/query/records/times.ts';

describe('times', () => {
  it.each([
    ['2026-03-17T13:42:26Z rest', '2026-03-17T13:42:26.000Z', '2026-03-17T13:42:26Z'],
    ['[2026-03-17 13:42:26,5] rest', '2026-03-17T13:42:26.500Z', '2026-03-17 13:42:26,5'],
    ['2026-03-17T00:30:00.123456+05:30', '2026-03-16T19:00:00.123Z', '2026-03-17T00:30:00.123456+05:30'],
    ['2026/03/17 13:42', '2026-03-17T13:42:00.000Z', '2026/03/17 13:42'],
    ['2026-03-17 13:42:26.318 UTC [4]', '2026-03-17T13:42:26.318Z', '2026-03-17 13:42:26.318 UTC'],
    ['17/Mar/2026:23:42:26 -0100', '2026-03-18T00:42:26.000Z', '17/Mar/2026:23:42:26 -0100'],
    ['Tue Mar 17 13:42:26.103 2026', '2026-03-17T13:42:26.103Z', 'Tue Mar 17 13:42:26.103 2026'],
    ['Tue,  3 Mar 2026 13:42:26 +0100', '2026-03-03T12:42:26.000Z', 'Tue,  3 Mar 2026 13:42:26 +0100'],
    ['17.03.26, 13:42 - Ana', '2026-03-17T13:42:00.000Z', '17.03.26, 13:42'],
    ['3/17/2026, 1:42 PM - Ana', '2026-03-17T13:42:00.000Z', '3/17/2026, 1:42 PM'],
    ['(20260317T134226Z)', '2026-03-17T13:42:26.000Z', '20260317T134226Z'],
    ['2026-03-17 13:42:26 CET rest', '2026-03-17T12:42:26.000Z', '2026-03-17 13:42:26 CET'],
    ['[2026-03-17 13:42:26 EST] rest', '2026-03-17T18:42:26.000Z', '2026-03-17 13:42:26 EST'],
    ['Tue Mar 17 13:42:26 CET 2026 rest', '2026-03-17T12:42:26.000Z', 'Tue Mar 17 13:42:26 CET 2026'],
    ['2026-03-17 13:42:26 IST rest', '2026-03-17T13:42:26.000Z', '2026-03-17 13:42:26'],
    ['2026-03-17 13:42:26 WARN rest', '2026-03-17T13:42:26.000Z', '2026-03-17 13:42:26'],
    ['Mar  7 13:42:26 web', '2025-03-07T13:42:26.000Z', 'Mar  7 13:42:26'],
    ['03-17 13:42:26.103 D/x', '2025-03-17T13:42:26.103Z', '03-17 13:42:26.103'],
  ])('reads %j', (text, time, written) => {
    expect(createTimeReader(2025).read(text)).toMatchObject({ time, text: written });
  });

  it.each([
    '2026-13-17 10:00:00',
    '2026-02-30 10:00:00',
    '2026-03-17 25:00:00',
    '2026-03-17',
    '10:00:00',
    'at 2026-03-17 10:00:00',
    '1.2.3',
    '',
  ])('does not take %j for a time', (text) => {
    expect(createTimeReader(null).read(text)).toBeNull();
  });

  it('orders times of all formats as text', () => {
    const { read } = createTimeReader(null);
    const times = ['2026-03-17 10:00:00', '2026-03-17 10:00:00.5', '17/Mar/2026:10:00:01 +0000'].map(
      (text) => read(text)!.time,
    );
    expect(times.toSorted()).toEqual(times);
  });

  it('tells whether a year is missing', () => {
    const times = createTimeReader(null);
    expect(times.lacksYear()).toBe(false);
    expect(times.read('Feb 29 10:00:00')!.time).toBe('0000-02-29T10:00:00.000Z');
    expect(times.lacksYear()).toBe(true);
  });

  it('goes on into the next year where the months step back, and back for a line that is late', () => {
    const { read } = createTimeReader(2023);
    const times = ['Dec 31 23:59:59', 'Jan  1 00:00:01', 'Dec 31 23:59:58', 'Jan  1 00:00:02'];
    expect(times.map((text) => read(text)!.time.slice(0, 4))).toEqual(['2023', '2024', '2023', '2024']);
  });

  it.each([
    [1_773_748_800, '2026-03-17T12:00:00.000Z'],
    [1_773_748_800_500, '2026-03-17T12:00:00.500Z'],
    [1_773_748_800_123_456, '2026-03-17T12:00:00.123Z'],
    [12, null],
  ])('reads %d as a time since 1970', (value, time) => {
    expect(timeOfEpoch(value)).toBe(time);
  });
});
