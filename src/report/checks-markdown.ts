/** The results of checks as Markdown, for the summary of a CI job. */
import { counted } from '../base/counted.ts';
import type { JunitCase } from './ci/junit.ts';
import { confidenceText } from './figures.ts';
import { inline } from './markdown-text.ts';

function row({ name, result, failures }: JunitCase): string {
  const why = failures.map(inline).join('<br>');
  const answer = result.answer === null ? '' : inline(result.answer.slice(0, 300));
  return `| ${failures.length === 0 ? '✅' : '❌'} | ${inline(name)} | ${why || answer} | ${confidenceText(result)} |`;
}

/** Formats the results of checks as a Markdown table. */
export function checksMarkdown(cases: readonly JunitCase[]): string {
  const passed = cases.filter(({ failures }) => failures.length === 0).length;
  const head = [
    `## ${passed} of ${counted(cases.length, 'check')} passed`,
    '',
    '| | check | outcome | confidence |',
    '| --- | --- | --- | --- |',
  ];
  return [...head, ...cases.map(row), ''].join('\n');
}
