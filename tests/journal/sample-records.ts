import fc from 'fast-check';
import type { CallRecord, JournalRecord, RunRecord } from '../../src/journal/records.ts';

/** The first record of a run. */
export const runRecord: RunRecord = {
  type: 'run',
  version: 1,
  runId: '20261121T010842-3f9a2c',
  at: '2026-11-21T01:08:42.000Z',
  task: 'Why “did” it fail?',
  cwd: '/work',
  paths: ['a.md'],
  written: [],
  given: 0,
  documents: [{ name: 'a.md', bytes: 12, hash: '0'.repeat(32) }],
  provider: 'ollama',
  model: {
    model: 'small',
    digest: null,
    maxWindowTokens: 4096,
    structuredOutput: true,
    answersWithoutText: true,
    callsAtOnce: 4,
    spends: 'tokens',
  } as unknown as RunRecord['model'],
  settings: { model: 'small' },
  flags: {},
  prompts: { answer: 'f'.repeat(32) },
};

/** A call at a place, with that text as its reply. */
export const callRecord = (place: string, text: string, usedMs = 10): CallRecord => ({
  type: 'call',
  place,
  prompt: 'answer',
  hash: '0123456789abcdef',
  parts: { question: 'ab' },
  question: 'Why?',
  text,
  tokens: { input: 3, output: 4 },
  finish: 'stop',
  tries: 1,
  usedMs,
});

const anyCall: fc.Arbitrary<JournalRecord> = fc
  .tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.nat())
  .map(([place, text, usedMs]) => callRecord(place, text, usedMs));

const anySession: fc.Arbitrary<JournalRecord> = fc
  .nat()
  .map((usedMs) => ({ type: 'session', at: '2026-11-21T01:08:42.000Z', usedMs }));

/** What may follow the first record. */
export const anyRecord: fc.Arbitrary<JournalRecord> = fc.oneof(anyCall, anySession);
