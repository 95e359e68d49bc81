import { type ExitCode, RlmError } from '../../errors.ts';
import { compareRuns, type ReportFormat, renderReport } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { openOutputFile } from '../output/output-file.ts';
import { outputFileOf } from '../output/output-options.ts';
import { oneLine } from '../terminal.ts';

/** The runs that are named; one that is not named is the newest. Throws RlmError `usage` for a wrong number. */
function wantedRuns(names: readonly string[], isComparison: boolean): (string | null)[] {
  const wanted = isComparison ? 2 : 1;
  if (names.length === wanted) return [...names];
  if (names.length === 0 && !isComparison) return [null];
  throw new RlmError('usage', isComparison ? '--compare needs two runs' : `there are ${names.length} runs`, {
    hint: 'To set two runs side by side: rlm report --compare RUN RUN. rlm runs list shows those that are there.',
  });
}

/** The file that a page is written to where none is named; null is stdout. */
const defaultFile = (names: readonly string[], format: string): string | null =>
  format === 'markdown' ? null : `rlm-report-${names.join('-')}.html`;

/** Runs `rlm report`. */
export async function runReport({ args, options, stdout, redactor }: Invocation): Promise<ExitCode> {
  const isComparison = options['compare'] === true;
  const format = (options['format'] as ReportFormat | undefined) ?? 'html';
  if (isComparison && format === 'markdown') {
    throw new RlmError('usage', '--compare makes a page and no Markdown', { hint: 'Leave --format out.' });
  }
  const [first = null, second = null] = wantedRuns((args[0] as string[] | undefined) ?? [], isComparison);
  const { runIds, text } = second === null ? await renderReport(first, format) : await compareRuns(first!, second);
  const file = options['output'] === undefined ? defaultFile(runIds, format) : outputFileOf(options);
  const output = openOutputFile(file, stdout, redactor);
  output.write(text);
  output.close();
  if (file !== null) stdout.write(`${oneLine(file, 4_096)}\n`);
  return 0;
}
