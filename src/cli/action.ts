/** Commands with several actions, such as `list` and `show` of `rlm runs`. */
import { nearest } from '../base/nearest.ts';
import { RlmError } from '../errors.ts';
import type { Invocation } from './command.ts';

/** An action of a command. */
export interface CommandAction<R> {
  /** Its options by their camelCase name. Any option of the command when it is missing. */
  readonly takes?: readonly string[];
  /** What its arguments name, and how many it takes. Without it, none; `--last` stands for one. */
  readonly names?: { readonly what: string; readonly least: number; readonly most: number };
  /** A command line for error messages. */
  readonly example: string;
  run(request: R): Promise<void> | void;
}

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Returns the action that a command line names.
 * @throws RlmError `usage` for an unknown action, and for options and names that it does not take: otherwise
 *   `rlm runs rm --dry-run` would remove runs.
 */
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
  const { takes, names: { what, least, most } = { what: '', least: 0, most: 0 } } = action;
  const foreign = Object.keys(options).find((option) => takes && option !== 'color' && !takes.includes(option));
  if (foreign !== undefined) throw misuse(`does not take ${flagOf(foreign)}`);
  const isLast = options['last'] === true;
  if (names.length < least && !isLast) throw misuse(`needs ${what}`);
  const surplus = names[isLast ? 0 : most];
  if (surplus !== undefined) throw misuse(`does not take "${surplus}"`);
  return { action, names };
}
