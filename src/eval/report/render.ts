/** Renders the report in each of its forms, from the same sentences and tables. */
import { counted, grouped, textTable } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import { type JunitCase, junitXml } from '../../report/ci/junit.ts';
import { html, listMarkup, type Markup, pageOf, sectionMarkup, tableMarkup } from '../../report/html/markup.ts';
import { barsMarkup, legendMarkup, type PlotSeries, plotMarkup } from '../../report/html/plot.ts';
import { folded, inline, markdownTable } from '../../report/markdown.ts';
import type { Sample } from '../samples/sample.ts';
import type { EvaluationReport } from './evaluation-report.ts';
import { onOneLine, percent, shownModel, shownMoney, tablesOf, worstTable } from './figures.ts';

/** Returns the number of questions and arms, and the models. */
function aboutOf({ samples, arms, asked }: EvaluationReport): string {
  const models = new Set(asked.map(({ model }) => shownModel(model)));
  return `${counted(samples, 'question')}, ${counted(arms.length, 'arm')}, ${[...models].join(', ')}`;
}

/** Returns what the report says in words: the comparisons, the caveats, and the bars. */
const saidIn = ({ sentences, bars }: EvaluationReport): readonly string[] => [
  ...sentences,
  ...bars.map(({ bar, isReached, found }) => `${isReached ? 'Reached' : 'MISSED'}: ${bar}: ${found}`),
];

const isAfterFirst = (column: number): boolean => column > 0;

const shownWorst = 5;

/** Renders the report as text for a terminal. */
export function renderReportText(report: EvaluationReport): string {
  const said = saidIn(report).map((line) => `${line}\n`);
  const worst = worstTable(report, 100).rows.slice(1, 1 + shownWorst);
  const cases = worst.map(
    ([sample, arm, question, wanted, got, run]) =>
      `${sample} (${arm}): ${question}\n  wanted ${wanted}\n  got    ${got}\n${run === '' ? '' : `  ${run}\n`}`,
  );
  const parts = [
    `${aboutOf(report)}\n`,
    ...tablesOf(report).map(({ rows }) => textTable(rows, isAfterFirst)),
    said.join(''),
    cases.length === 0 ? '' : `Worst cases:\n${cases.join('')}`,
  ];
  return parts.filter(Boolean).join('\n');
}

/** Renders the report as Markdown for a pull request. */
export function renderMarkdown(report: EvaluationReport): string {
  const verdict = report.bars.every(({ isReached }) => isReached) ? '' : ': below the bar';
  const worst = worstTable(report, 120);
  return [
    `## Evaluation${verdict}`,
    '',
    inline(`${aboutOf(report)}, ${report.evaluation}`),
    '',
    ...saidIn(report).map((line) => `- ${inline(line)}`),
    ...tablesOf(report).flatMap(({ rows }) => ['', ...markdownTable(rows)]),
    ...folded(
      worst.name,
      markdownTable(worst.rows, () => false),
    ),
    '',
  ].join('\n');
}

/** The lowest score that passes. */
const passing = 0.5;

type SampleOutcome = EvaluationReport['outcomes'][number];

function problemOf({ answer, error, score }: SampleOutcome): JunitCase['problem'] {
  if (answer === null)
    return { kind: 'error', type: error?.code ?? 'no-answer', lines: [error?.message ?? 'no answer'] };
  if (score.lenient >= passing) return null;
  const lines = [`scored ${percent(score.lenient)} of 100`, onOneLine(answer, 2_000)];
  return { kind: 'failure', type: 'score', lines };
}

/** Renders the report as JUnit XML: a suite for each arm with a case for each sample, and a suite of the bars. */
function renderJUnit({ arms, outcomes, bars }: EvaluationReport, samples: readonly Sample[]): string {
  const questions = new Map(samples.map(({ id, question }) => [id, question]));
  const suites = arms.map(({ name }) => ({
    ...{ name, className: `rlm.eval.${name}` },
    cases: outcomes
      .filter(({ arm }) => arm === name)
      .map((outcome) => ({
        name: `${outcome.sample}: ${onOneLine(questions.get(outcome.sample) ?? '', 120)}`,
        ms: outcome.seconds * 1000,
        problem: problemOf(outcome),
        output: '',
      })),
  }));
  const gates = bars.map(({ bar, isReached, found }): JunitCase => {
    const problem = isReached ? null : ({ kind: 'failure', type: 'bar', lines: [found] } as const);
    return { name: bar, ms: 0, problem, output: '' };
  });
  return junitXml(
    gates.length === 0 ? suites : [...suites, { name: 'bars', className: 'rlm.eval.bars', cases: gates }],
  );
}

/** Tags with bars of their own, at most. */
const mostTags = 6;

