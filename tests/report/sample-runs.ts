/** Sample runs for reports: a typical one, one with 500 questions, and one with hostile text. */
import type { CitedExcerpt, Trajectory } from '../../src/journal/trajectory.ts';
import type { ReportRun } from '../../src/report/run.ts';
import type { Result } from '../../src/result.ts';
import type { Exchange } from '../../src/run/events.ts';
import type { Citation, Contradiction, TreeNode } from '../../src/state.ts';
import { node, runResult } from '../support/journals.ts';

const log = `2026-11-20 13:38:40 INFO  health ok, pool 12/40 in use
2026-11-20 13:40:02 INFO  deploy 481 started by release-bot
2026-11-20 13:41:15 INFO  image checkout:481 pulled
2026-11-20 13:42:10 INFO  payments.pool.max changed from 40 to 4
2026-11-20 13:42:11 INFO  payments restarted
2026-11-20 13:43:55 WARN  payments pool is exhausted, 31 requests wait
2026-11-20 13:44:10 ERROR order 8812 failed: no connection after 5000 ms
2026-11-20 13:44:12 ERROR order 8813 failed: no connection after 5000 ms
2026-11-20 13:52:31 INFO  rollback of deploy 481 by maria
2026-11-20 13:53:02 INFO  payments.pool.max is 40 again
2026-11-20 13:53:40 INFO  queue drained, no request waits`;

const lines = log.split('\n');
const first = 112;

const citation = (number: number, line: number, quote: string, source = 'logs/payments.log'): Citation => ({
  number,
  passage: `P${line}`,
  source,
  startLine: line,
  endLine: line,
  startByte: 0,
  endByte: 60,
  hash: `hash${line}`,
  quote,
  origin: 'reply',
});

export const citations: readonly Citation[] = [
  citation(1, 115, 'payments.pool.max changed from 40 to 4'),
  citation(2, 117, 'payments pool is exhausted, 31 requests wait'),
  citation(3, 118, 'order 8812 failed: no connection after 5000 ms'),
  citation(4, 120, 'rollback of deploy 481 by maria'),
  citation(5, 31, 'A pool below 20 needs the approval of the payments team.', 'docs/runbooks/payments.md'),
];

const excerpts: readonly CitedExcerpt[] = citations.map(({ number, source, startLine }) =>
  source.endsWith('.log')
    ? { number, source, startLine: first, text: lines.join('\n') }
    : {
        number,
        source,
        startLine: startLine - 2,
        text: '## Limits\n\nA pool below 20 needs the approval of the payments team.\nSee also: capacity.md\n',
      },
);

const answerParts = [
  ['Orders failed because deploy 481 lowered the payments pool from 40 to 4 connections [1].', 'supported', 0.97, [1]],
  [
    'Two minutes later the pool was exhausted and 31 requests waited [2], and orders 8812 and 8813 failed after 5 seconds without a connection [3].',
    'supported',
    0.91,
    [2, 3],
  ],
  ['The rollback by Maria at 13:52 ended it within two minutes [4].', 'partial', 0.62, [4]],
  ['The payments team had approved the change [5].', 'contradicted', 0.08, [5]],
  ['No customer was charged twice.', 'unsupported', 0.04, []],
] as const;

const reasons = [
  'numbers, names and 94 % of the words stand in the cited line',
  'both cited lines say so',
  'the line says who rolled back and when; that the failures ended is inferred',
  'the runbook asks for an approval; nothing in the text records one',
  'nothing in the text is about charges',
];

const answer = `${answerParts[0][0]} ${answerParts[1][0]}

- ${answerParts[2][0]}
- ${answerParts[3][0]}
- ${answerParts[4][0]}`;

const claims = answerParts.map(([text, verdict, support, numbers], index) => ({
  text,
  start: answer.indexOf(text),
  end: answer.indexOf(text) + text.length,
  citations: numbers,
  support,
  verdict,
  reason: reasons[index] ?? null,
}));

