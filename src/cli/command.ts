import { nearest } from '../base/nearest.ts';
import { type ExitCode, RlmError } from '../errors.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Output } from './terminal.ts';

/** The input and output of a command. */
export interface Invocation {
  /** The arguments, in the order of the command's `args`. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  /** The options, by camelCase name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The redactor for other outputs, such as files; `stdout` and `stderr` already redact. */
  readonly redactor: Redactor;
  readonly commands: readonly CommandSpec[];
}

/** The kinds of names that shell completion looks up. */
export type ValueKind = 'models' | 'runs' | 'indexes' | 'roles' | 'settings' | 'tools';

export type OptionGroup = 'question' | 'text' | 'model' | 'limits' | 'output' | 'keeping';

export interface OptionSpec {
  /** The option's names in commander's syntax: `-o, --output <file>`. */
  readonly flags: string;
  readonly about: string;
  /** Options without a group are on the first page of help. */
  readonly group?: OptionGroup;
  /** A shorter text for the first page of help. An option with a group is on that page only if it has a `brief`. */
  readonly brief?: string;
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
  /** CamelCase names of options that cannot be given together with this one. */
  readonly conflicts?: readonly string[];
  /** Another flag, such as `--index`, or a first argument. Without it, the option has no effect. */
  readonly needs?: string;
  /** Whether the option can be given more than once. If so, its value is a list. */
  readonly isRepeatable?: boolean;
}

export const colorOption: OptionSpec = {
  flags: '--color <when>',
  about: 'colour the output: auto (on a terminal), always, never',
  choices: ['auto', 'always', 'never'],
  group: 'output',
};

export const helpOption: OptionSpec = {
  flags: '-h, --help',
  about: 'print this help; with --all, every option',
  group: 'output',
};

export interface ArgumentSpec {
  /** The argument's name in commander's syntax: `<question>`, `[paths...]`. */
  readonly name: string;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly values?: ValueKind;
}

/** A command as data. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** The options (camelCase) that have an effect, by first argument. Other first arguments take all options. */
  readonly takes?: Readonly<Record<string, readonly string[]>>;
  readonly note?: string;
  readonly examples: readonly (readonly [line: string, about: string])[];
  run(invocation: Invocation): Promise<ExitCode>;
}

export interface ActionRequest extends Invocation {
  readonly names: readonly string[];
  readonly asJson: boolean;
}

export interface CommandAction<R = ActionRequest> {
  /** The kind and number of names after the action. Absent if the action takes none. `--last` replaces the names. */
  readonly names?: { readonly what: string; readonly least: number; readonly most: number };
  readonly example: string;
  run(request: R): Promise<void> | void;
}

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Throws RlmError `usage` for an option (camelCase) that this action does not take, or whose `needs` is not given.
 * Without this check, `rlm runs rm --dry-run` would remove runs.
 */
export function checkEffect(
  { name, options, examples, takes = {} }: CommandSpec,
  args: readonly string[],
  given: readonly string[],
) {
  const [action = ''] = args;
  const taken = Object.hasOwn(takes, action) ? takes[action]! : null;
  const [example] = examples.find(([line]) => `${line} `.startsWith(`rlm ${name} ${action} `)) ?? [];
  const seeHelp = `See rlm ${name} --help.`;
  const usage = (problem: string, hint = seeHelp) => new RlmError('usage', problem, { hint });
  const flags = given.map(flagOf);
  for (const [index, flag] of flags.entries()) {
    const needs = options.find((option) => option.flags.includes(flag))?.needs ?? action;
    if (needs !== action && !flags.includes(needs)) throw usage(`${flag} needs ${needs}`);
    if (taken !== null && flag !== '--color' && !taken.includes(given[index]!))
      throw usage(`rlm ${name} ${action} does not take ${flag}`, example && `For example: ${example}`);
  }
}

/** Returns an option that is text; null when it is not given, or given without a value. */
export function textOption(options: Invocation['options'], name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

/** Returns the named options that are given as text. */
export const textOptions = <K extends string>(options: Invocation['options'], ...names: readonly K[]) =>
  Object.fromEntries(names.flatMap((name) => (typeof options[name] === 'string' ? [[name, options[name]]] : []))) as {
    readonly [N in K]?: string;
  };

export const splitList = (text: string): string[] => text.split(',').flatMap((item) => item.trim() || []);

/** Returns an option that is a number; undefined when it is not given. Throws RlmError `usage`. */
export function numberOption(
  options: Invocation['options'],
  name: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER, isWhole = false } = {},
): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const number = Number(given);
  const isNumber = String(given).trim() !== '' && (isWhole ? Number.isInteger(number) : Number.isFinite(number));
  if (isNumber && number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
  throw new RlmError('usage', `${flagOf(name)} cannot be "${given}"`, {
    hint: `Give ${isWhole ? 'an integer' : 'a number'}, ${range}.`,
  });
}

/** Returns the action and names of a command line. Throws RlmError `usage` for a wrong action or number of names. */
export function chooseAction<R>(
  command: string,
  actions: Readonly<Record<string, CommandAction<R>>>,
  { args, options }: Pick<Invocation, 'args' | 'options'>,
): { readonly action: CommandAction<R>; readonly names: readonly string[] } {
  const name = args[0] as string;
  const names = [args[1] ?? []].flat() as readonly string[];
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const near = nearest(name, Object.keys(actions));
    throw new RlmError('usage', `rlm ${command} has no action "${name}"`, {
      hint: near ? `Did you mean rlm ${command} ${near}?` : `The actions are ${Object.keys(actions).join(', ')}.`,
    });
  }
  const misuse = (problem: string) =>
    new RlmError('usage', `rlm ${command} ${name} ${problem}`, { hint: `For example: ${action.example}` });
  const { what, least, most } = action.names ?? { what: '', least: 0, most: 0 };
  const isLast = options['last'] === true;
  if (names.length < least && !isLast) throw misuse(`needs ${what}`);
  const surplus = names[isLast ? 0 : most];
  if (surplus !== undefined) throw misuse(`does not take "${surplus}"`);
  return { action, names };
}

/** Runs the action that a command line names. Throws as `chooseAction` and the action do. */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, CommandAction>>,
  invocation: Invocation,
): Promise<ExitCode> {
  const { action, names } = chooseAction(command, actions, invocation);
  await action.run({ ...invocation, names, asJson: invocation.options['json'] === true });
  return 0;
}
