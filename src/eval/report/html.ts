/** Renders the report as one self-contained HTML page without scripts. */
import type { EvaluationReport } from './evaluation-report.ts';
import {
  armRows,
  comparisonRows,
  confidenceRows,
  groupedFigure,
  groupRows,
  judgeRows,
  percent,
  shownModel,
  shownMoney,
} from './figures.ts';
import { colourOf, escapeHtml, type PlotSeries, renderBars, renderPlot } from './plot.ts';

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}th,td{padding:.25rem .75rem;border-bottom:1px solid #8886;text-align:right}
th:first-child,td:first-child{text-align:left}.wide td{text-align:left;vertical-align:top}.scroll{overflow-x:auto}svg{max-width:100%;height:auto}
.grid{stroke:#8885}.range{stroke:currentColor;stroke-width:1.5}.tick{font-size:12px;fill:currentColor}.key span{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}
.missed{font-weight:bold}code{overflow-wrap:anywhere}@media print{details{display:block}details>*{display:block}}`;

/** Tags with bars of their own, at most. */
const mostTags = 6;

const cells = (row: readonly string[], tag: string) =>
  row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('');

function table(rows: readonly (readonly string[])[], kind = ''): string {
  const [head, ...rest] = rows;
  if (head === undefined || rest.length === 0) return '';
  const body = rest.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<div class="scroll" tabindex="0"><table class="${kind}"><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Plots the accuracy of the arms over all samples, and for each tag where there are few. */
function barPlot({ arms, groups }: EvaluationReport): string {
  const tags = groups.filter(({ by }) => by === 'tag');
  const shown = [{ name: 'all', arms }, ...(tags.length <= mostTags ? tags : [])];
  return renderBars(
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

/** Plots accuracy by length; empty where all texts have one length. */
function lengthPlot({ arms, groups }: EvaluationReport): string {
  const lengths = groups.filter(({ by }) => by === 'length');
  const series = arms.map(({ name }): PlotSeries => {
    const points = lengths.flatMap((group) => {
      const share = group.arms.find((arm) => arm.name === name);
      if (share === undefined) return [];
      const { accuracy: y, interval, n } = share;
      return { x: lengthOf(group.name), y, ...interval, title: `${name}, ${group.name}: ${percent(y)} % of ${n}` };
    });
    return { name, points };
  });
  const plot = renderPlot(series, 'length of the text in tokens', (x) => (x < 1 ? '<1k' : `${x}k`));
  return plot === '' ? '' : `<h2>By length</h2>${plot}`;
}

/** Plots accuracy by cost per answer: money where known, else tokens, else calls. */
function costPlot({ arms }: EvaluationReport): string {
  const per = (total: number, n: number) => total / Math.max(1, n);
  const hasMoney = arms.some(({ cost }) => cost !== null && cost > 0) && arms.every(({ cost }) => cost !== null);
  const hasTokens = arms.some(({ tokens }) => tokens.input + tokens.output > 0);
  const takes = ({ cost, tokens, calls, n }: EvaluationReport['arms'][number]): number =>
    per(hasMoney ? cost! : hasTokens ? tokens.input + tokens.output : calls, n);
  const show = hasMoney ? shownMoney : (x: number) => (x < 10 ? String(Math.round(x * 10) / 10) : groupedFigure(x));
  const unit = hasMoney ? 'USD' : hasTokens ? 'tokens' : 'calls';
  const series = arms.map((arm): PlotSeries => {
    const title = `${arm.name}: ${percent(arm.accuracy)} % at ${show(takes(arm))} ${unit} an answer`;
    return { name: arm.name, points: [{ x: takes(arm), y: arm.accuracy, ...arm.interval, title }] };
  });
  return `<h2>By cost</h2>${renderPlot(series, `${unit} an answer`, show)}`;
}

function key({ arms }: EvaluationReport): string {
  const names = arms.map(({ name }, at) => `<span style="background:${colourOf(at)}"></span>${escapeHtml(name)}`);
  return `<p class="key">${names.join('')}</p>`;
}

function worstTable({ worst }: EvaluationReport): string {
  const rows = worst.map(({ sample, arm, question, wanted, answer, error, runId }) => [
    sample,
    arm,
    question,
    wanted,
    (answer ?? `failed: ${error}`).slice(0, 1_000),
    runId === null ? '' : `rlm runs show ${runId}`,
  ]);
  const inner = table([['sample', 'arm', 'question', 'wanted', 'got', 'run'], ...rows], 'wide');
  return inner === '' ? '' : `<details><summary>Worst cases</summary>${inner}</details>`;
}

/** Renders the report as an HTML page. */
export function renderHtml(report: EvaluationReport): string {
  const { sentences, bars, samples, evaluation, startedAt, asked } = report;
  const models = asked.map(({ name, model }) => `${name}: ${shownModel(model)}`);
  const gates = bars.map(({ bar, isReached, found }) => {
    const text = escapeHtml(`${isReached ? 'Reached' : 'Missed'}: ${bar}: ${found}`);
    return `<li class="${isReached ? '' : 'missed'}">${text}</li>`;
  });
  const said = sentences.map((sentence) => `<li>${escapeHtml(sentence)}</li>`);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>rlm eval ${escapeHtml(evaluation)}</title><style>${style}</style></head>
<body><main><h1>Evaluation</h1><p>${samples} questions, ${escapeHtml(startedAt)}. ${escapeHtml(models.join('; '))}</p>
<ul>${said.join('')}${gates.join('')}</ul>
${barPlot(report)}${table(armRows(report))}${table(comparisonRows(report))}${key(report)}${lengthPlot(report)}${costPlot(report)}
<h2>Confidence</h2>${table(confidenceRows(report)) || '<p>No arm reports a confidence.</p>'}
${table(judgeRows(report))}
<h2>Parts</h2>${table(groupRows(report)) || '<p>All questions are of one kind.</p>'}
${worstTable(report)}</main></body></html>
`;
}
