import { type ErrorInfo, kindOf } from '../../errors.ts';
import type { Result } from '../../result.ts';
import { visible } from '../html/markup.ts';
import { confidenceText, placeOf, type ReportRun } from '../run.ts';

/** A question as a test case. */
export interface JunitCase {
  readonly name: string;
  readonly result: Result;
  /** A message for each expectation that does not hold. */
  readonly failures: readonly string[];
}

/** Whether an error counts as a failure of the case. Any other error is reported as an error of the case. */
const isFailure = (error: ErrorInfo): boolean => kindOf(error) === 'bar';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function outputOf(result: Result): string {
  const sources = result.citations.map((citation) => `[${citation.number}] ${placeOf(citation)}`);
  return [result.answer ?? 'There is no answer.', confidenceText(result), ...sources].join('\n');
}

function outcomeOf({
  result: { error },
  failures,
}: JunitCase): { kind: 'failure' | 'error'; lines: readonly string[] } | null {
  if (error !== null && !isFailure(error)) return { kind: 'error', lines: [error.message, error.hint] };
  const lines = [...(error ? [error.message] : []), ...failures];
  return lines.length === 0 ? null : { kind: 'failure', lines };
}

function caseText(one: JunitCase, name: string, suite: string): string {
  const { result } = one;
  const outcome = outcomeOf(one);
  const lines = (outcome?.lines ?? []).filter(Boolean);
  const element = outcome
    ? `<${outcome.kind} message="${xmlAttribute(lines[0]!)}" type="${xmlAttribute(result.error?.code ?? 'expectation')}">${xmlText(lines.join('\n'))}</${outcome.kind}>`
    : '';
  return `    <testcase classname="${xmlAttribute(suite)}" name="${xmlAttribute(name)}" time="${seconds(result.usage.wallTimeMs)}">${element}<system-out>${xmlText(outputOf(result))}</system-out></testcase>`;
}

/** Returns a unique name for each case, because programs identify cases by name. */
function uniqueNames(cases: readonly JunitCase[]): string[] {
  const counts = new Map<string, number>();
  return cases.map(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Formats questions as a suite of test cases in JUnit XML. */
export function junitSuite(suite: string, cases: readonly JunitCase[]): string {
  const kinds = cases.map((one) => outcomeOf(one)?.kind);
  const count = (wanted: 'failure' | 'error') => kinds.filter((kind) => kind === wanted).length;
  const time = seconds(cases.reduce((sum, { result }) => sum + result.usage.wallTimeMs, 0));
  const totals = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" time="${time}"`;
  const names = uniqueNames(cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${xmlAttribute(suite)}" ${totals}>`,
    ...cases.map((one, index) => caseText(one, names[index]!, suite)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Formats a run as a suite with one case, which is named after its question. */
export const toJunit = ({ result }: ReportRun): string =>
  junitSuite('rlm', [{ name: result.task || 'question', result, failures: [] }]);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Replaces characters that XML does not allow, and lone surrogates. */
const allowed = (text: string): string => visible(text.toWellFormed()).replace(/[\ufffe\uffff]/g, '�');

/** Escapes text for an element. */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>]/g, (character) => entities[character]!);

/** Escapes text for a quoted attribute. */
export const xmlAttribute = (text: string): string =>
  allowed(text).replace(/[&<>"'\n\t]/g, (character) => entities[character]!);
