import { type ExitCode, RlmError } from '../../errors.ts';
import { compareRuns, type ReportFormat, renderReport } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { openOutputFile } from '../output/output-file.ts';
import { outputFileOf } from '../output/output-options.ts';
import { oneLine } from '../terminal.ts';

/** Returns the given runs. Null stands for the newest run. Throws RlmError `usage` for a wrong number of runs. */
function wantedRuns(names: readonly string[], isComparison: boolean): (string | null)[] {
  const wanted = isComparison ? 2 : 1;
  if (names.length === wanted) return [...names];
  if (names.length === 0 && !isComparison) return [null];
  throw new RlmError(
    'usage',
    isComparison ? '--compare needs two runs' : `rlm report takes one run, not ${names.length}`,
    {
      hint: 'To compare two runs: rlm report --compare RUN RUN. rlm runs list shows the recorded runs.',
    },
  );
}

/** Returns the file to write when none is given. Null means stdout. */
const defaultFile = (names: readonly string[], format: string): string | null =>
  format === 'markdown' ? null : `rlm-report-${names.join('-')}.html`;

/** Runs `rlm report`. */
export async function runReport({ args, options, stdout, redactor }: Invocation): Promise<ExitCode> {
  const isComparison = options['compare'] === true;
  const format = (options['format'] as ReportFormat | undefined) ?? 'html';
  if (isComparison && format === 'markdown') {
    throw new RlmError('usage', '--compare writes only HTML', { hint: 'Omit --format markdown.' });
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
