import type { ExitCode } from '../errors.ts';
import type { Redactor } from '../index.ts';
import type { Output } from './terminal.ts';

/** What a command works with. Everything but the entry can be called from a test. */
export interface Invocation {
  /** Positional arguments in the order of the command's `args`. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  /** Options by their camelCase name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** For what is written elsewhere; the two streams are redacted already. */
  readonly redactor: Redactor;
  /** Every command. */
  readonly commands: readonly CommandSpec[];
}

/** What a word of a command line may be, where that is found out when it is completed. */
export type ValueKind = 'models' | 'runs' | 'indexes' | 'roles' | 'settings' | 'tools';

/** What an option is about. */
export type OptionGroup = 'question' | 'text' | 'model' | 'limits' | 'output' | 'keeping';

/** A command line option. */
export interface OptionSpec {
  /** As commander reads it: `-o, --output <file>`. */
  readonly flags: string;
  readonly about: string;
  /** What it is about; left out for what only its command has, which is always on the first page of help. */
  readonly group?: OptionGroup;
  /** What the first page of help says of it, in one line; one of a group that has none is shown by `--all` alone. */
  readonly brief?: string;
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
  /** Long names of options that cannot be given together with this one, in camelCase. */
  readonly conflicts?: readonly string[];
  /** Whether it can be given more than once; then its values are a list. */
  readonly isRepeatable?: boolean;
}

/** A positional argument. */
export interface ArgumentSpec {
  /** As commander reads it: `<question>`, `[paths...]`. */
  readonly name: string;
  readonly about: string;
  /** Words that it may be, for completion. */
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
}

/** A command as data. Adding one is a file in `commands/` and a line in its index. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** What else should be known, below the options. */
  readonly note?: string;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, about: string])[];
  /** Loads what the command runs and runs it; resolves to the exit status. */
  run(invocation: Invocation): Promise<ExitCode>;
}
