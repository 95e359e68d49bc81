import fc from 'fast-check';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { callRecord, sessionRecord } from '../support/journals.ts';

const anyCall: fc.Arbitrary<JournalRecord> = fc
  .tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.nat())
  .map(([place, text, usedMs]) => callRecord(place, { text, usedMs }));

/** Generates the records that may follow the first one. */
export const anyRecord: fc.Arbitrary<JournalRecord> = fc.oneof(anyCall, fc.nat().map(sessionRecord));
