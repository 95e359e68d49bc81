import type { Invocation, OptionSpec } from '../command.ts';
import { type RequestedReport, reportOptions, requestedReports } from './report-files.ts';
import { type Collector, collectorOf, otelOption } from './send-spans.ts';

/** The options that say how a run's outcome is handed over. */
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
      'text, markdown (for pull requests), json (one object), or ndjson (one event a line, the last holds the result)',
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
    about: 'show the answer when it is checked, and not its words as they come; only a terminal shows these',
    group: 'output',
  },
  { flags: '-q, --quiet', about: 'nothing on stderr but errors', group: 'output', conflicts: ['verbose'] },
  { flags: '-v, --verbose', about: 'structured logs on stderr, one JSON object a line', group: 'output' },
];

type Format = 'text' | 'markdown' | 'json' | 'ndjson';

/** How a run's outcome is handed over. */
export interface OutputRequest {
  readonly format: Format;
  readonly outputFile: string | null;
  /** Whether the answer is shown as it comes, where there is a terminal. */
  readonly streams: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** What is written besides. */
  readonly reports: readonly RequestedReport[];
  /** Where spans are sent; null: nowhere. */
  readonly collector: Collector | null;
}

/** The file of `-o`; null for stdout, which `-` stands for as in other programs. */
export function outputFileOf({ output }: Invocation['options']): string | null {
  return typeof output === 'string' && output !== '-' ? output : null;
}

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
