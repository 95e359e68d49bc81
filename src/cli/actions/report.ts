import { runsFolderOf } from '../../api/resume.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { failedResult } from '../../index.ts';
import type { JournalContent } from '../../journal/read-journal.ts';
import { outlineRun, type RunOutline } from '../../journal/run-outline.ts';
import { findRun, readRun } from '../../journal/runs.ts';
import { namedDocuments, readTrajectory } from '../../journal/trajectory.ts';
import type { AskedText, ReportRun } from '../../report/run.ts';
import type { Result } from '../../result.ts';
import type { Invocation } from '../command.ts';
import { openOutputFile } from '../output-file.ts';
import { outputFileOf } from '../output-options.ts';
import { oneLine } from '../terminal.ts';

/** What a run that has not come to its end has so far. */
function unendedResult({ status, resumable }: RunOutline, { run, calls, usedMs }: JournalContent): Result {
  const why = status === 'running' ? 'a process works on this run now' : 'this run was stopped before its end';
  const hint = resumable ? `To go on: rlm resume ${run.runId}` : '';
  const result = failedResult(run.task, new RlmError('interrupted', why, { hint }));
  const sum = (of: 'input' | 'output') => calls.reduce((total, { tokens }) => total + tokens[of], 0);
  const tokens = { input: sum('input'), output: sum('output') };
  const usage = { ...result.usage, calls: calls.length, tokens, wallTimeMs: usedMs, cost: null };
  return { ...result, runId: run.runId, provider: run.provider, model: run.model.model, usage, resumable };
}

function textOf({ run: { documents } }: JournalContent): AskedText {
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
  return { documents: documents.length, bytes, first: documents.slice(0, namedDocuments) };
}

/** A recorded run as reports are made of it. Throws RlmError as `findRun` and `readRun` do. */
async function recordedRun(name: string | null): Promise<ReportRun> {
  const run = await findRun(runsFolderOf(process.env, process.cwd()), name);
  const [outline, content] = [await outlineRun(run), await readRun(run)];
  const result = outline.isEnded && outline.end ? outline.end.result : unendedResult(outline, content);
  const trajectory = outline.isEnded ? readTrajectory(run.folder) : null;
  return { result, at: outline.at, text: textOf(content), trajectory, calls: content.calls };
}

/** The runs that are named; one that is not named is the newest. Throws RlmError `usage` for a wrong number. */
function wantedRuns(names: readonly string[], isComparison: boolean): (string | null)[] {
  const wanted = isComparison ? 2 : 1;
  if (names.length === wanted) return [...names];
  if (names.length === 0 && !isComparison) return [null];
  throw new RlmError('usage', isComparison ? '--compare needs two runs' : `there are ${names.length} runs`, {
    hint: 'To set two runs side by side: rlm report --compare RUN RUN. rlm runs list shows those that are there.',
  });
}

async function render(runs: readonly ReportRun[], format: string): Promise<string> {
  const [first, second] = runs;
  if (second !== undefined) return (await import('../../report/html/compare.ts')).toComparison(first!, second);
  if (format === 'markdown') return (await import('../../report/markdown.ts')).toMarkdown(first!);
  return (await import('../../report/html/page.ts')).toHtml(first!);
}

/** The file that a page is written to where none is named; null is stdout. */
const defaultFile = (names: readonly string[], format: string): string | null =>
  format === 'markdown' ? null : `rlm-report-${names.join('-')}.html`;

/** Runs `rlm report`. */
export async function runReport({ args, options, stdout, redactor }: Invocation): Promise<ExitCode> {
  const isComparison = options['compare'] === true;
  const format = (options['format'] as string | undefined) ?? 'html';
  if (isComparison && format === 'markdown') {
    throw new RlmError('usage', '--compare makes a page and no Markdown', { hint: 'Leave --format out.' });
  }
  const wanted = wantedRuns((args[0] as string[] | undefined) ?? [], isComparison);
  const runs: ReportRun[] = [];
  for (const name of wanted) runs.push(await recordedRun(name));
  const ids = runs.map(({ result }) => result.runId ?? 'run');
  const file = options['output'] === undefined ? defaultFile(ids, format) : outputFileOf(options);
  const output = openOutputFile(file, stdout, redactor);
  output.write(await render(runs, format));
  output.close();
  if (file !== null) stdout.write(`${oneLine(file, 4_096)}\n`);
  return 0;
}
