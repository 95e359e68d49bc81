/** Evaluations for tests of reports and summaries. */
import { parseArms } from '../../../src/eval/arms/arm.ts';
import type { Evaluation } from '../../../src/eval/run/evaluate.ts';
import type { SampleOutcome } from '../../../src/eval/run/evaluation-journal.ts';
import { parseSamples } from '../../../src/eval/samples/read-samples.ts';
import { noScore } from '../../../src/eval/scorers/score.ts';

/** Text that would be harmful in a page, a pull request, an XML file or a terminal. */
const hostile = `<script>alert('x')</script> | [a](javascript:b) @all ]]> \u0000\u001b[31m`;

const samples = (count: number) =>
  parseSamples(
    Array.from({ length: count }, (_, at) =>
      JSON.stringify({
        id: `s${at}`,
        question: at === 0 ? hostile : `Q${at}?`,
        target: 'x',
        tags: [at % 2 === 0 ? 'even' : 'odd'],
        tokens: at % 2 === 0 ? 8_000 : 32_000,
      }),
    ).join('\n'),
    'q.jsonl',
  );

function outcome(sample: string, arm: string, lenient: number, changes: Partial<SampleOutcome> = {}): SampleOutcome {
  return {
    ...{ sample, arm, status: 'answered', answer: 'x', score: { ...noScore, lenient, strict: lenient } },
    ...{ confidence: null, calls: 1, tokens: { input: 100, output: 10 }, cost: 0.01, seconds: 1, bytes: 4_000 },
    ...{ depth: 0, strategy: 'direct', runId: null, warnings: [], judged: null, error: null },
    ...changes,
  } as SampleOutcome;
}

const error = { code: 'provider-failed', message: hostile, hint: '', retryable: true } as const;

/** Creates an evaluation with this many samples, and this many right answers of plain and of auto. */
export function evaluationOf(count: number, plain: number, auto: number): Evaluation {
  const all = samples(count);
  const outcomes = all.flatMap(({ id }, at) => [
    outcome(id, 'plain', Number(at < plain)),
    at === 0
      ? outcome(id, 'auto', 0, { status: 'failed', answer: null, error, runId: 'r1' })
      : outcome(id, 'auto', Number(at <= auto), {
          tokens: { input: 140, output: 14, cacheRead: 0, cacheWritten: 0 },
          confidence: at / count,
          depth: at % 3,
        }),
  ]);
  const arms = parseArms(['plain', 'auto'], []).map((arm) => ({ ...arm, model: null }));
  const spent = { calls: 2 * count, tokens: 0, usd: 0 };
  return {
    id: 'e1',
    startedAt: '2026-11-22T00:00:00.000Z',
    samples: all,
    arms,
    outcomes,
    unrecorded: [],
    judge: null,
    notes: [],
    spent,
    stopped: null,
  };
}
