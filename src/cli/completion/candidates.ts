/** Completions of a word of a command line, from the table of commands. Typed text is never evaluated. */
import { settingsByKey } from '../../index.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec, ValueKind } from '../command.ts';
import type { Candidate } from './known-values.ts';

/** Finds the values of a kind. */
export type FindValues = (kind: ValueKind) => Promise<readonly Candidate[]>;

interface Line {
  readonly command: CommandSpec | null;
  /** The words between the command and the word to complete. */
  readonly before: readonly string[];
  readonly current: string;
}

const everywhere: readonly OptionSpec[] = [
  { flags: '-h, --help', about: 'print this help' },
  { flags: '--color <when>', about: 'colour the output', choices: ['auto', 'always', 'never'] },
];

const namesOf = ({ flags }: OptionSpec): string[] => flags.split(/[ ,]+/).filter((part) => part.startsWith('-'));

const takesValue = ({ flags }: OptionSpec): boolean => flags.includes('<');

const optionsOf = (command: CommandSpec): readonly OptionSpec[] => [...command.options, ...everywhere];

/** Returns the choices of a setting, from the message of its check. Empty when it has no fixed choices. */
function settingChoices({ flags }: OptionSpec): readonly string[] {
  const setting = [...settingsByKey.values()].find(({ flag }) => flag === flags);
  const checked = setting?.check('\0');
  const [, list] = checked && 'expected' in checked ? (/^expected one of (.*)$/.exec(checked.expected) ?? []) : [];
  return list?.split(', ') ?? [];
}

async function valuesOf(spec: OptionSpec | ArgumentSpec, find: FindValues): Promise<readonly Candidate[]> {
  const choices = (spec.choices ?? ('flags' in spec ? settingChoices(spec) : [])).map((one): Candidate => [one, '']);
  return [...choices, ...(spec.values ? await find(spec.values) : [])];
}

/** Returns the option whose value is completed, or null. */
function openOption({ command, before }: Line): OptionSpec | null {
  const last = before.at(-1);
  if (command === null || last === undefined || before.includes('--')) return null;
  return optionsOf(command).find((option) => takesValue(option) && namesOf(option).includes(last)) ?? null;
}

/** Counts the positional arguments before the word. */
function argumentsBefore({ command, before }: Line): number {
  let count = 0;
  let isValue = false;
  for (const [index, word] of before.entries()) {
    const isOption = word.startsWith('-') && word !== '-' && !before.slice(0, index).includes('--');
    if (!isValue && !isOption) count += 1;
    isValue = isOption && optionsOf(command!).some((one) => takesValue(one) && namesOf(one).includes(word));
  }
  return count;
}

function argumentAt(command: CommandSpec, position: number): ArgumentSpec | null {
  const last = command.args.at(-1);
  return command.args[position] ?? (last?.name.includes('...') ? last : null);
}

function optionCandidates({ command, before }: Line): Candidate[] {
  const given = (option: OptionSpec) => namesOf(option).some((name) => before.includes(name));
  return optionsOf(command!)
    .filter((option) => !given(option))
    .map((option) => [namesOf(option).at(-1)!, option.about]);
}

/** Returns completions of the form `--flag=value`. */
async function inlineCandidates({ command, current }: Line, find: FindValues): Promise<Candidate[]> {
  const flag = current.slice(0, current.indexOf('='));
  const option = optionsOf(command!).find((one) => takesValue(one) && namesOf(one).includes(flag));
  const values = option === undefined ? [] : await valuesOf(option, find);
  return values.map(([word, about]) => [`${flag}=${word}`, about]);
}

async function all(line: Line, commands: readonly CommandSpec[], find: FindValues): Promise<readonly Candidate[]> {
  const { command, before, current } = line;
  if (command === null) return current.startsWith('-') ? [] : commands.map(({ name, about }) => [name, about]);
  const open = openOption(line);
  if (open !== null) return valuesOf(open, find);
  if (current.startsWith('-') && !before.includes('--')) {
    return current.includes('=') ? inlineCandidates(line, find) : optionCandidates(line);
  }
  const argument = argumentAt(command, argumentsBefore(line));
  return argument === null ? [] : valuesOf(argument, find);
}

/** Splits the words of a command line. A question without a command belongs to `ask`. */
function lineOf(words: readonly string[], commands: readonly CommandSpec[]): Line {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ''];
  const [first] = before;
  if (first === undefined) return { command: null, before, current };
  const named = commands.find(({ name }) => name === first);
  if (named) return { command: named, before: before.slice(1), current };
  return { command: commands.find(({ name }) => name === 'ask')!, before, current };
}

/**
 * Returns completions of the last word of a command line, in the order of the table. Empty where a file is expected.
 * @param words the words after the program's name, as typed. The last word is completed and may be empty.
 */
export async function candidatesFor(
  words: readonly string[],
  commands: readonly CommandSpec[],
  find: FindValues,
): Promise<readonly Candidate[]> {
  const line = lineOf(words, commands);
  const found = await all(line, commands, find);
  // Excludes words that a shell would have to quote or could interpret.
  return found.filter(([word]) => word.startsWith(line.current) && /^[\w./:@%+=,-]+$/.test(word));
}
