import type { ExitCode } from '../errors.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Output } from './terminal.ts';

/** The input and output of a command. Tests can create one. */
export interface Invocation {
  /** Positional arguments in the order of the command's `args`. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  /** Options by their camelCase name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The redactor for other outputs. The two streams already use it. */
  readonly redactor: Redactor;
  /** Every command. */
  readonly commands: readonly CommandSpec[];
}

/** A kind of value that is looked up when a command line is completed. */
export type ValueKind = 'models' | 'runs' | 'indexes' | 'roles' | 'settings' | 'tools';

/** The topic of an option. */
export type OptionGroup = 'question' | 'text' | 'model' | 'limits' | 'output' | 'keeping';

/** A command line option. */
export interface OptionSpec {
  /** The flags in commander's syntax: `-o, --output <file>`. */
  readonly flags: string;
  readonly about: string;
  /** Its topic. Options without a group belong to their command alone and are always on the first page of help. */
  readonly group?: OptionGroup;
  /** A one-line text for the first page of help. An option with a group but no `brief` is shown only by `--all`. */
  readonly brief?: string;
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
  /** Long names of options that cannot be given together with this one, in camelCase. */
  readonly conflicts?: readonly string[];
  /** Whether it can be given more than once. Its value is then a list. */
  readonly isRepeatable?: boolean;
}

/** A positional argument. */
export interface ArgumentSpec {
  /** The name in commander's syntax: `<question>`, `[paths...]`. */
  readonly name: string;
  readonly about: string;
  /** Its possible values, for completion. */
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
}

/** A command as data. Adding one is a file in `commands/` and a line in its index. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Further information, shown below the options. */
  readonly note?: string;
  /** Command lines with a description. */
  readonly examples: readonly (readonly [line: string, about: string])[];
  /** Loads and runs the command. Resolves to the exit status. */
  run(invocation: Invocation): Promise<ExitCode>;
}
