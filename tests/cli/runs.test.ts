import { describe, expect, it } from 'vitest';
import { detailedRun, listedRun, matchRun, searchedWords } from '../../src/api/runs/recorded-runs.ts';
import { parseAge } from '../../src/cli/actions/runs.ts';
import { localTime, renderRun, renderRuns, renderTree } from '../../src/cli/render/runs.ts';
import type { Output } from '../../src/cli/terminal.ts';
import { RlmError } from '../../src/errors.ts';
import type { RunOutline } from '../../src/journal/runs.ts';
import { endRecord, node, runRecord, runResult } from '../support/journals.ts';

const output = (columns: number | null): Output => ({
  isTerminal: columns !== null,
  columns: columns ?? 80,
  rows: 24,
  write: () => {},
  style: (_, text) => text,
  onClosed: () => {},
});
const pipe = output(null);

const outline = (changes: Partial<RunOutline> = {}): RunOutline => ({
  id: '20261121T010842-3f9a2c',
  folder: '/state/runs/20261121T010842-3f9a2c',
  at: '2026-11-21T01:08:42.000Z',
  partOf: null,
  run: runRecord(),
  calls: 3,
  end: endRecord(),
  isEnded: true,
  status: 'answered',
  resumable: false,
  damage: null,
  ...changes,
});

const listed = (changes: Partial<RunOutline> = {}) => listedRun(outline(changes));

describe('an age', () => {
  it.each([
    ['90m', 5_400_000],
    ['12h', 43_200_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
    ['1.5h', 5_400_000],
    ['0d', 0],
  ])('%s', (text, ms) => {
    expect(parseAge(text)).toBe(ms);
  });

  it.each([null, '', '30', 'd', '-3d', '3y', '3 d', '3dd', '1e3d', '.5d', 'NaNd'])('is not in %j', (text) => {
    expect(() => parseAge(text)).toThrow(RlmError);
  });
});

describe('searching', () => {
  const match = (...names: string[]) => matchRun(outline(), searchedWords(names.join(' ')));

  it('finds a run by its question, its answer and its documents, ignoring case', () => {
    expect(match('ORDERS')).toEqual({ in: 'question', line: 'Why did the orders fail?' });
    expect(match('ran')).toEqual({ in: 'answer', line: 'pool ran out [1].' });
    expect(match('build.LOG')).toEqual({ in: 'document', line: 'logs/build.log' });
  });

  it('requires every word, in any place, and shows the line with the most words', () => {
    expect(match('orders', 'pool out')).toEqual({ in: 'answer', line: 'pool ran out [1].' });
    expect(match('orders', 'zebra')).toBeNull();
  });

  it('finds nothing in a damaged run', () => {
    expect(matchRun(outline({ run: null, end: null }), ['orders'])).toBeNull();
  });
});

describe('the list', () => {
  it('shows local time', () => {
    const local = new Date(2026, 0, 2, 3, 4, 5);
    expect(localTime(local.toISOString())).toBe('2026-01-02 03:04');
    expect(localTime(null)).toBe('');
    expect(localTime('\u001b[2Jsoon')).toBe('soon');
  });

  it('has one line for each run, and no control code', () => {
    const task = 'Why?\n\u001b[2J\u009b31m  Really?';
    const lines = renderRuns([listed({ run: runRecord({ task }), calls: 1 }), listed()], pipe).split('\n');
    expect(lines[0]).toMatch(
      /^20261121T010842-3f9a2c {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}answered {2}1 call {3}Why\? Really\?$/,
    );
    expect(lines).toHaveLength(3);
  });

  it('fits a terminal, and cuts nothing in a pipe', () => {
    const long = listed({ run: runRecord({ task: 'word '.repeat(40).trim() }) });
    expect(renderRuns([long], output(100)).trimEnd()).toHaveLength(100);
    expect(renderRuns([long], pipe)).toContain('word '.repeat(40).trim());
  });

  it('describes the damage of a run', () => {
    const damaged = listed({
      run: null,
      end: null,
      at: null,
      calls: 0,
      status: 'damaged',
      damage: 'there is no journal',
    });
    expect(renderRuns([damaged], pipe)).toMatch(/damaged +there is no journal\n$/);
  });
});

describe('the tree', () => {
  it('shows each question with how it was answered, and its parts below it', () => {
    const part = node({
      question: 'When?',
      status: 'unanswered',
      strategy: 'direct',
      strategyReason: '',
      calls: 2,
      cacheHits: 1,
    });
    const error = new RlmError('call-timeout', 'no reply\nin time').toInfo();
    const root = node({ strategy: 'decompose', strategyReason: 'two facts', children: [{ ...part, error }] });
    expect(renderTree(root, true, pipe)).toBe(
      [
        '✔ Why did the orders fail?',
        '  answered, decompose (two facts) · 1 call · 100 tokens in, 10 out · 0.9 s',
        '  ✘ When?',
        '    unanswered, direct · 2 calls · 100 tokens in, 10 out · 0.9 s · 1 cache hit',
        '    no reply in time',
      ].join('\n'),
    );
  });
});

describe('a question in the tree', () => {
  it('shows its searches and what they found', () => {
    const searches = [
      { query: 'pool\u001b[2J size', found: ['P1', 'P7'] },
      { query: 'Mara', found: [] },
    ];
    const assessment = { verdict: 'SIMPLE', probability: 0.254, reason: 'easy' } as const;
    expect(renderTree(node({ assessment }), true, pipe)).toContain(' · 25 % complex · ');
    expect(renderTree(node({ searches }), true, pipe).split('\n').slice(2)).toEqual([
      '  searched for "pool size": 2 passages',
      '  searched for "Mara": 0 passages',
    ]);
  });
});

describe('a run', () => {
  const content = {
    run: runRecord(),
    first: runRecord(),
    isEnded: false,
    calls: [],
    end: null,
    damagedLines: 0,
    lost: [],
    replied: new Map(),
    usedMs: 0,
    length: 0,
  };

  it('shows the cost of its calls, and leaves out empty parts', () => {
    const usage = { ...runResult().usage, cost: null, cacheHits: 0 };
    const text = renderRun(detailedRun(outline({ end: endRecord({ usage, warnings: [] }) }), content), pipe);
    expect(text).toContain('3 calls (1 below the root) · 300 tokens in, 30 out · cost unknown · 2.4 s');
    expect(text).not.toMatch(/Warnings|Damage|To continue|Calls so far/);
  });

  it('names some of many documents', () => {
    const documents = Array.from({ length: 7 }, (_, index) => ({ name: `${index}.md`, bytes: 10, hash: '' }));
    const text = renderRun(detailedRun(outline(), { ...content, run: runRecord({ documents }) }), pipe);
    expect(text).toContain('7 documents, 70 bytes: 0.md, 1.md, 2.md, 3.md, 4.md, and 2 more\n');
  });

  it('lets no text of the journal control a terminal', () => {
    const hostile = '\u001b]0;owned\u0007\u009b2J\rx';
    const run = runRecord({
      task: hostile,
      cwd: hostile,
      provider: hostile,
      documents: [{ name: hostile, bytes: 1, hash: '' }],
    });
    const error = new RlmError('internal', hostile, { hint: hostile }).toInfo();
    const result = {
      answer: hostile,
      warnings: [hostile],
      error,
      status: 'failed',
      recursionTree: node({ question: hostile, strategyReason: hostile, error }),
    } as const;
    const shown = renderRun(
      detailedRun(outline({ id: hostile, status: 'failed', resumable: true, end: endRecord(result) }), {
        ...content,
        run,
      }),
      pipe,
    );
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });
});
