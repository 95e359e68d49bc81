import { describe, expect, it } from 'vitest';
import { standalone } from '../../../scripts/able/standalone.ts';
import { RlmError } from '../../../src/errors.ts';
import {
  createReport,
  formOf,
  renderEvaluation,
  renderHtml,
  renderMarkdown,
  renderReportText,
} from '../../../src/eval/report/render.ts';
import { caveats, comparisonInWords, minimumBar, regressionBar } from '../../../src/eval/summary/gate.ts';
import { summarise } from '../../../src/eval/summary/summarise.ts';
import { barsMarkup } from '../../../src/report/html/plot.ts';
import { evaluationOf } from './evaluations.ts';

const summaryOf = (count: number, plain: number, auto: number) => summarise(evaluationOf(count, plain, auto), 'plain');

describe('a summary', () => {
  it('states the difference and its cost in a sentence', () => {
    const [comparison] = summaryOf(100, 40, 65).comparisons;
    expect(comparisonInWords(comparison!)).toMatch(
      /^auto is right 25 points more often than plain \(1\d to 3\d; 100 samples\), at 1\.4 times the tokens\.$/,
    );
    const [worse] = summaryOf(100, 65, 40).comparisons;
    expect(comparisonInWords(worse!)).toMatch(/^auto is right 25 points less often than plain \(1\d to 3\d;/);
  });

  it('says when no difference is shown, and how many samples would suffice', () => {
    const [comparison] = summaryOf(20, 10, 12).comparisons;
    expect(comparisonInWords(comparison!)).toMatch(
      /^No difference between auto and plain can be shown with 20 samples \(−\d+ to \d+ points\); about \d{2,3} are needed to show 10 points, at 1\.4 times the tokens\.$/,
    );
  });

  it('groups by tag, length and depth', () => {
    const { groups } = summaryOf(20, 10, 12);
    expect(groups.map(({ by, name }) => `${by} ${name}`)).toEqual([
      'tag even',
      'tag odd',
      'length 8k',
      'length 32k',
      'depth 0',
      'depth 1',
      'depth 2',
    ]);
    expect(groups[0]!.arms).toMatchObject([
      { name: 'plain', n: 10, accuracy: 0.5 },
      { name: 'auto', n: 10 },
    ]);
  });

  it('groups by length even if a run of the last arm did not begin', () => {
    const evaluation = evaluationOf(20, 10, 12);
    const samples = evaluation.samples.map((one) => ({ ...one, tokens: null }));
    const outcomes = evaluation.outcomes.map((one, at) => {
      return { ...one, bytes: one.arm === 'auto' ? null : at < 20 ? 4_000 : 64_000 };
    });
    const { groups } = summarise({ ...evaluation, samples, outcomes }, 'plain');
    expect(groups.filter(({ by }) => by === 'length').map(({ name, arms }) => [name, arms.length])).toEqual([
      ['1k', 2],
      ['16k', 2],
    ]);
  });

  it('lists where an arm lost most', () => {
    const { worst } = summaryOf(20, 10, 5);
    expect(worst[0]).toMatchObject({ sample: 's0', arm: 'auto', score: 0, baseline: 1, answer: null, runId: 'r1' });
    expect(worst.map(({ sample }) => sample)).toEqual(['s0', 's6', 's7', 's8', 's9']);
  });

  it('lists no sample as lost that only one arm was asked', () => {
    const evaluation = evaluationOf(20, 10, 5);
    const outcomes = evaluation.outcomes.filter(({ sample, arm }) => sample !== 's19' || arm === 'auto');
    expect(summarise({ ...evaluation, outcomes }, 'plain').worst.map(({ sample }) => sample)).not.toContain('s19');
  });

  it('counts an answer as cut short by a limit, and not by a threshold', () => {
    const evaluation = evaluationOf(4, 2, 2);
    const errors = (['limit-calls', 'below-bar', 'not-found', 'schema-unmet'] as const).map((code) =>
      new RlmError(code, 'why').toInfo(),
    );
    const outcomes = evaluation.outcomes
      .filter(({ arm }) => arm === 'plain')
      .map((outcome, at) => ({ ...outcome, error: errors[at]! }));
    expect(summarise({ ...evaluation, outcomes }, 'plain').arms[0]).toMatchObject({ name: 'plain', cutShort: 1 });
  });

  it('mentions a text that was cut, and other notes', () => {
    const evaluation = evaluationOf(10, 5, 5);
    const warnings = ['the middle of the text was cut: 5 bytes of 9 bytes'];
    const outcomes = evaluation.outcomes.map((one) => (one.arm === 'plain' ? { ...one, warnings } : one));
    const cut = { ...evaluation, outcomes, notes: ['no language model was used'] };
    const { sentences } = createReport(cut, summarise(cut, 'plain'), []);
    expect(sentences.slice(2)).toEqual([
      'The text was cut in the middle to fit one prompt: plain 10 of 10.',
      'no language model was used',
    ]);
  });

  it('counts failures and questions that were not asked', () => {
    const evaluation = evaluationOf(10, 5, 5);
    const cut = { ...evaluation, outcomes: evaluation.outcomes.slice(0, 7) };
    expect(caveats(summarise(cut, 'plain'))).toEqual([
      'Failed, counted as wrong: auto 1.',
      'Not every question was asked: 3 of 10 were asked of all arms.',
    ]);
  });
});

describe('thresholds', () => {
  const arms = ['plain', 'auto'];
  const evaluation = evaluationOf(20, 10, 12);
  const summary = summarise(evaluation, 'plain');
  const hold = (text: string) => minimumBar(text, arms)(summary);

  it.each([
    ['accuracy=60', [true]],
    ['accuracy=60.1', [false]],
    ['plain.accuracy=50', [true]],
    ['plain.accuracy=51', [false]],
    ['answered=95', [true]],
    ['answered=96', [false]],
    ['exact=1', [false]],
  ])('%s', (text, wanted) => {
    expect(hold(text).map(({ isReached }) => isReached)).toEqual(wanted);
  });

  it.each(['accuracy', 'accuracy=', 'accuracy=101', 'speed=1', 'other.accuracy=1', 'accuracy=-1'])(
    '%j is refused',
    (text) => {
      expect(() => minimumBar(text, arms)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it('limit how far an arm may fall behind, by the samples of both', () => {
    const before = evaluationOf(20, 10, 14).outcomes;
    const at = (most: number, old = before) => regressionBar(most, old)(summary, evaluation.outcomes);
    expect(at(10)).toMatchObject([{ isReached: true, found: expect.stringMatching(/^-10 points .* on 20 samples$/) }]);
    expect(at(9)).toMatchObject([{ isReached: false }]);
    expect(at(9, before.slice(0, 0))).toMatchObject([{ isReached: false, found: 'no sample in common' }]);
  });
});

describe('reports', () => {
  const evaluation = evaluationOf(40, 20, 24);
  const bars = [{ bar: 'auto.accuracy of at least 80', isReached: false, found: '60' }];
  const report = createReport(evaluation, summarise(evaluation, 'plain'), bars);

  it('as text contain the table, the sentence, the worst cases and the thresholds', () => {
    const text = renderReportText(report);
    expect(text).toMatch(/^plain \(baseline\) +50 +35–65 +50 +0\/40 +40 +4,400 +1\.0 +\$0\.40 +–$/m);
    expect(text).toMatch(/^auto − plain +\+10 /m);
    expect(text).toContain('rlm runs show r1');
    expect(text).toContain('MISSED: auto.accuracy of at least 80: 60');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200);
  });

  it('state no share for an arm without questions', () => {
    const none = { ...evaluation, outcomes: evaluation.outcomes.filter(({ arm }) => arm === 'plain') };
    expect(renderReportText(createReport(none, summarise(none, 'plain'), []))).toMatch(/^auto +– +– +– +0\/0 /m);
  });

  it('as Markdown contain no markup from foreign text', () => {
    const text = renderMarkdown(report);
    expect(text).toContain('## Evaluation: below the bar');
    expect(text).not.toMatch(/<script|@all|\[a\]\(/);
    expect(text.split('\n').filter((line) => line.startsWith('| s0 '))).toHaveLength(1);
  });

  it('as JUnit are well-formed, with every case once', () => {
    const text = renderEvaluation('xml', report, evaluation.samples);
    expect(text.match(/<testcase /g)).toHaveLength(81);
    expect(new Set([...text.matchAll(/<testcase (classname="[^"]*" name="[^"]*")/g)].map(([, one]) => one)).size).toBe(
      81,
    );
    expect(text).toContain('<testsuite name="auto" tests="40" failures="15" errors="1" ');
    expect(text).not.toMatch(/<script|[\u0000\u001b]/);
    // Every opened tag is closed, in order.
    const open: string[] = [];
    for (const [, slash, name, end] of text.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
      if (slash) expect(open.pop()).toBe(name);
      else if (!end) open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it('as HTML run nothing, load nothing, and contain plots', () => {
    const text = renderHtml(report);
    expect(text).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|src=|href=|javascript:b"/);
    expect(text.match(/<svg class="plot"/g)).toHaveLength(3);
    expect(text.match(/<circle /g)).toHaveLength(6);
    expect(text).toContain('8k');
  });

  it('draw bars as a separate file, light and dark', () => {
    const bar = { name: 'a<b', share: 0.5, low: 0.25, high: 0.75, title: 'half' };
    const [light, dark] = (['light', 'dark'] as const).map((theme) =>
      standalone(barsMarkup([{ name: 'all', bars: [bar] }])!, theme),
    );
    expect(light).toMatch(/^<svg xmlns="[^"]+" class="plot" viewBox="0 0 640 344" [^>]+><style>.*<\/style>/);
    expect(light).toContain('<line class="range" x1="331.2" x2="331.2" y1="210.0" y2="78.0"/>');
    expect(light).toContain('a&lt;b');
    expect(dark).not.toBe(light);
    expect(barsMarkup([])).toBe(null);
  });

  it.each([
    ['a.html', 'html'],
    ['a.b.MD', 'md'],
    ['x/y.xml', 'xml'],
    ['r.json', 'json'],
  ])('%s is %s', (path, form) => {
    expect(formOf(path)).toBe(form);
  });

  it('have no form for other names', () => {
    expect(() => formOf('report')).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => formOf('report.constructor')).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