const passages = [115, 117, 118, 120].map((line) => ({
  ...{ id: `P${line}`, source: 'logs/payments.log', startLine: line, endLine: line, startByte: 0, endByte: 60 },
  score: 12.5 - line / 20,
  hash: `hash${line}`,
}));

const child = (path: string, question: string, changes: Partial<TreeNode> = {}): TreeNode =>
  node({
    path,
    question,
    depth: path.split('.').length - 1,
    passages,
    citations: citations.slice(0, 1),
    answer: 'It was lowered from 40 to 4 [P115].',
    assessment: { verdict: 'SIMPLE', probability: 0.12, reason: 'one fact' },
    strategyReason: 'it asks for one fact',
    ...changes,
  });

const step = {
  number: 1,
  thought: 'Count the failed orders by minute.',
  calls: [
    {
      tool: 'code',
      arguments: {
        code: "const failed = context.lines.filter((line) => line.includes('failed'));\nprint(failed.length);",
      },
      result: '2',
      outcome: 'done' as const,
    },
  ],
  findings: [
    {
      description: 'two orders failed',
      evidence: 'order 8812 failed',
      source: 'logs/payments.log',
      startLine: 118,
      endLine: 119,
      confidence: 90,
      passage: 'P118',
    },
  ],
  next: 'look for the rollback',
  summarisedTo: 0,
};

const tree = node({
  question: 'Why did orders fail on 20 November, what ended it, and was the change approved?',
  strategy: 'decompose',
  strategyReason: 'cause, end and approval stand in different documents',
  assessment: { verdict: 'COMPLEX', probability: 0.93, reason: 'three parts that need different passages' },
  passages,
  citations,
  answer: 'Orders failed because deploy 481 lowered the payments pool from 40 to 4 connections [P115].',
  calls: 3,
  tokens: { input: 4_210, output: 388 },
  timeMs: 21_400,
  children: [
    child('0.1', 'What changed shortly before the first failed order?', {
      tokens: { input: 2_204, output: 92 },
      timeMs: 6_100,
    }),
    child('0.2', 'How many orders failed, and with which error?', {
      strategy: 'repl',
      strategyReason: 'it asks for a count',
      steps: [step],
      tokens: { input: 3_120, output: 240 },
      timeMs: 8_900,
      calls: 2,
      children: [
        child('0.2.1', 'Which error do the failed orders have in common?', {
          tokens: { input: 910, output: 41 },
          timeMs: 3_000,
        }),
      ],
    }),
    child('0.3', 'Was lowering the pool approved by the payments team?', {
      status: 'partial',
      searches: [{ query: 'approval payments pool change', found: ['P31', 'P120'] }],
      assumptions: ['an approval would be recorded in the change log'],
      tokens: { input: 1_870, output: 133 },
      timeMs: 5_200,
    }),
  ],
});

const startedAt = Date.parse('2026-11-20T15:02:10.000Z');

const exchange = (
  call: number,
  path: string,
  prompt: string,
  from: number,
  timeMs: number,
  tokens: readonly [number, number],
): Exchange => ({
  call,
  path,
  prompt: prompt as Exchange['prompt'],
  provider: 'ollama',
  model: path.includes('.') ? 'qwen2.5-coder:7b' : 'qwen2.5-coder:14b',
  messages: [
    { role: 'system', content: 'You answer from the passages alone and cite them by their ids, such as [P12].' },
    {
      role: 'user',
      content: `[P115] logs/payments.log:115\n${lines[3]}\n\n[P117] logs/payments.log:117\n${lines[5]}\n\nQUESTION: ${prompt}`,
    },
  ],
  reply:
    '{"answer": "It was lowered from 40 to 4 [P115].", "citations": [{"passage": "P115", "quote": "changed from 40 to 4"}]}',
  toolCalls: [],
  error: null,
  from: 'model',
  at: new Date(startedAt + from).toISOString(),
  timeMs,
  tokens: { input: tokens[0], output: tokens[1] },
  cost: (tokens[0] * 0.5 + tokens[1] * 1.5) / 1_000_000,
});

