import { counted, grouped, money, textTable } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import { type JunitCase, junitXml } from '../../report/ci/junit.ts';
import { html, listMarkup, type Markup, pageOf, sectionMarkup, tableMarkup } from '../../report/html/markup.ts';
import { barsMarkup, legendMarkup, type PlotSeries, plotMarkup } from '../../report/html/plot.ts';
import { folded, inline, markdownTable } from '../../report/markdown.ts';
import { modelLabel } from '../../result.ts';
import type { Evaluation } from '../run/evaluate.ts';
import type { SampleOutcome } from '../run/evaluation-journal.ts';
import type { Sample } from '../samples/read-samples.ts';
import { caveats, comparisonInWords, type minimumBar, points } from '../summary/gate.ts';
import type { Summary } from '../summary/summarise.ts';

/** Creates the report of `rlm eval --json`. Within a `schemaVersion`, fields may be added, but no field changes. */
export function createReport(evaluation: Evaluation, summary: Summary, bars: readonly BarResult[]) {
  const { id, startedAt, arms: asked, unrecorded, judge, spent, outcomes, notes, stopped } = evaluation;
  const lacking = asked.flatMap(({ name }) => {
    const ids = unrecorded.filter(({ arm }) => arm === name).map(({ sample }) => sample);
    return ids.length === 0 ? [] : [`Not recorded for ${name}: ${ids.join(', ')}.`];
  });
  const sentences = [...summary.comparisons.map(comparisonInWords), ...caveats(summary), ...lacking, ...notes];
  /** partial: some answers are missing, and `error` says why. */
  const status = stopped === null ? 'complete' : 'partial';
  const about = { schemaVersion: 1, evaluation: id, startedAt, status } as const;
  const rest = { asked, sentences, bars, unrecorded, judge, spent, outcomes, error: stopped?.toInfo() ?? null };
  return { ...about, ...summary, ...rest };
}

export type EvaluationReport = Readonly<ReturnType<typeof createReport>>;

type BarResult = ReturnType<ReturnType<typeof minimumBar>>[number];

const shownModel = (model: EvaluationReport['asked'][number]['model']): string =>
  model === null ? 'recordings' : modelLabel(model);

export const percent = (share: number | null): string => (share === null ? '–' : String(Math.round(share * 100)));

const signed = (share: number): string => `${Math.round(share * 100) > 0 ? '+' : ''}${points(share)}`;

const shownMoney = (usd: number | null): string => (usd === null ? '?' : usd === 0 ? '0' : money(usd));

const seconds = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));

function onOneLine(text: string, longest: number): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

const pValue = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));

type Rows = readonly (readonly string[])[];

const heads = ['arm', 'right %', '95 %', 'strict', 'failed', 'calls', 'tokens', 's', 'cost', 'conf. error'];

function armRows({ arms, baseline }: EvaluationReport): Rows {
  const rows = arms.map(({ name, n, accuracy, interval, strict, tokens, ...arm }) => [
    name + (name === baseline && arms.length > 1 ? ' (baseline)' : ''),
    ...(n === 0
      ? ['–', '–', '–']
      : [percent(accuracy), `${percent(interval.low)}–${percent(interval.high)}`, percent(strict)]),
    `${arm.failed}/${n}`,
    ...[arm.calls, tokens.input + tokens.output].map(grouped),
    seconds(arm.seconds),
    shownMoney(arm.cost),
    percent(arm.calibration.error),
  ]);
  return [heads, ...rows];
}

export function comparisonRows({ comparisons }: Pick<EvaluationReport, 'comparisons'>): Rows {
  const rows = comparisons.map(({ arm, baseline, difference, low, high, p, wins, losses, ties, strict }) => [
    `${arm} − ${baseline}`,
    signed(difference),
    `${signed(low)} to ${signed(high)}`,
    pValue(p),
    `${wins}/${losses}/${ties}`,
    signed(strict.difference),
  ]);
  return [['pairs', 'points', '95 %', 'p', 'won/lost/same', 'strict'], ...rows];
}

function confidenceRows({ arms }: EvaluationReport): Rows {
  const known = arms.filter(({ calibration }) => calibration.n > 0);
  const rows = known.map(({ name, calibration: { n, unknown, bias, error, auroc, aurc, riskAt } }) => [
    name,
    String(n),
    percent(unknown),
    bias === null ? '–' : signed(bias),
    percent(error),
    auroc?.toFixed(2) ?? '–',
    aurc?.toFixed(2) ?? '–',
    riskAt.map(({ risk }) => percent(risk)).join(' / '),
  ]);
  const heads = ['confidence', 'n', 'unknown %', 'bias', 'error', 'AUROC', 'AURC', 'wrong % at ¼ / ½ / ¾ / all'];
  return [heads, ...rows];
}

