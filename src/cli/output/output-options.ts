import type { Invocation, OptionSpec } from '../command.ts';
import { type RequestedReport, reportOptions, requestedReports } from './report-files.ts';
import { type Collector, collectorOf, otelOption } from './send-spans.ts';

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
    about: 'write the answer to a file instead of stdout; - is stdout',
    group: 'output',
    brief: 'write the answer to a file',
  },
  ...reportOptions,
  otelOption,
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
  /** The collector to send spans to, or null. */
  readonly collector: Collector | null;
}

/** Returns the file of `-o`. Null for stdout, which `-` stands for. */
export function outputFileOf({ output }: Invocation['options']): string | null {
  return typeof output === 'string' && output !== '-' ? output : null;
}

/** Reads the output options of a command line. Throws RlmError `usage` for an invalid collector. */
export function readOutputOptions({ options }: Pick<Invocation, 'options'>): OutputRequest {
  return {
    format: options['json'] === true ? 'json' : ((options['format'] as Format | undefined) ?? 'text'),
    outputFile: outputFileOf(options),
    streams: options['stream'] !== false,
    quiet: options['quiet'] === true,
    verbose: options['verbose'] === true,
    reports: requestedReports(options),
    collector: collectorOf(options['otel'], process.env),
  };
}
