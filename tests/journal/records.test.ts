import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from '../../src/journal/journal.ts';
import { callRecord, runRecord } from '../support/journals.ts';
import { anyRecord } from './arbitrary-records.ts';

const lineOf = (bytes: Buffer) => bytes.toString('utf8').slice(0, -1);

describe('a record as a line', () => {
  it('is JSON in one line, and is read back unchanged', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = encodeRecord(record);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(JSON.parse(line)).toMatchObject({ sum: expect.any(String), type: record.type });
        expect(decodeRecord(line.slice(0, -1))).toEqual(record);
      }),
    );
  });

  it('shows any byte that was changed', () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(), fc.integer({ min: 1, max: 255 }), (record, at, mask) => {
        const bytes = Buffer.from(encodeRecord(record));
        const index = at % (bytes.length - 1);
        const before = lineOf(bytes);
        bytes[index]! ^= mask;
        // Invalid UTF-8 bytes decode to the same character, so the text has not changed.
        if (lineOf(bytes) !== before) expect(decodeRecord(lineOf(bytes))).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('shows that part of it is missing', () => {
    const line = encodeRecord(callRecord('0 answer 1')).slice(0, -1);
    for (let length = 0; length < line.length; length++) expect(decodeRecord(line.slice(0, length))).toBeNull();
  });

  it('is damaged if it has another record’s words with its own sum', () => {
    const [one, other] = [encodeRecord(runRecord()), encodeRecord(callRecord('0 answer 1'))];
    expect(decodeRecord(one.slice(0, 17) + other.slice(17, -1))).toBeNull();
  });
});
