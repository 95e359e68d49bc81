/** Reports of what has just ended: a run, or checks. Each form is loaded when it is asked for. */
import type { Trajectory } from '../../journal/trajectory.ts';
import type { CheckedResult } from '../../report/ci/junit.ts';
import type { SpanContext } from '../../report/otel.ts';
import { endedRun, type ReportRun } from '../../report/run.ts';
import type { Result } from '../../result.ts';

/** A run that has ended in this process. */
export interface EndedRun {
  readonly result: Result;
  /** Null for a run that could not begin. */
  readonly trajectory: Trajectory | null;
}

/** Makes a report; `version` is that of this program. */
type Render = (run: ReportRun, version: string) => Promise<string>;

const renderers = {
  html: async (run) => (await import('../../report/html/page.ts')).toHtml(run),
  markdown: async (run) => (await import('../../report/markdown.ts')).toMarkdown(run),
  junit: async (run) => (await import('../../report/ci/junit.ts')).toJunit(run),
  sarif: async (run, version) => (await import('../../report/ci/findings.ts')).toSarif(run, version),
  github: async (run) => (await import('../../report/ci/findings.ts')).toGithubAnnotations(run),
  gitlab: async (run) => (await import('../../report/ci/findings.ts')).toCodeQuality(run),
} satisfies Readonly<Record<string, Render>>;

/**
 * The form of a report: a page, Markdown, a test case (JUnit XML), claims at the lines that they cite (SARIF), or these
 * as annotations of GitHub or as a code quality report of GitLab.
 */
export type ResultForm = keyof typeof renderers;

/**
 * Makes the report of a run that has ended.
 * @param version of this program, which SARIF names.
 */
export const renderResult = ({ result, trajectory }: EndedRun, form: ResultForm, version = ''): Promise<string> =>
  renderers[form](endedRun(result, trajectory), version);

/** A run as a request to a collector (OTLP/JSON); null where nothing of it is known. */
export async function spansOf({ result, trajectory }: EndedRun, context: SpanContext): Promise<object | null> {
  const { toOtlp } = await import('../../report/otel.ts');
  return toOtlp(endedRun(result, trajectory), context);
}

/**
 * Makes the report of checks: a table in Markdown, or a suite of test cases (JUnit XML).
 * @param suite the name of the suite.
 */
export async function renderChecks(
  checks: readonly CheckedResult[],
  form: 'markdown' | 'junit',
  suite: string,
): Promise<string> {
  if (form === 'junit') return (await import('../../report/ci/junit.ts')).junitSuite(suite, checks);
  return (await import('../../report/markdown.ts')).checksMarkdown(checks);
}