function judgeRows({ arms, judge }: EvaluationReport): Rows {
  const rows = arms.flatMap(({ name, judged }) => {
    if (judged === null) return [];
    return [
      [name, String(judged.n), percent(judged.accuracy), percent(judged.agreed), judged.kappa?.toFixed(2) ?? '–'],
    ];
  });
  return [[`judge ${judge}`, 'n', 'right %', 'agrees %', 'kappa'], ...rows];
}

function groupRows({ groups, arms }: EvaluationReport): Rows {
  const rows = groups.map(({ by, name, arms: shares }) => [
    `${by} ${onOneLine(name, 30)}`,
    ...arms.map((arm) => {
      const share = shares.find((one) => one.name === arm.name);
      return share === undefined ? '–' : `${percent(share.accuracy)} (${share.n})`;
    }),
  ]);
  return [['right % (n)', ...arms.map(({ name }) => name)], ...rows];
}

const tablesOf = (report: EvaluationReport): readonly { readonly name: string; readonly rows: Rows }[] =>
  [
    { name: 'Arms', rows: armRows(report) },
    { name: 'Comparisons', rows: comparisonRows(report) },
    { name: 'Confidence', rows: confidenceRows(report) },
    { name: 'Judge', rows: judgeRows(report) },
    { name: 'Parts', rows: groupRows(report) },
  ].filter(({ rows }) => rows.length > 1);

function worstRows({ worst }: EvaluationReport, longest: number): Rows {
  const rows = worst.map(({ sample, arm, score, baseline, question, wanted, answer, error, runId }) =>
    [
      sample,
      `${arm} ${percent(score)}${baseline === null ? '' : `, baseline ${percent(baseline)}`}`,
      question,
      wanted,
      answer ?? `failed: ${error}`,
      runId === null ? '' : `rlm runs show ${runId}`,
    ].map((cell) => onOneLine(cell, longest)),
  );
  return [['sample', 'arm', 'question', 'wanted', 'got', 'run'], ...rows];
}

function aboutOf({ samples, arms, asked }: EvaluationReport): string {
  const models = new Set(asked.map(({ model }) => shownModel(model)));
  return `${counted(samples, 'question')}, ${counted(arms.length, 'arm')}, ${[...models].join(', ')}`;
}

const saidIn = ({ sentences, bars }: EvaluationReport): readonly string[] => [
  ...sentences,
  ...bars.map(({ bar, isReached, found }) => `${isReached ? 'Reached' : 'MISSED'}: ${bar}: ${found}`),
];

const worstTitle = 'Worst cases';
const shownWorst = 5;

export function renderReportText(report: EvaluationReport): string {
  const said = saidIn(report).map((line) => `${line}\n`);
  const [, ...worst] = worstRows(report, 100);
  const cases = worst
    .slice(0, shownWorst)
    .map(
      ([sample, arm, question, wanted, got, run]) =>
        `${sample} (${arm}): ${question}\n  wanted ${wanted}\n  got    ${got}\n${run === '' ? '' : `  ${run}\n`}`,
    );
  const parts = [
    `${aboutOf(report)}\n`,
    ...tablesOf(report).map(({ rows }) => textTable(rows, (column) => column > 0)),
    said.join(''),
    cases.length === 0 ? '' : `${worstTitle}:\n${cases.join('')}`,
  ];
  return parts.filter(Boolean).join('\n');
}

export function renderMarkdown(report: EvaluationReport): string {
  const verdict = report.bars.every(({ isReached }) => isReached) ? '' : ': below the bar';
  const worst = markdownTable(worstRows(report, 120), () => false);
  return [
    `## Evaluation${verdict}`,
    '',
    inline(`${aboutOf(report)}, ${report.evaluation}`),
    '',
    ...saidIn(report).map((line) => `- ${inline(line)}`),
    ...tablesOf(report).flatMap(({ rows }) => ['', ...markdownTable(rows)]),
    ...folded(worstTitle, worst),
    '',
  ].join('\n');
}

const passing = 0.5;

function problemOf({ answer, error, score }: SampleOutcome): JunitCase['problem'] {
  if (answer === null)
    return { kind: 'error', type: error?.code ?? 'no-answer', lines: [error?.message ?? 'no answer'] };
  if (score.lenient >= passing) return null;
  const lines = [`scored ${percent(score.lenient)} of 100`, onOneLine(answer, 2_000)];
  return { kind: 'failure', type: 'score', lines };
}

