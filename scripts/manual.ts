/** Generates manual pages (man-pages(7)) from the table of commands. */

import type { CommandSpec, OptionSpec } from '../src/cli/command.ts';
import { groupOptions } from '../src/cli/help.ts';
import { exitCodes } from '../src/errors.ts';

/** Escapes the characters that have a meaning in roff: backslashes, hyphens, and a dot or quote at a line start. */
const roff = (text: string): string =>
  text
    .replace(/\\/g, '\\(rs')
    .replace(/-/g, '\\-')
    .replace(/`/g, '\\(ga')
    .replace(/\^/g, '\\(ha')
    .replace(/~/g, '\\(ti')
    .replace(/^([.'])/gm, '\\&$1');

const bold = (text: string): string => `\\fB${roff(text)}\\fR`;
const quoted = (text: string): string => `"${text.replace(/"/g, '\\(dq')}"`;

/** Formats flags in bold and their values in normal type. */
const flagsText = (flags: string): string =>
  flags.replace(/(--?[\w-]+)|([^-\s][^-]*|-)|(\s+)/g, (_, flag?: string, rest?: string, space?: string) =>
    flag ? bold(flag) : (space ?? roff(rest!)),
  );

const item = (term: string, about: string): string => `.TP\n${term}\n${roff(about)}`;

function optionItem({ flags, about, choices }: OptionSpec): string {
  return item(flagsText(flags), choices ? `${about} (${choices.join(', ')})` : about);
}

/** Returns the options in the same groups as in help. */
const optionParts = (options: readonly OptionSpec[]): string[] =>
  groupOptions(options).flatMap(([title, members]) => [`.SS ${title}`, ...members.map(optionItem)]);

const section = (title: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [`.SH ${title}`, ...parts];

const example = ([line, about]: CommandSpec['examples'][number]): string => `.TP\n${bold(line)}\n${roff(about)}`;

/** The release that a page describes. */
export interface Release {
  readonly version: string;
  /** `2026-11-22`. */
  readonly date: string;
}

const header = (name: string, { version, date }: Release): string =>
  `.TH ${quoted(name.toUpperCase().replace(/-/g, '\\-'))} 1 ${quoted(date)} ${quoted(`rlm ${version}`)} "User Commands"`;

/** Returns the page of a command, with the same texts as `--help`. */
export function commandPage({ name, about, args, options, note, examples }: CommandSpec, release: Release): string {
  const synopsis = [bold(`rlm ${name}`), '[options]', ...args.map((arg) => roff(arg.name))].join(' ');
  const lines = [
    header(`rlm-${name}`, release),
    ...section('NAME', [`rlm\\-${roff(name)} \\- ${roff(about.replace(/\.$/, ''))}`]),
    ...section('SYNOPSIS', [synopsis]),
    ...section('DESCRIPTION', [roff(about), ...(note ? ['.PP', roff(note)] : [])]),
    ...section(
      'ARGUMENTS',
      args.map((arg) => item(bold(arg.name), arg.about)),
    ),
    ...section('OPTIONS', optionParts(options)),
    ...section('EXAMPLES', examples.map(example)),
    ...section('SEE ALSO', ['.BR rlm (1)']),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the page of the program, with its commands and exit statuses. */
function programPage(commands: readonly CommandSpec[], release: Release): string {
  const about = 'answers questions about more text than a language model can read, and shows the evidence';
  const statuses = Object.entries(exitCodes).map(([code, meaning]) => item(bold(code), meaning));
  const lines = [
    header('rlm', release),
    ...section('NAME', [`rlm \\- ${about}`]),
    ...section('SYNOPSIS', [`${bold('rlm')} command [options] [arguments]`]),
    ...section(
      'COMMANDS',
      commands.map(({ name, about: does }) => item(bold(name), does)),
    ),
    ...section('EXIT STATUS', statuses),
    ...section('SEE ALSO', [commands.map(({ name }) => `.BR rlm\\-${roff(name)} (1)`).join(',\n')]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns every manual page by its file name. */
export const manualPages = (commands: readonly CommandSpec[], release: Release): ReadonlyMap<string, string> =>
  new Map([
    ['rlm.1', programPage(commands, release)],
    ...commands.map((command) => [`rlm-${command.name}.1`, commandPage(command, release)] as const),
  ]);
