/** Renders the report as text for a terminal. */
import { counted } from '../../base/counted.ts';
import type { EvaluationReport } from './evaluation-report.ts';
import { armRows, comparisonRows, confidenceRows, groupRows, judgeRows, onOneLine, shownModel } from './figures.ts';

type Rows = readonly (readonly string[])[];

/** Formats rows in columns; all but the first are right-aligned. */
function table(rows: Rows): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => [...row[column]!].length))) ?? [];
  const cell = (text: string, column: number) => {
    const blanks = ' '.repeat(widths[column]! - [...text].length);
    return column === 0 ? text + blanks : blanks + text;
  };
  return rows.map((row) => `${row.map(cell).join('  ').trimEnd()}\n`).join('');
}

const modelsOf = ({ asked }: EvaluationReport): string =>
  [...new Set(asked.map(({ model }) => shownModel(model)))].join(', ');

function worstText({ worst }: EvaluationReport, count: number): string {
  const cases = worst
    .slice(0, count)
    .map(({ sample, question, wanted, arm, score, baseline, answer, error, runId }) => {
      const scores = `${Math.round(score * 100)}${baseline === null ? '' : `, baseline ${Math.round(baseline * 100)}`}`;
      const said = answer === null ? `failed: ${onOneLine(error ?? '', 90)}` : onOneLine(answer, 100);
      const run = runId === null ? '' : `\n  rlm runs show ${runId}`;
      return `${onOneLine(sample, 24)} ${arm} (${scores}): ${onOneLine(question, 80)}\n  wanted ${onOneLine(wanted, 90)}\n  got    ${said}${run}\n`;
    });
  return cases.length === 0 ? '' : `\nWorst cases:\n${cases.join('')}`;
}

const part = (rows: Rows): string => (rows.length < 2 ? '' : `\n${table(rows)}`);

const shownWorst = 5;

/** Renders the report as text. */
export function renderReportText(report: EvaluationReport): string {
  const { samples, sentences, bars } = report;
  const head = `${counted(samples, 'question')}, ${counted(report.arms.length, 'arm')}, ${modelsOf(report)}\n\n`;
  const words = sentences.length === 0 ? '' : `\n${sentences.map((sentence) => `${sentence}\n`).join('')}`;
  const gates = bars.map(({ bar, isReached, found }) => `${isReached ? 'reached' : 'MISSED'}: ${bar}: ${found}\n`);
  return [
    head,
    table(armRows(report)),
    part(comparisonRows(report)),
    words,
    part(confidenceRows(report)),
    part(judgeRows(report)),
    part(groupRows(report)),
    worstText(report, shownWorst),
    gates.length === 0 ? '' : `\n${gates.join('')}`,
  ].join('');
}