function renderJUnit({ arms, outcomes, bars }: EvaluationReport, samples: readonly Sample[]): string {
  const questions = new Map(samples.map(({ id, question }) => [id, question]));
  const caseOf = (outcome: SampleOutcome): JunitCase => {
    const name = `${outcome.sample}: ${onOneLine(questions.get(outcome.sample) ?? '', 120)}`;
    return { name, ms: outcome.seconds * 1000, problem: problemOf(outcome), output: '' };
  };
  const gates = bars.map(({ bar, isReached, found }): JunitCase => {
    const problem = isReached ? null : ({ kind: 'failure', type: 'bar', lines: [found] } as const);
    return { name: bar, ms: 0, problem, output: '' };
  });
  const suites = [
    ...arms.map(({ name }) => ({ name, cases: outcomes.filter(({ arm }) => arm === name).map(caseOf) })),
    ...(gates.length === 0 ? [] : [{ name: 'bars', cases: gates }]),
  ];
  return junitXml(suites.map((suite) => ({ ...suite, className: `rlm.eval.${suite.name}` })));
}

type NamedShare = Summary['groups'][number]['arms'][number];

const markOf = ({ name, accuracy: share, interval, n }: NamedShare, group: string) => {
  return { name, share, ...interval, title: `${name}, ${group}: ${percent(share)} % of ${n}` };
};

/** Maximum number of tags with bars of their own. If there are more tags, none of them has bars. */
const mostTags = 6;

function accuracyBars({ arms, groups }: EvaluationReport): Markup | null {
  const tags = groups.filter(({ by }) => by === 'tag');
  const shown = [{ name: 'all', arms }, ...(tags.length <= mostTags ? tags : [])];
  const barsOf = (shares: readonly NamedShare[], group: string) =>
    shares.flatMap((arm) => (arm.n === 0 ? [] : markOf(arm, group)));
  return barsMarkup(shown.map(({ name, arms: shares }) => ({ name, bars: barsOf(shares, name) })));
}

const lengthOf = (name: string): number => (name === '<1k' ? 0.5 : Number.parseInt(name, 10));

/** Plots accuracy by the length of the text. Returns null if all texts have the same length. */
function lengthPlot({ arms, groups }: EvaluationReport): Markup | null {
  const lengths = groups.filter(({ by }) => by === 'length');
  const series = arms.map(({ name }): PlotSeries => {
    const points = lengths.flatMap((group) => {
      const own = group.arms.filter((arm) => arm.name === name);
      return own.map((arm) => ({ x: lengthOf(group.name), ...markOf(arm, group.name) }));
    });
    return { name, points };
  });
  return plotMarkup(series, 'length of the text in tokens', (x) => (x < 1 ? '<1k' : `${x}k`));
}

function costPlot({ arms }: EvaluationReport): Markup | null {
  const hasMoney = arms.some(({ cost }) => cost !== null && cost > 0) && arms.every(({ cost }) => cost !== null);
  const hasTokens = arms.some(({ tokens }) => tokens.input + tokens.output > 0);
  const [unit, show] = hasMoney
    ? (['USD', shownMoney] as const)
    : ([hasTokens ? 'tokens' : 'calls', (x: number) => (x < 10 ? x.toFixed(1) : grouped(Math.round(x)))] as const);
  const series = arms.map(({ name, cost, tokens, calls, n, accuracy: share, interval }): PlotSeries => {
    const x = (hasMoney ? cost! : hasTokens ? tokens.input + tokens.output : calls) / Math.max(1, n);
    const title = `${name}: ${percent(share)} % at ${show(x)} ${unit} an answer`;
    return { name, points: [{ x, share, ...interval, title }] };
  });
  return plotMarkup(series, `${unit} an answer`, show);
}

export function renderHtml(report: EvaluationReport): string {
  const { evaluation, startedAt, asked, arms } = report;
  const models = asked.map(({ name, model }) => `${name}: ${shownModel(model)}`);
  const tables = tablesOf(report).map(({ name, rows }) =>
    sectionMarkup(name.toLowerCase(), name, tableMarkup(name, rows)),
  );
  const cases = tableMarkup(worstTitle, worstRows(report, 1_000), () => false);
  const body = html`<main><header class="head"><div><p class="brand">rlm eval</p><h1>Evaluation</h1><p class="facts">${counted(report.samples, 'question')}, ${startedAt}. ${models.join('; ')}</p></div></header>
<section class="card" aria-label="summary">${listMarkup(saidIn(report))}${accuracyBars(report)}</section>
${tables}
${sectionMarkup('length', 'By length', lengthPlot(report))}${sectionMarkup('cost', 'By cost', html`${costPlot(report)}${legendMarkup(arms.map(({ name }) => name))}`)}
${cases && html`<section class="card"><details class="fold"><summary>${worstTitle}</summary>${cases}</details></section>`}</main>`;
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

export const renderEvaluation = (form: string, report: EvaluationReport, samples: readonly Sample[]): string =>
  forms[form]!(report, samples);
