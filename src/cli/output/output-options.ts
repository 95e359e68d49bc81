import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type EndedRun, type ResultForm, renderResult } from '../../api/runs/reports.ts';
import { isSameFile } from '../../base/files/system.ts';
import { RlmError, toRlmError } from '../../errors.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Invocation, OptionSpec } from '../command.ts';
import type { Output } from '../terminal.ts';

/** The destination of an output. */
export interface Sink {
  /** Writes text. Never throws; `close` throws a failure. */
  write(text: string): void;
  /** Puts the written text in place. Throws RlmError `output-unwritable` when it could not be written. */
  close(): void;
  /** Drops the written text. The previous content stays. */
  discard(): void;
}

function unwritable(path: string, error: unknown): RlmError {
  const { code } = error as NodeJS.ErrnoException;
  const hint =
    code === 'EISDIR'
      ? 'It is a folder. Give a file in it.'
      : 'Give another file with -o, or make the file and its folder writable.';
  return new RlmError('output-unwritable', `${path} cannot be written (${code})`, { hint });
}

/** Writes to an open file. `close` throws the first failure. */
function createWriter(descriptor: number): Sink {
  let failure: unknown = null;
  return {
    write(text: string): void {
      try {
        if (failure === null) writeFileSync(descriptor, text);
      } catch (error) {
        failure = error;
      }
    },
    discard: () => closeSync(descriptor),
    close(): void {
      closeSync(descriptor);
      if (failure !== null) throw failure;
    },
  };
}

/** Opens a device, a named pipe or `>(command)`, which cannot be replaced by a draft and is written directly. */
const openStream = (path: string): Sink => createWriter(openSync(path, 'w'));

/**
 * Opens a draft beside the file, which replaces the file on `close`. If the process dies, the old file stays. The name
 * of the draft begins with a dot, so that reading the folder as input skips it.
 */
function openDraft(path: string, mode: number): Sink {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const writer = createWriter(openSync(draft, 'wx', mode));
  const remove = () => rmSync(draft, { force: true });
  process.once('exit', remove);
  return {
    write: writer.write,
    close() {
      writer.close();
      renameSync(draft, path);
      process.off('exit', remove);
    },
    discard() {
      writer.discard();
      remove();
    },
  };
}

const folder = () => Object.assign(new Error('is a folder'), { code: 'EISDIR' });

function open(path: string): Sink {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return openDraft(path, 0o666);
  if (found.isDirectory()) throw folder();
  if (!found.isFile()) return openStream(path);
  accessSync(path, constants.W_OK);
  return openDraft(realpathSync(path), found.mode & 0o777);
}