const exchanges: readonly Exchange[] = [
  exchange(1, 'planner', 'planner', 100, 2_900, [1_020, 160]),
  exchange(2, '0', 'assess', 3_200, 1_100, [640, 20]),
  exchange(3, '0', 'decompose', 4_400, 2_000, [980, 96]),
  exchange(4, '0.1', 'answer', 6_500, 6_000, [2_204, 92]),
  exchange(5, '0.2', 'repl', 6_600, 4_100, [1_700, 150]),
  exchange(6, '0.3', 'answer', 6_600, 5_200, [1_870, 133]),
  exchange(7, '0.2.1', 'answer', 10_800, 3_000, [910, 41]),
  exchange(8, '0.2', 'conclude', 13_900, 1_500, [1_420, 90]),
  exchange(9, '0', 'compose', 15_500, 5_700, [2_590, 272]),
  exchange(10, 'critic', 'critic', 21_300, 3_400, [2_100, 188]),
];

const event = (seq: number, ms: number, body: object) =>
  ({
    seq,
    at: new Date(startedAt + ms).toISOString(),
    runId: '20261120T150210-3f9a2c',
    ...body,
  }) as Trajectory['events'][number];

const stage = (seq: number, name: string, from: number, to: number) =>
  event(seq, to, { type: 'stage.completed', stage: name, timeMs: to - from });

const documents = [
  { name: 'logs/payments.log', bytes: 1_204_000 },
  { name: 'docs/runbooks/payments.md', bytes: 6_100 },
  { name: 'docs/changes/2026-11.md', bytes: 18_300 },
];

const trajectory: Trajectory = {
  version: 1,
  events: [
    event(1, 0, {
      type: 'run.started',
      task: tree.question,
      provider: 'ollama',
      model: 'qwen2.5-coder:14b',
      documents: 3,
      bytes: 1_228_400,
      fits: false,
      recordedCalls: 0,
    }),
    stage(2, 'planner', 50, 3_050),
    stage(3, 'reasoner', 3_150, 21_250),
    stage(4, 'critic', 21_280, 24_750),
  ],
  exchanges,
  excerpts,
  documents,
  promptsLeftOut: 0,
};

const sums = (model: string) => {
  const own = exchanges.filter((one) => one.model === model);
  const sum = (pick: (one: Exchange) => number) => own.reduce((total, one) => total + pick(one), 0);
  const tokens = {
    input: sum((one) => one.tokens.input),
    output: sum((one) => one.tokens.output),
    cacheRead: 0,
    cacheWritten: 0,
  };
  return { provider: 'ollama', model, calls: own.length, tokens, cost: sum((one) => one.cost ?? 0) };
};

const models = ['qwen2.5-coder:14b', 'qwen2.5-coder:7b'].map(sums);

const plain: Result = runResult({
  runId: '20261120T150210-3f9a2c',
  task: tree.question,
  answer,
  confidence: 78,
  citations,
  recursionTree: tree,
  critique: {
    score: 74,
    gaps: ['No record of the approval is in the text.'],
    uncertainties: ['Whether more orders failed between 13:44 and 13:52 is not in the log.'],
    reasoning: 'Cause and end are borne out by the log; the approval is not.',
  },
  plan: {
    madeBy: 'planner',
    approach: 'decompose',
    reason: 'Cause, end and approval stand in different documents.',
    taskDecomposition: ['find the change', 'find the failures', 'find the approval'],
    keyQuestions: [
      { question: 'What changed shortly before the first failed order?', needs: [] },
      { question: 'Was lowering the pool approved?', needs: [1] },
    ],
    requiredInformation: ['the time of the first failure'],
    successCriteria: ['names the change and who ended it'],
  },
  usage: {
    calls: 10,
    subCalls: 5,
    failedCalls: 0,
    retries: 1,
    replayedCalls: 0,
    cacheHits: 1,
    tokens: { input: 15_434, output: 1_242, cacheRead: 0, cacheWritten: 0 },
    embeddings: { requests: 0, tokens: 0, reused: 0 },
    cost: 0.0096,
    models,
    wallTimeMs: 24_800,
  },
  model: 'qwen2.5-coder:14b',
  warnings: ['2 files were passed by: they are no text'],
});

