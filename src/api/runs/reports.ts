import { readOwnHead } from '../../base/files/own-file.ts';
import { RlmError } from '../../errors.ts';
import type { JournalContent } from '../../journal/journal.ts';
import { findRun, outlineRun, type RunOutline, readRun } from '../../journal/runs.ts';
import { namedDocuments, readTrajectory, type Trajectory } from '../../journal/trajectory.ts';
import type { CheckedResult } from '../../report/ci/junit.ts';
import { endedRun, type ReportedText, type ReportRun } from '../../report/run.ts';
import { failedResult, type Result } from '../../result.ts';
import type { CallTokens } from '../../state.ts';
import { type RunsOptions, runsFolderOf } from './recorded-runs.ts';

function unendedResult({ status, resumable }: RunOutline, { run, calls, lost, usedMs }: JournalContent): Result {
  const why = status === 'running' ? 'a process works on this run now' : 'this run was stopped before its end';
  const hint = resumable ? `To continue: rlm resume ${run.runId}` : '';
  const result = failedResult(run.task, new RlmError('interrupted', why, { hint }));
  const sum = (of: keyof CallTokens) =>
    [...calls, ...lost].reduce((total, { tokens }: { tokens: CallTokens }) => total + (tokens[of] ?? 0), 0);
  const [cacheRead, cacheWritten] = [sum('cacheRead'), sum('cacheWritten')];
  const tokens = { input: sum('input'), output: sum('output'), cacheRead, cacheWritten };
  const usage = { ...result.usage, calls: calls.length + lost.length, tokens, wallTimeMs: usedMs, cost: null };
  return { ...result, runId: run.runId, provider: run.provider, model: run.model.model, usage, resumable };
}

function textOf({ run: { documents } }: JournalContent): ReportedText {
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
  return { documents: documents.length, bytes, first: documents.slice(0, namedDocuments) };
}

/** A self-contained HTML page, or Markdown. */
export type ReportFormat = 'html' | 'markdown';

/**
 * Renders the report of a recorded run: its answer, its evidence, and its trajectory if one was kept.
 * @param runId the run's id or the beginning of it; null for the newest run.
 * @throws RlmError `run-missing`, `journal-damaged`; `usage` when several ids begin with `runId`.
 */
export async function renderReport(
  runId: string | null,
  format: ReportFormat = 'html',
  options: RunsOptions = {},
): Promise<{ readonly runId: string; readonly text: string }> {
  const run = await findRun(runsFolderOf(options), runId);
  const [outline, content] = [await outlineRun(run), await readRun(run)];
  const result = outline.isEnded && outline.end ? outline.end.result : unendedResult(outline, content);
  const trajectory = outline.isEnded ? readTrajectory(run.folder) : null;
  const report = { result, at: outline.at, text: textOf(content), trajectory, calls: content.calls };
  return { runId: result.runId ?? 'run', text: await renderers[format](report) };
}

/** Whether a file begins like an HTML report of a run. False for an unreadable file. */
export async function isReport(path: string): Promise<boolean> {
  const { pageStart } = await import('../../report/html/markup.ts');
  try {
    return readOwnHead(path, pageStart.length).toString() === pageStart;
  } catch {
    return false;
  }
}

/** A run that has ended in this process. */
export interface EndedRun {
  readonly result: Result;
  /** Null for a run that could not begin. */
  readonly trajectory: Trajectory | null;
}

const renderers = {
  html: async (run) => (await import('../../report/html/page.ts')).toHtml(run),
  markdown: async (run) => (await import('../../report/markdown.ts')).toMarkdown(run),
  junit: async (run) => (await import('../../report/ci/junit.ts')).toJunit(run),
  sarif: async (run, version) => (await import('../../report/ci/findings.ts')).toSarif(run, version),
  github: async (run) => (await import('../../report/ci/findings.ts')).toGithubAnnotations(run),
  gitlab: async (run) => (await import('../../report/ci/findings.ts')).toCodeQuality(run),
} satisfies Readonly<Record<string, (run: ReportRun, version: string) => Promise<string>>>;

/**
 * The form of a report: an HTML page, Markdown, a test case (JUnit XML), or claims at the lines that they cite (SARIF,
 * annotations for GitHub, code quality report for GitLab).
 */
export type ResultForm = keyof typeof renderers;

/**
 * Renders the report of a run that has ended.
 * @param version the version of this program, for SARIF.
 * @throws RlmError `usage` for an unknown form.
 */
export async function renderResult({ result, trajectory }: EndedRun, form: ResultForm, version = ''): Promise<string> {
  if (Object.hasOwn(renderers, form)) return renderers[form](endedRun(result, trajectory), version);
  const hint = `The forms are ${Object.keys(renderers).join(', ')}.`;
  throw new RlmError('usage', `there is no report in the form '${form}'`, { hint });
}

/**
 * Renders the report of checks: a table in Markdown, or a suite of test cases (JUnit XML).
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
