import { accessSync, chmodSync, constants, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type EndedRun, type ResultForm, renderResult } from '../../api/runs/reports.ts';
import { errnoOf, isSameFile } from '../../base/files/system.ts';
import { endWriting, openToWrite } from '../../base/files/write-stream.ts';
import { RlmError, toRlmError, unwritable } from '../../errors.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { type Invocation, type OptionSpec, textOption } from '../command.ts';
import type { Output } from '../terminal.ts';

/** The destination of an output. */
export interface Sink {
  /** Writes text. Never throws; after a failure, `close` throws. */
  write(text: string): void;
  /** Puts the written text in place. Throws RlmError `output-unwritable` when it could not be written. */
  close(): Promise<void>;
  /** Drops the written text; the previous content stays. */
  discard(): void;
}

const hints: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder. Give a file in it.',
  ENXIO: 'It is a named pipe that no process reads. Start the reader first.',
};

const failure = (path: string, error: unknown): RlmError =>
  unwritable(path, error, hints[errnoOf(error)] ?? 'Give another file, or make this one and its folder writable.');

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failure(path, error);
  }
}

/**
 * Writes to a draft beside the file, so that the old file stays if the process dies. The draft's name begins
 * with a dot, so that reading the folder as input skips it. Devices, named pipes and `>(command)` get no draft.
 */
function openFile(path: string, redactor: Redactor): Sink {
  const found = statSync(path, { throwIfNoEntry: false });
  const isReplaced = found === undefined || found.isFile();
  if (found?.isFile()) accessSync(path, constants.W_OK);
  const target = found?.isFile() ? realpathSync(path) : path;
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  const mode = (found?.mode ?? 0o666) & 0o777;
  const stream = isReplaced ? openToWrite(draft, 'wx', mode) : openToWrite(path, 'w');
  const remove = () => isReplaced && rmSync(draft, { force: true });
  process.once('exit', remove);
  // Sets the mode again, because opening removed the bits of the umask.
  if (found?.isFile()) chmodSync(draft, mode);
  return {
    write: (text) => void stream.write(redactor.text(text)),
    close: () =>
      endWriting(stream)
        .then(() => isReplaced && renameSync(draft, target))
        .then(() => void process.off('exit', remove))
        .catch((error: unknown) => {
          throw failure(path, error);
        }),
    discard() {
      stream.destroy();
      remove();
    },
  };
}

/** Opens an output file before a run spends anything; null is stdout. Throws RlmError `output-unwritable`. */
export const openOutputFile = (path: string | null, stdout: Pick<Output, 'write'>, redactor: Redactor): Sink =>
  path === null
    ? { write: (text) => stdout.write(text), close: async () => {}, discard: () => {} }
    : attempt(path, () => openFile(path, redactor));

/** The default path of GitLab's code quality report. */
const codeQualityFile = 'gl-code-quality-report.json';

/** The longest step summary that GitHub accepts, in bytes. */
const summaryBytes = 1024 * 1024;

/** Returns the path of the summary of the GitHub step. Throws RlmError `usage` if there is none. */
export function summaryPath(): string {
  const path = process.env['GITHUB_STEP_SUMMARY'];
  if (path) return path;
  throw new RlmError('usage', '--step-summary needs the variable GITHUB_STEP_SUMMARY, which GitHub sets', {
    hint: 'Elsewhere, write Markdown to a file: --format markdown -o FILE.',
  });
}

/** Opens the summary of the GitHub step. Throws RlmError `usage`, `output-unwritable`. */
export function openSummary({ redactor }: Invocation): Sink {
  const path = summaryPath();
  const stream = attempt(path, () => openToWrite(path, 'a'));
  let text = '';
  return {
    write: (more) => {
      text += redactor.text(more);
    },
    async close() {
      const isShort = Buffer.byteLength(text) <= summaryBytes;
      await endWriting(stream, isShort ? text : 'The answer of rlm is too long for this summary.\n').catch((error) => {
        throw failure(path, error);
      });
    },
    discard: () => void stream.destroy(),
  };
}

/** The options for reports, by camelCase name. Without `form`, the option's value is the form. */
const reportSpecs: Readonly<Record<string, OptionSpec & { readonly form?: ResultForm }>> = {
  report: {
    flags: '--report <file>',
    about: 'also write an HTML report with the answer, its evidence and the steps of the run',
    brief: 'also write an HTML report with the evidence',
    form: 'html',
  },
  junit: { flags: '--junit <file>', about: 'also write the result as a test case (JUnit XML)', form: 'junit' },
  sarif: {
    flags: '--sarif <file>',
    about: 'also write each claim that the text does not fully support, with the lines that the claim cites (SARIF)',
    form: 'sarif',
  },
  annotations: {
    flags: '--annotations <where>',
    about: `also report each claim at the lines that it cites: github (lines on stderr), gitlab (${codeQualityFile})`,
    choices: ['github', 'gitlab'],
  },
  stepSummary: {
    flags: '--step-summary',
    about: 'also add the answer to the summary of the GitHub step',
    form: 'markdown',
  },
};