/** Draws the accuracy of the arms over all samples, and for each tag where there are few. */
function accuracyBars({ arms, groups }: EvaluationReport): Markup | null {
  const tags = groups.filter(({ by }) => by === 'tag');
  const shown = [{ name: 'all', arms }, ...(tags.length <= mostTags ? tags : [])];
  return barsMarkup(
    shown.map(({ name, arms: shares }) => ({
      name,
      bars: shares
        .filter(({ n }) => n > 0)
        .map(({ name: arm, accuracy: share, interval, n }) => {
          return { name: arm, share, ...interval, title: `${arm}, ${name}: ${percent(share)} % of ${n}` };
        }),
    })),
  );
}

const lengthOf = (name: string): number => (name === '<1k' ? 0.5 : Number.parseInt(name, 10));

/** Plots accuracy by length; null where all texts have one length. */
function lengthPlot({ arms, groups }: EvaluationReport): Markup | null {
  const lengths = groups.filter(({ by }) => by === 'length');
  const series = arms.map(({ name }): PlotSeries => {
    const points = lengths.flatMap((group) => {
      const found = group.arms.find((arm) => arm.name === name);
      if (found === undefined) return [];
      const { accuracy: share, interval, n } = found;
      const title = `${name}, ${group.name}: ${percent(share)} % of ${n}`;
      return { x: lengthOf(group.name), share, ...interval, title };
    });
    return { name, points };
  });
  return plotMarkup(series, 'length of the text in tokens', (x) => (x < 1 ? '<1k' : `${x}k`));
}

/** Plots accuracy by cost per answer: money where known, else tokens, else calls. */
function costPlot({ arms }: EvaluationReport): Markup | null {
  const hasMoney = arms.some(({ cost }) => cost !== null && cost > 0) && arms.every(({ cost }) => cost !== null);
  const hasTokens = arms.some(({ tokens }) => tokens.input + tokens.output > 0);
  const [unit, show] = hasMoney
    ? (['USD', shownMoney] as const)
    : ([hasTokens ? 'tokens' : 'calls', (x: number) => (x < 10 ? x.toFixed(1) : grouped(Math.round(x)))] as const);
  const series = arms.map(({ name, cost, tokens, calls, n, accuracy: share, interval }): PlotSeries => {
    const x = (hasMoney ? cost! : hasTokens ? tokens.input + tokens.output : calls) / Math.max(1, n);
    return {
      name,
      points: [{ x, share, ...interval, title: `${name}: ${percent(share)} % at ${show(x)} ${unit} an answer` }],
    };
  });
  return plotMarkup(series, `${unit} an answer`, show);
}

/** Renders the report as a self-contained HTML page. */
export function renderHtml(report: EvaluationReport): string {
  const { evaluation, startedAt, asked, arms } = report;
  const models = asked.map(({ name, model }) => `${name}: ${shownModel(model)}`);
  const tables = tablesOf(report).map(({ name, rows }) =>
    sectionMarkup(name.toLowerCase(), name, tableMarkup(name, rows)),
  );
  const worst = worstTable(report, 1_000);
  const cases = tableMarkup(worst.name, worst.rows, () => false);
  const body = html`<main><header class="head"><div><p class="brand">rlm eval</p><h1>Evaluation</h1><p class="facts">${counted(report.samples, 'question')}, ${startedAt}. ${models.join('; ')}</p></div></header>
<section class="card" aria-label="summary">${listMarkup(saidIn(report))}${accuracyBars(report)}</section>
${tables}
${sectionMarkup('length', 'By length', lengthPlot(report))}${sectionMarkup('cost', 'By cost', html`${costPlot(report)}${legendMarkup(arms.map(({ name }) => name))}`)}
${cases && html`<section class="card"><details class="fold"><summary>${worst.name}</summary>${cases}</details></section>`}</main>`;
  return pageOf(`rlm eval ${evaluation}`, body);
}

const forms: Readonly<Record<string, (report: EvaluationReport, samples: readonly Sample[]) => string>> = {
  txt: renderReportText,
  json: (report) => `${JSON.stringify(report)}\n`,
  md: renderMarkdown,
  xml: renderJUnit,
  html: renderHtml,
};

/** Returns the form of a file by its extension. Throws RlmError `usage`. */
export function formOf(path: string): string {
  const form = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(forms, form)) return form;
  throw new RlmError('usage', `--report cannot be "${path}"`, {
    hint: 'Name files that end in .html, .md (for a pull request), .xml (JUnit), .json or .txt.',
  });
}

/** Renders the report in a form. */
export const renderEvaluation = (form: string, report: EvaluationReport, samples: readonly Sample[]): string =>
  forms[form]!(report, samples);