/** Wraps a sink: redacts secrets and converts every failure to an RlmError. */
function guarded(path: string, { write, close, discard }: Sink, redactor: Redactor): Sink {
  const guard = (work: () => void) => () => {
    try {
      work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  return { write: (text) => write(redactor.text(text)), close: guard(close), discard };
}

/**
 * Opens an output file, or stdout when the path is null. Commands call this before they spend anything.
 * @throws RlmError `output-unwritable`.
 */
export function openOutputFile(path: string | null, stdout: Output, redactor: Redactor): Sink {
  if (path === null) return { write: (text) => stdout.write(text), close: () => {}, discard: () => {} };
  try {
    return guarded(path, open(path), redactor);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A requested report. */
interface RequestedReport {
  readonly flag: string;
  /** The file to write. Null when the report goes elsewhere. */
  readonly path: string | null;
  /** Opens another destination. Null when the report goes to `path`. */
  readonly open: ((invocation: Invocation) => Sink) | null;
  /** The format of the report. */
  readonly form: ResultForm;
}

/** A kind of report with its option. */
interface ReportKind {
  /** The option by its camelCase name. */
  readonly option: string;
  readonly spec: OptionSpec;
  request(value: unknown): RequestedReport;
}

const toFile =
  (flag: string, form: ResultForm) =>
  (path: unknown): RequestedReport => ({ flag, path: String(path), open: null, form });

/** GitLab's default path of a code quality report. */
const codeQualityFile = 'gl-code-quality-report.json';

const annotations: Readonly<Record<string, RequestedReport>> = {
  github: {
    flag: '--annotations github',
    path: null,
    open: ({ stderr }) => ({ write: stderr.write, close: () => {}, discard: () => {} }),
    form: 'github',
  },
  gitlab: { flag: '--annotations gitlab', path: codeQualityFile, open: null, form: 'gitlab' },
};

/** The longest step summary that GitHub accepts, in bytes. */
const summaryBytes = 1024 * 1024;

/**
 * Opens the summary of the GitHub step. A text that GitHub would reject is replaced by a note.
 * @throws RlmError `usage` outside a GitHub step.
 */
export function openSummary({ redactor }: Invocation): Sink {
  const path = process.env['GITHUB_STEP_SUMMARY'];
  if (!path) {
    throw new RlmError('usage', '--step-summary needs the variable GITHUB_STEP_SUMMARY, which GitHub sets', {
      hint: 'Elsewhere, write Markdown to a file: --format markdown -o FILE.',
    });
  }
  let text = '';
  return {
    write: (more) => {
      text += redactor.text(more);
    },
    close: () =>
      appendFileSync(
        path,
        Buffer.byteLength(text) <= summaryBytes ? text : 'The answer of rlm is too long for this summary.\n',
      ),
    discard: () => {},
  };
}

const kinds: readonly ReportKind[] = [
  {
    option: 'report',
    spec: {
      flags: '--report <file>',
      about: 'also write an HTML report with the answer, its evidence and the steps of the run',
      brief: 'also write an HTML report with the evidence',
    },
    request: toFile('--report', 'html'),
  },
  {
    option: 'junit',
    spec: { flags: '--junit <file>', about: 'also write the result as a test case (JUnit XML)' },
    request: toFile('--junit', 'junit'),
  },
  {
    option: 'sarif',
    spec: { flags: '--sarif <file>', about: 'also write each claim that failed, with the lines that it cites (SARIF)' },
    request: toFile('--sarif', 'sarif'),
  },
  {
    option: 'annotations',
    spec: {
      flags: '--annotations <where>',
      about: `also report each claim at the lines that it cites: github (lines on stderr), gitlab (${codeQualityFile})`,
      choices: Object.keys(annotations),
    },
    request: (where) => annotations[String(where)]!,
  },
  {
    option: 'stepSummary',
    spec: { flags: '--step-summary', about: 'also add the answer to the summary of the GitHub step' },
    request: () => ({ flag: '--step-summary', path: null, open: openSummary, form: 'markdown' }),
  },
];

/** The options that request reports. */
const reportOptions: readonly OptionSpec[] = kinds.map(({ spec }) => ({ ...spec, group: 'output' }));

/** The camelCase names of these options. */
export const reportNames: readonly string[] = kinds.map(({ option }) => option);

/** Returns the reports that the options request. */
const requestedReports = (options: Invocation['options']): RequestedReport[] =>
  kinds.flatMap(({ option, request }) => (options[option] === undefined ? [] : [request(options[option])]));

/** Throws RlmError `usage` when two outputs name the same file, because the second would overwrite the first. */
export function checkDistinct(
  { outputFile, reports }: { readonly outputFile: string | null; readonly reports: readonly RequestedReport[] },
  logFile: string | null,
): void {
  const files = [
    { flag: 'the answer (-o)', path: outputFile },
    { flag: 'the log (--log-file)', path: logFile },
    ...reports,
  ];
  const named = files.flatMap(({ flag, path }) => (path === null ? [] : [{ flag, path }]));
  for (const [index, { flag, path }] of named.entries()) {
    const other = named.slice(0, index).find((one) => isSameFile(resolve(one.path), resolve(path)));
    if (other === undefined) continue;
    throw new RlmError('usage', `'${path}' cannot contain both ${other.flag} and ${flag}`, {
      hint: 'Name different files.',
    });
  }
}

/** Opens the outputs of the reports, before a run spends anything. Throws RlmError `output-unwritable`, `usage`. */
export function openReports(reports: readonly RequestedReport[], invocation: Invocation) {
  const { stdout, redactor } = invocation;
  const opened = reports.map(({ path, open, form }) => ({
    sink: open === null ? openOutputFile(path, stdout, redactor) : open(invocation),
    form,
  }));
  return {
    paths: reports.map(({ path }) => path),
    /** Writes all reports, except after a usage error. Resolves to the errors of reports that could not be written. */
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

/** The options for the output of a run. */
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
      'write the answer to a file instead of stdout (- is stdout); an existing file is replaced, an input is refused',
    group: 'output',
    brief: 'write the answer to a file',
  },
  ...reportOptions,
  {
    flags: '--no-stream',
    about: 'show the answer only after it is checked; otherwise a terminal shows it while the model writes it',
    group: 'output',
  },
  { flags: '-q, --quiet', about: 'print only errors on stderr', group: 'output', conflicts: ['verbose'] },
  { flags: '-v, --verbose', about: 'print structured logs on stderr, one JSON object per line', group: 'output' },
];

type Format = 'text' | 'markdown' | 'json' | 'ndjson';

/** The requested output of a run. */
export interface OutputRequest {
  readonly format: Format;
  readonly outputFile: string | null;
  /** Whether a terminal shows the answer while it is generated. */
  readonly streams: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** The reports to write in addition. */
  readonly reports: readonly RequestedReport[];
}

/** Returns the file of `-o`. Null for stdout, which `-` stands for. */
export function outputFileOf({ output }: Invocation['options']): string | null {
  return typeof output === 'string' && output !== '-' ? output : null;
}

/** Reads the output options of a command line. */
export function readOutputOptions({ options }: Pick<Invocation, 'options'>): OutputRequest {
  return {
    format: options['json'] === true ? 'json' : ((options['format'] as Format | undefined) ?? 'text'),
    outputFile: outputFileOf(options),
    streams: options['stream'] !== false,
    quiet: options['quiet'] === true,
    verbose: options['verbose'] === true,
    reports: requestedReports(options),
  };
}

declare const RLM_VERSION: string;