export const reportNames: readonly string[] = Object.keys(reportSpecs);

/** Returns the requested reports. `path` is null if a report goes to stderr or to the summary of the GitHub step. */
const requestedReports = (options: Invocation['options']) =>
  Object.entries(reportSpecs).flatMap(([name, { flags, form }]) => {
    const value = options[name];
    const [flag] = flags.split(' ');
    if (value === undefined) return [];
    if (form !== undefined) return { flag, form, path: typeof value === 'string' ? value : null };
    const path = value === 'gitlab' ? codeQualityFile : null;
    return { flag: `${flag} ${value}`, form: value as ResultForm, path };
  });

/**
 * Throws RlmError `usage` when two outputs name the same file, because the second would overwrite the first, and for
 * `-`, because only the answer may go to stdout.
 */
export function checkDistinct(
  {
    outputFile,
    reports,
  }: {
    readonly outputFile: string | null;
    readonly reports: readonly { readonly flag: string | undefined; readonly path: string | null }[];
  },
  logFile: string | null,
): void {
  const files = [
    { flag: 'the answer (-o)', path: outputFile },
    { flag: 'the log (--log-file)', path: logFile },
    ...reports,
  ];
  const named = files.flatMap(({ flag, path }) => (path === null ? [] : [{ flag, path }]));
  for (const [index, { flag, path }] of named.entries()) {
    if (path === '-')
      throw new RlmError('usage', `${flag} cannot be "-"`, { hint: 'Name a file. stdout has the answer.' });
    const other = named.slice(0, index).find((one) => isSameFile(resolve(one.path), resolve(path)));
    if (other === undefined) continue;
    throw new RlmError('usage', `'${path}' cannot contain both ${other.flag} and ${flag}`, {
      hint: 'Name different files.',
    });
  }
}

/** Opens the outputs of the reports, before a run spends anything. Throws RlmError `output-unwritable`, `usage`. */
export function openReports({ reports }: OutputRequest, invocation: Invocation) {
  const { stderr, redactor } = invocation;
  const opened = reports.map(({ form, path }) => {
    const sink = form === 'markdown' ? openSummary(invocation) : openOutputFile(path, stderr, redactor);
    return { form, sink };
  });
  return {
    paths: reports.map(({ form, path }) => (form === 'markdown' ? summaryPath() : path)),
    /** Writes the reports, or discards them after a usage error. Resolves to the errors of the reports that failed. */
    async write(run: EndedRun): Promise<RlmError[]> {
      const failures: RlmError[] = [];
      const fail = (error: unknown) => void failures.push(toRlmError(error));
      for (const { sink, form } of opened) {
        if (run.result.error?.code === 'usage') sink.discard();
        else await renderResult(run, form, RLM_VERSION).then(sink.write).then(sink.close).catch(fail);
      }
      return failures;
    },
  };
}

export const outputOptions: readonly OptionSpec[] = [
  {
    flags: '--json',
    about: 'print one JSON object (same as --format json)',
    group: 'output',
    brief: 'print one JSON object',
    conflicts: ['format'],
  },
  {
    flags: '--format <format>',
    group: 'output',
    brief: 'text, markdown, json or ndjson',
    about:
      'text, markdown (for pull requests), json (one object), or ndjson (one event per line; the last contains the result)',
    choices: ['text', 'markdown', 'json', 'ndjson'],
  },
  {
    flags: '-o, --output <file>',
    about:
      'write the answer to a file instead of stdout (- is stdout); this and the files of reports replace an old file; an input is refused',
    group: 'output',
    brief: 'write the answer to a file',
  },
  ...Object.values(reportSpecs).map((spec) => ({ ...spec, group: 'output' as const })),
  {
    flags: '--no-stream',
    about: 'show the answer only after it is checked; otherwise a terminal shows it while the model writes it',
    group: 'output',
  },
  { flags: '-q, --quiet', about: 'print only errors on stderr', group: 'output', conflicts: ['verbose'] },
  { flags: '-v, --verbose', about: 'print structured logs on stderr, one JSON object per line', group: 'output' },
];

/** Returns the file of `-o`; null for stdout. */
export function outputFileOf(options: Invocation['options']): string | null {
  const output = textOption(options, 'output');
  return output === '-' ? null : output;
}

/** Reads the options of the output. `streams`: whether a terminal shows the answer while it is generated. */
export function readOutputOptions({ options }: Pick<Invocation, 'options'>) {
  const format = (options['format'] ?? 'text') as 'text' | 'markdown' | 'json' | 'ndjson';
  return {
    format: options['json'] === true ? 'json' : format,
    outputFile: outputFileOf(options),
    streams: options['stream'] !== false,
    quiet: options['quiet'] === true,
    verbose: options['verbose'] === true,
    reports: requestedReports(options),
  };
}

export type OutputRequest = ReturnType<typeof readOutputOptions>;

declare const RLM_VERSION: string;
