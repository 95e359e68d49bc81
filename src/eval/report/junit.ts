/** Renders the report as JUnit XML: a suite for each arm, a case for each sample. */
import type { EvaluationReport } from './evaluation-report.ts';
import { onOneLine } from './figures.ts';

/** Escapes text for XML 1.0, and removes characters that it does not allow. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Outcome = EvaluationReport['outcomes'][number];

/** The lowest score that passes. */
const passing = 0.5;

function caseOf(outcome: Outcome, question: string): string {
  const { sample, arm, score, seconds, answer, error } = outcome;
  const name = escapeXml(`${sample}: ${onOneLine(question, 120)}`);
  const head = `    <testcase classname="rlm.eval.${escapeXml(arm)}" name="${name}" time="${seconds.toFixed(3)}"`;
  if (answer === null) return `${head}><error message="${escapeXml(error?.message ?? 'no answer')}"/></testcase>\n`;
  if (score.lenient >= passing) return `${head}/>\n`;
  const message = `scored ${Math.round(score.lenient * 100)} of 100`;
  return `${head}><failure message="${message}">${escapeXml(onOneLine(answer, 2_000))}</failure></testcase>\n`;
}

function gateSuite({ bars }: EvaluationReport): string {
  if (bars.length === 0) return '';
  const cases = bars.map(({ bar, isReached, found }) => {
    const head = `    <testcase classname="rlm.eval.bars" name="${escapeXml(bar)}"`;
    return isReached ? `${head}/>\n` : `${head}><failure message="${escapeXml(found)}"/></testcase>\n`;
  });
  const missed = bars.filter(({ isReached }) => !isReached).length;
  return `  <testsuite name="bars" tests="${bars.length}" failures="${missed}" errors="0">\n${cases.join('')}  </testsuite>\n`;
}

/** Renders the report as JUnit XML; a case is a failure below half of the score, and an error without an answer. */
export function renderJUnit(report: EvaluationReport, questions: ReadonlyMap<string, string>): string {
  const suites = report.arms.map(({ name, n, failed }) => {
    const own = report.outcomes.filter(({ arm }) => arm === name);
    const failures = own.filter(({ answer, score }) => answer !== null && score.lenient < passing).length;
    const cases = own.map((outcome) => caseOf(outcome, questions.get(outcome.sample) ?? '')).join('');
    const head = `  <testsuite name="${escapeXml(name)}" tests="${n}" failures="${failures}" errors="${failed}">\n`;
    return `${head}${cases}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rlm eval">\n${suites.join('')}${gateSuite(report)}</testsuites>\n`;
}
