import { type ErrorInfo, kindOf } from '../../errors.ts';
import type { Result } from '../../result.ts';
import { visible } from '../html/markup.ts';
import { confidenceText, placeOf, type ReportRun } from '../run.ts';

export interface JunitCase {
  readonly name: string;
  readonly ms: number;
  /** Null if the case passed. */
  readonly problem: { kind: 'failure' | 'error'; type: string; lines: readonly string[] } | null;
  readonly output: string;
}

/** A named list of test cases. Their class is `className`; by default, the name of the suite. */
export interface JunitSuite {
  readonly name: string;
  readonly className?: string;
  readonly cases: readonly JunitCase[];
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  ...{ '\n': '&#10;', '\t': '&#9;' },
};

/** Replaces characters that XML does not allow. */
const legalText = (text: string): string => visible(text.toWellFormed()).replace(/[\ufffe\uffff]/g, '�');

const escapeText = (text: string, special = /[&<>]/g): string =>
  legalText(text).replace(special, (character) => entities[character]!);
const quoted = (text: string): string => `"${escapeText(text, /[&<>"'\n\t]/g)}"`;
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function caseText({ ms, problem, output }: JunitCase, name: string, className: string): string {
  const lines = (problem?.lines ?? []).filter(Boolean);
  const fault = problem
    ? `<${problem.kind} message=${quoted(lines[0] ?? '')} type=${quoted(problem.type)}>${escapeText(lines.join('\n'))}</${problem.kind}>`
    : '';
  const printed = output === '' ? '' : `<system-out>${escapeText(output)}</system-out>`;
  return `    <testcase classname=${quoted(className)} name=${quoted(name)} time="${seconds(ms)}">${fault}${printed}</testcase>`;
}

/** Returns unique names of the cases, because programs identify cases by name. */
function uniqueNames(cases: readonly JunitCase[]): string[] {
  const counts = new Map<string, number>();
  return cases.map(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function totalsOf(cases: readonly JunitCase[]): string {
  const count = (kind: 'failure' | 'error') => cases.filter(({ problem }) => problem?.kind === kind).length;
  const time = seconds(cases.reduce((sum, { ms }) => sum + ms, 0));
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" time="${time}"`;
}

export function junitXml(suites: readonly JunitSuite[]): string {
  const bodies = suites.flatMap(({ name, className = name, cases }) => {
    const names = uniqueNames(cases);
    return [
      `  <testsuite name=${quoted(name)} ${totalsOf(cases)}>`,
      ...cases.map((one, index) => caseText(one, names[index]!, className)),
      '  </testsuite>',
    ];
  });
  const totals = totalsOf(suites.flatMap(({ cases }) => cases));
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${totals}>`, ...bodies, '</testsuites>', ''];
  return lines.join('\n');
}

/** A question with its result, and a message for each expectation that does not hold. */
export interface CheckedResult {
  readonly name: string;
  readonly result: Result;
  readonly failures: readonly string[];
}

/** An unmet expectation or a missed threshold is a failure of the case; any other error is an error of the case. */
function problemOf(error: ErrorInfo | null, failures: readonly string[]): JunitCase['problem'] {
  if (error === null && failures.length === 0) return null;
  const type = error?.code ?? 'expectation';
  if (error !== null && kindOf(error) !== 'bar') return { kind: 'error', type, lines: [error.message, error.hint] };
  return { kind: 'failure', type, lines: [...(error ? [error.message] : []), ...failures] };
}

export function junitSuite(suite: string, checks: readonly CheckedResult[]): string {
  const cases = checks.map(({ name, result, failures }) => {
    const sources = result.citations.map((citation) => `[${citation.number}] ${placeOf(citation)}`);
    const output = [result.answer ?? 'There is no answer.', confidenceText(result), ...sources].join('\n');
    return { name, ms: result.usage.wallTimeMs, problem: problemOf(result.error, failures), output };
  });
  return junitXml([{ name: suite, cases }]);
}

/** Formats a run as a suite with one case, which is named after its question. */
export const toJunit = ({ result }: ReportRun): string =>
  junitSuite('rlm', [{ name: result.task || 'question', result, failures: [] }]);
