import { describe, expect, it } from 'vitest';
import { readMoment, showDuration, sortByTime, withoutMoment } from '../../../src/context/order/moments.ts';

const iso = (line: string) => {
  const moment = readMoment(line);
  return moment === null ? null : new Date(moment.ms).toISOString();
};

describe('the time at the head of a line', () => {
  it.each([
    ['2026-03-17T13:42:26.022Z INFO started', '2026-03-17T13:42:26.022Z'],
    ['2026-03-17T13:42:26+02:00 INFO started', '2026-03-17T11:42:26.000Z'],
    ['[2026-03-17 13:42:26,5] started', '2026-03-17T13:42:26.500Z'],
    ['2026/03/17 13:42 started', '2026-03-17T13:42:00.000Z'],
    ['10.0.0.1 - - [17/Mar/2026:13:42:26 -0130] "GET / HTTP/1.1" 200', '2026-03-17T15:12:26.000Z'],
    ['{"time":"2026-03-17T13:42:26Z","level":"error"}', '2026-03-17T13:42:26.000Z'],
    ['Mar 17 13:42:26 host sshd[1]: started', '2000-03-17T13:42:26.000Z'],
    ['<34>Oct  1 03:02:06 host su: failed', '2000-10-01T03:02:06.000Z'],
  ])('of %s', (line, expected) => {
    expect(iso(line)).toBe(expected);
  });

  it.each([
    'no time here',
    '13:42:26 only a clock',
    '2026-13-45T13:42:26Z is no day',
    `${'word '.repeat(30)}2026-03-17T13:42:26Z`,
  ])('is not there: %s', (line) => {
    expect(iso(line)).toBeNull();
  });
});

describe('lines in the order of time', () => {
  const sorted = (texts: readonly string[]) =>
    sortByTime(texts.map((text) => ({ text, moment: readMoment(text)! }))).map(({ text }) => text);

  it('are put together from several forms, zones and logs without a year', () => {
    const late = '2026-03-17T15:00:00+02:00 c';
    const early = '17/Mar/2026:12:58:00 +0000 a';
    const syslog = 'Mar 17 12:59:00 host b';
    expect(sorted([late, syslog, early])).toEqual([early, syslog, late]);
  });

  it('keep their own order at the same time', () => {
    expect(sorted(['2026-03-17T13:00:00Z x', '2026-03-17 13:00:00 y'])).toEqual([
      '2026-03-17T13:00:00Z x',
      '2026-03-17 13:00:00 y',
    ]);
  });
});

describe('a length of time', () => {
  it.each([
    [0, '0 s'],
    [1_250, '1.25 s'],
    [3_866_193, '1 h 4 min 26 s'],
    [7_200_000, '2 h'],
    [90_061_000, '1 d 1 h 1 min 1 s'],
  ])('of %d ms', (ms, shown) => {
    expect(showDuration(ms)).toBe(shown);
  });
});

describe('a line without the time at its head', () => {
  it.each([
    ['[2026-02-09 09:27:10] sam: batch of 10', '[ ] sam: batch of 10'],
    ['Mar 17 13:42:26 host sshd: closed', '  host sshd: closed'],
    ['10 at 09:27', '10 at 09:27'],
  ])('%s', (line, rest) => expect(withoutMoment(line)).toBe(rest));
});