const text = { documents: 3, bytes: 1_228_400, first: documents };

/** A typical run with unchecked claims. */
export const plainRun: ReportRun = {
  result: plain,
  at: new Date(startedAt).toISOString(),
  text,
  trajectory,
  calls: [],
};

const side = (number: number): Contradiction['sides'][number] => {
  const { passage, source, startLine, endLine, quote } = citations[number - 1]!;
  return { passage, source, startLine, endLine, quote: quote ?? '' };
};

/** The same run with checked claims. */
export const checkedRun: ReportRun = {
  ...plainRun,
  result: {
    ...plain,
    claims,
    contradictions: [{ text: 'The runbook asks for an approval; the change log has none.', sides: [side(5), side(1)] }],
  },
};

/** Creates a run with this many questions, four below each. */
export function largeRun(count: number): ReportRun {
  const pathOf = (index: number): string =>
    index === 0 ? '0' : `${pathOf(Math.floor((index - 1) / 4))}.${((index - 1) % 4) + 1}`;
  const grow = (index: number): TreeNode => {
    const path = pathOf(index);
    const children = [1, 2, 3, 4].map((nth) => 4 * index + nth).filter((below) => below < count);
    return child(path, `Question ${index + 1}: what does part ${path} say of the limits of the pool?`, {
      children: children.map(grow),
    });
  };
  const root = grow(0);
  const calls = [...Array(count).keys()].map((index) =>
    exchange(
      index + 1,
      '0.1',
      ['answer', 'assess', 'compose'][index % 3]!,
      index * 120,
      400 + (index % 7) * 90,
      [900, 60],
    ),
  );
  const timed = { ...trajectory, exchanges: calls.map((one) => ({ ...one, messages: null })) };
  return { ...plainRun, result: { ...plain, recursionTree: root }, trajectory: timed };
}

/** Hostile names, texts and replies. */
export const hostileTexts = [
  '<script>window.hacked = 1</script>',
  '</script><script>window.hacked = 2</script>',
  '<img src=x onerror="window.hacked=3">',
  '"><svg onload=window.hacked=4>',
  "'-alert(1)-' {{7*7}} #{7*7} <!-- <style>*{display:none}</style>",
  'abc\u202egnp.exe\u202c \u2066x\u2069 \u0007\u001b[31m\u2028 end',
  '[1](javascript:window.hacked=5) ![x](http://evil.example/x.png) **b** `c`',
  '::error::x\n::set-output name=a::b %0A @everyone',
  'lone \ud800 half and \uffff',
] as const;

/** Replaces each text in a value, at any depth, by a hostile one. */
function hostile<T>(value: T, keep: readonly string[] = []): T {
  let next = 0;
  const change = (part: unknown, key: string): unknown => {
    if (keep.includes(key)) return part;
    if (typeof part === 'string') return hostileTexts[next++ % hostileTexts.length]!;
    if (Array.isArray(part)) return part.map((one) => change(one, key));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, change(one, name)]));
  };
  return change(value, '') as T;
}

/** Fields of a run whose text does not come from outside. */
const ownFields = [
  'status',
  'strategy',
  'path',
  'type',
  'at',
  'code',
  'verdict',
  'role',
  'from',
  'approach',
  'confidenceKind',
  'outcome',
  'stage',
  'stopReason',
];

/** A run in which all texts are hostile. */
export const hostileRun = hostile(checkedRun, ownFields);
