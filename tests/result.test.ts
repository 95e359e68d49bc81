import { describe, expect, it } from 'vitest';
import { errorCodes, RlmError } from '../src/errors.ts';
import { applyThresholds, exitCodeOf, failedResult, type Result, toResult } from '../src/result.ts';
import type { Formed, TreeNode } from '../src/state.ts';

const facts = {
  runId: 'r',
  provider: 'scripted',
  model: 'm',
  usage: failedResult('', new RlmError('usage', 'x')).usage,
  index: null,
  isRecorded: false,
  warnings: [{ code: 'cost' as const, message: 'w' }],
  stopped: null,
};

const tree = (changes: Partial<TreeNode> = {}) => ({ path: '0', error: null, ...changes }) as TreeNode;
const info = (code: keyof typeof errorCodes) => new RlmError(code, 'x').toInfo();

const state = (changes: Partial<Formed> = {}): Formed => ({
  task: 'Why?',
  earlier: [],
  documents: [],
  plan: {
    madeBy: 'code',
    approach: 'direct',
    reason: '',
    taskDecomposition: [],
    keyQuestions: [],
    requiredInformation: [],
    successCriteria: [],
  },
  context: [],
  solution: 'So.',
  read: [],
  ladder: [],
  citations: [],
  recursionTree: tree(),
  form: null,
  critique: null,
  claims: [],
  contradictions: [],
  confidenceReason: null,
  confidence: 60,
  confidenceKind: 'evidence',
  ...changes,
});

describe('the result of a run', () => {
  it('has every field, and no others', () => {
    const fields = [
      'answer',
      'citations',
      'claims',
      'confidence',
      'confidenceKind',
      'confidenceReason',
      'contradictions',
      'critique',
      'data',
      'error',
      'fieldCitations',
      'index',
      'ladder',
      'missing',
      'model',
      'plan',
      'provider',
      'recursionTree',
      'resumable',
      'runId',
      'schemaVersion',
      'status',
      'stopReason',
      'task',
      'tells',
      'toolExecutions',
      'usage',
      'warningCodes',
      'warnings',
    ];
    expect(Object.keys(toResult(state(), facts)).sort()).toEqual(fields);
    expect(
      Object.keys(
        toResult({ state: { task: 'Why?', earlier: [], documents: [] }, stopped: info('interrupted') }, facts),
      ).sort(),
    ).toEqual(fields);
    expect(Object.keys(failedResult('Why?', new RlmError('usage', 'x'))).sort()).toEqual(fields);
  });

  it.each([
    ['a whole answer', state(), null, 'answered', 0],
    [
      'an answer in spite of a part that failed',
      state({ recursionTree: tree({ error: info('provider-failed') }) }),
      null,
      'partial',
      5,
    ],
    ['an answer and a limit', state(), info('limit-calls'), 'partial', 6],
    [
      'a limit and no answer',
      state({ solution: null, recursionTree: tree({ error: info('limit-time') }) }),
      null,
      'partial',
      6,
    ],
    [
      'a failure and no answer',
      state({ solution: null, recursionTree: tree({ error: info('reply-unusable') }) }),
      null,
      'failed',
      5,
    ],
    ['an answer and Ctrl-C', state(), info('interrupted'), 'cancelled', 130],
    [
      'a stop in the first stage',
      { state: { task: 'Why?', earlier: [], documents: [] }, stopped: info('limit-calls') },
      null,
      'partial',
      6,
    ],
  ] as const)('%s', (_, outcome, stopped, status, exit) => {
    const result = toResult(outcome, { ...facts, stopped });
    expect(result.status).toBe(status);
    expect(exitCodeOf(result)).toBe(exit);
    expect(result.stopReason).toBe(result.error?.code ?? 'completed');
  });

  it.each(Object.entries(errorCodes))(
    'that could not begin, with %s, has its exit code',
    (code, { exit, retryable }) => {
      const result = failedResult('Why?', new RlmError(code as keyof typeof errorCodes, 'x', { hint: 'h' }));
      expect(exitCodeOf(result)).toBe(exit);
      expect(result).toMatchObject({
        status: exit > 128 ? 'cancelled' : exit === 6 ? 'partial' : 'failed',
        answer: null,
        runId: null,
        error: { code, message: 'x', hint: 'h', retryable },
      });
    },
  );
});

describe('an answer compared with thresholds', () => {
  const result = (changes: Partial<Result> = {}) => ({ ...toResult(state(), facts), ...changes });

  it.each([
    [60, 60],
    [60, null],
    [null, null],
    [0, 0],
  ])('with %j passes %j', (confidence, bar) => {
    expect(applyThresholds(result({ confidence }), { minConfidence: bar, failOn: null })).toEqual(
      result({ confidence }),
    );
  });

  it.each([
    [59, 60, 'the confidence is 59; at least 60 is required'],
    [null, 0, 'the confidence is unknown, as there is no evidence; at least 0 is required'],
  ])('with %j is below %j: it is kept, with an error and exit code 7', (confidence, bar, message) => {
    const held = applyThresholds(result({ confidence }), { minConfidence: bar, failOn: null });
    expect(held).toMatchObject({
      status: 'answered',
      answer: 'So.',
      stopReason: 'below-bar',
      error: { code: 'below-bar', message },
    });
    expect(exitCodeOf(held)).toBe(7);
  });

  it.each([
    ['nothing', 'not-found', 'not-found'],
    ['nothing', null, undefined],
    ['part', 'not-found', undefined],
    [null, 'not-found', undefined],
  ] as const)('that tells %s, with failOn %j, has the error %s', (tells, failOn, code) => {
    const held = applyThresholds(result({ tells, confidence: 50 }), { minConfidence: 40, failOn });
    expect(held).toMatchObject({ status: 'answered', answer: 'So.' });
    expect(held.error?.code).toBe(code);
    expect(exitCodeOf(held)).toBe(code === undefined ? 0 : 7);
  });

  it('is not checked if the run has another error', () => {
    const partial = result({ status: 'partial', error: info('limit-calls'), confidence: null });
    expect(applyThresholds(partial, { minConfidence: 90, failOn: 'not-found' })).toBe(partial);
  });
});
