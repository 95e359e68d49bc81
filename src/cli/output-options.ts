import type { Invocation, OptionSpec } from './command.ts';

/** The options that say how a run's outcome is handed over. */
export const outputOptions: readonly OptionSpec[] = [
  { flags: '--json', about: 'print one JSON object (same as --format json)', conflicts: ['format'] },
  {
    flags: '--format <format>',
    about: 'text, json (one object), or ndjson (one event a line, the last holds the result)',
    choices: ['text', 'json', 'ndjson'],
  },
  { flags: '-o, --output <file>', about: 'write the answer to a file instead of stdout; - is stdout' },
  { flags: '-q, --quiet', about: 'nothing on stderr but errors', conflicts: ['verbose'] },
  { flags: '-v, --verbose', about: 'structured logs on stderr, one JSON object a line' },
];

type Format = 'text' | 'json' | 'ndjson';

/** How a run's outcome is handed over. */
export interface OutputRequest {
  readonly format: Format;
  readonly outputFile: string | null;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The file of `-o`; null for stdout, which `-` stands for as in other programs. */
export function outputFileOf({ output }: Invocation['options']): string | null {
  return typeof output === 'string' && output !== '-' ? output : null;
}

export function readOutputOptions({ options }: Pick<Invocation, 'options'>): OutputRequest {
  return {
    format: options['json'] === true ? 'json' : ((options['format'] as Format | undefined) ?? 'text'),
    outputFile: outputFileOf(options),
    quiet: options['quiet'] === true,
    verbose: options['verbose'] === true,
  };
}
