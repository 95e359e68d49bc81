/** Renders the report as Markdown for a pull request. */
import { counted } from '../../base/counted.ts';
import type { EvaluationReport } from './evaluation-report.ts';
import { armRows, comparisonRows, confidenceRows, groupRows, judgeRows, onOneLine, shownModel } from './figures.ts';

/** Escapes untrusted text in a cell, so that it forms no pipe, tag, link or mention. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]|#!~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/@/g, '@\u200b');

const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |\n`;

/** Renders rows as a table; the first is its head. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head, ...rest] = rows;
  if (head === undefined || rest.length === 0) return '';
  const rule = `| ${head.map((_, column) => (column === 0 ? '---' : '---:')).join(' | ')} |\n`;
  return `${row(head)}${rule}${rest.map(row).join('')}\n`;
}

function worstTable({ worst }: EvaluationReport): string {
  if (worst.length === 0) return '';
  const rows = worst.map(({ sample, arm, question, wanted, answer, error }) => [
    onOneLine(sample, 24),
    arm,
    onOneLine(question, 100),
    onOneLine(wanted, 80),
    onOneLine(answer ?? `failed: ${error}`, 120),
  ]);
  const inner = markdownTable([['sample', 'arm', 'question', 'wanted', 'got'], ...rows]);
  return `<details><summary>Worst cases</summary>\n\n${inner}</details>\n`;
}

/** Renders the report as Markdown. */
export function renderMarkdown(report: EvaluationReport): string {
  const { bars, sentences, evaluation, samples, asked } = report;
  const models = [...new Set(asked.map(({ model }) => shownModel(model)))];
  const verdict = bars.every(({ isReached }) => isReached) ? '' : ': below the bar';
  return [
    `## Evaluation${verdict}\n\n`,
    `${counted(samples, 'question')}, ${escapeMarkdown(models.join(', '))}, ${evaluation}\n\n`,
    sentences.map((sentence) => `- ${escapeMarkdown(sentence)}\n`).join(''),
    bars
      .map(({ bar, isReached, found }) => `- ${isReached ? '✓' : '✗'} ${escapeMarkdown(`${bar}: ${found}`)}\n`)
      .join(''),
    '\n',
    markdownTable(armRows(report)),
    markdownTable(comparisonRows(report)),
    markdownTable(confidenceRows(report)),
    markdownTable(judgeRows(report)),
    markdownTable(groupRows(report)),
    worstTable(report),
  ].join('');
}
