/** The reports of a run besides its answer: pages for people, files and lines for CI. */
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSameFile } from '../../base/files/same-file.ts';
import { RlmError, toRlmError } from '../../errors.ts';
import { type EndedRun, type ResultForm, renderResult } from '../../index.ts';
import type { Invocation, OptionSpec } from '../command.ts';
import { openOutputFile, type Sink } from './output-file.ts';

declare const RLM_VERSION: string;

/** A report that is asked for. */
export interface RequestedReport {
  readonly flag: string;
  /** The file that it replaces; null where it goes elsewhere. */
  readonly path: string | null;
  /** Null: the file. */
  readonly open: ((invocation: Invocation) => Sink) | null;
  /** The form that it is written in. */
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

/** Where GitLab looks for a code quality report by default. */
const codeQualityFile = 'gl-code-quality-report.json';

const annotations: Readonly<Record<string, RequestedReport>> = {
  github: {
    flag: '--annotations github',
    path: null,
    open: ({ stderr }) => ({ write: stderr.write, close: () => {}, discard: () => {} }),
    form: 'github',
  },
  gitlab: {
    flag: '--annotations gitlab',
    path: codeQualityFile,
    open: null,
    form: 'gitlab',
  },
};

/** GitHub takes no longer summaries of a step, in bytes. */
const summaryBytes = 1024 * 1024;

/**
 * Adds to the summary of the GitHub step. A summary that GitHub would refuse is replaced by a note.
 * @throws RlmError `usage` where there is no step.
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
      about: 'also write a page (HTML) with the answer, its evidence and how it came about',
      brief: 'also write a page (HTML) with the evidence',
    },
    request: toFile('--report', 'html'),
  },
  {
    option: 'junit',
    spec: { flags: '--junit <file>', about: 'also write the outcome as a test case (JUnit XML)' },
    request: toFile('--junit', 'junit'),
  },
  {
    option: 'sarif',
    spec: { flags: '--sarif <file>', about: 'also write each claim at the lines that it cites (SARIF)' },
    request: toFile('--sarif', 'sarif'),
  },
  {
    option: 'annotations',
    spec: {
      flags: '--annotations <where>',
      about: `also tell each claim at its lines: github (lines on stderr), gitlab (${codeQualityFile})`,
      choices: Object.keys(annotations),
    },
    request: (where) => annotations[String(where)]!,
  },
  {
    option: 'stepSummary',
    spec: { flags: '--step-summary', about: 'also add the answer to the summary of the GitHub step' },
    request: () => ({
      flag: '--step-summary',
      path: null,
      open: openSummary,
      form: 'markdown',
    }),
  },
];

/** The options that ask for reports. */
export const reportOptions: readonly OptionSpec[] = kinds.map(({ spec }) => ({ ...spec, group: 'output' }));

/** Those options by their camelCase names. */
export const reportNames: readonly string[] = kinds.map(({ option }) => option);

/** The reports that the options ask for. */
export const requestedReports = (options: Invocation['options']): RequestedReport[] =>
  kinds.flatMap(({ option, request }) => (options[option] === undefined ? [] : [request(options[option])]));

/** Throws RlmError `usage` when two of the files that are written are one: the last would be all that is left. */
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
    throw new RlmError('usage', `'${path}' cannot hold both ${other.flag} and ${flag}`, {
      hint: 'Name different files.',
    });
  }
}

/** Opens the outputs of the reports before anything is spent. Throws RlmError `output-unwritable`, `usage`. */
export function openReports(reports: readonly RequestedReport[], invocation: Invocation) {
  const { stdout, redactor } = invocation;
  const opened = reports.map(({ path, open, form }) => ({
    sink: open === null ? openOutputFile(path, stdout, redactor) : open(invocation),
    form,
  }));
  return {
    paths: reports.map(({ path }) => path),
    /** Writes all reports, except after a usage error. Resolves to the reports that could not be written. */
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
