/** Creates journals in the form of `rlm ask`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CallRecord,
  type EndRecord,
  encodeRecord,
  type JournalRecord,
  journalVersion,
  type RunRecord,
  type SessionRecord,
} from '../../src/journal/journal.ts';
import type { Result } from '../../src/result.ts';
import type { TreeNode } from '../../src/state.ts';

export const runRecord = (changes: Partial<RunRecord> = {}): RunRecord => ({
  type: 'run',
  version: journalVersion,
  runId: '20261121T010842-3f9a2c',
  at: '2026-11-21T01:08:42.000Z',
  task: 'Why did the orders fail?',
  cwd: '/tmp',
  paths: ['build.log'],
  written: [],
  given: 0,
  documents: [{ name: 'logs/build.log', bytes: 1_200, hash: 'abc' }],
  provider: 'ollama',
  model: {
    model: 'llama',
    maxWindowTokens: 8_192,
    structuredOutput: true,
    answersWithoutText: true,
  } as RunRecord['model'],
  settings: { seed: 1 },
  flags: { 'budget.maxCalls': 3 },
  prompts: {},
  ...changes,
});

export const sessionRecord = (usedMs = 0): SessionRecord => ({
  type: 'session',
  at: '2026-11-21T01:08:43.000Z',
  usedMs,
});

export const callRecord = (place: string, changes: Partial<CallRecord> = {}): CallRecord => ({
  type: 'call',
  place,
  prompt: 'answer',
  hash: `hash of ${place}`,
  parts: {},
  question: `the question at ${place}`,
  text: `the reply at ${place}`,
  tokens: { input: 100, output: 10 },
  finish: 'stop',
  tries: 1,
  usedMs: 1_500,
  ...changes,
});

export const node = (changes: Partial<TreeNode> = {}): TreeNode => ({
  path: '0',
  question: 'Why did the orders fail?',
  depth: 0,
  status: 'answered',
  strategy: 'direct',
  strategyReason: 'the text fits',
  assessment: null,
  passages: [],
  searches: [],
  steps: [],
  answer: 'The pool ran out [P1].',
  tells: null,
  missing: [],
  citations: [],
  assumptions: [],
  children: [],
  certainty: null,
  calls: 1,
  cacheHits: 0,
  tokens: { input: 100, output: 10 },
  timeMs: 900,
  error: null,
  ...changes,
});

export const runResult = (changes: Partial<Result> = {}): Result => ({
  schemaVersion: 1,
  runId: '20261121T010842-3f9a2c',
  status: 'answered',
  task: 'Why did the orders fail?',
  answer: 'At noon the payments\npool ran out [1].',
  tells: null,
  missing: [],
  data: null,
  fieldCitations: null,
  confidence: 70,
  confidenceKind: 'evidence',
  confidenceReason: null,
  claims: [],
  contradictions: [],
  critique: null,
  citations: [],
  index: null,
  plan: null,
  ladder: [],
  recursionTree: node(),
  toolExecutions: [],
  usage: {
    embeddings: { requests: 0, tokens: 0, reused: 0 },
    calls: 3,
    subCalls: 1,
    failedCalls: 0,
    retries: 0,
    replayedCalls: 0,
    cacheHits: 2,
    tokens: { input: 300, output: 30, cacheRead: 0, cacheWritten: 0 },
    cost: 0.0125,
    models: [
      {
        provider: 'ollama',
        model: 'llama',
        calls: 3,
        tokens: { input: 300, output: 30, cacheRead: 0, cacheWritten: 0 },
        cost: 0.0125,
      },
    ],
    wallTimeMs: 2_400,
  },
  provider: 'ollama',
  model: 'llama',
  stopReason: 'completed',
  warnings: ['the window is small'],
  warningCodes: ['model'],
  resumable: false,
  error: null,
  ...changes,
});

export const endRecord = (changes: Partial<Result> = {}): EndRecord => ({
  type: 'end',
  at: '2026-11-21T01:08:45.000Z',
  usedMs: 2_400,
  result: runResult(changes),
});

/** Fields of the result of a run that a limit ended. */
export const limited: Partial<Result> = {
  status: 'partial',
  answer: null,
  resumable: true,
  stopReason: 'limit-calls',
  error: {
    code: 'limit-calls',
    message: 'the limit of 3 calls is reached',
    hint: 'Raise --max-calls.',
    retryable: false,
  },
};

/** Creates a journal of records. A string is written unchanged. */
const journalOf = (records: readonly (JournalRecord | string)[]): string =>
  records.map((record) => (typeof record === 'string' ? record : encodeRecord(record))).join('');

/** Writes a run to a state folder and returns the run's folder. */
export function writeRun(state: string, id: string, records: readonly (JournalRecord | string)[]): string {
  const folder = join(state, 'runs', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'journal.jsonl'), journalOf(records));
  return folder;
}
