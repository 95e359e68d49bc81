import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { createProcessRedactor } from '../config/layers.ts';
import { type ExitCode, RlmError, toRlmError } from '../errors.ts';
import { type CommandSpec, checkEffect, colorOption, helpOption, type Invocation, type OptionSpec } from './command.ts';
import { commands } from './commands/index.ts';
import { helpPage } from './help.ts';
import { createOutput, errorText, guardOutput, printable } from './terminal.ts';

function toOption({ flags, about, choices, conflicts, isRepeatable }: OptionSpec): Option {
  const option = new Option(flags, about);
  if (isRepeatable) option.argParser((value, before: string[] | undefined) => [...(before ?? []), value]);
  if (choices) option.choices([...choices]);
  if (conflicts) option.conflicts([...conflicts]);
  return option;
}

function outputsFor(options: Readonly<Record<string, unknown>>) {
  const choice = (options['color'] as 'auto' | 'always' | 'never' | undefined) ?? 'auto';
  return { stdout: createOutput(process.stdout, choice), stderr: createOutput(process.stderr, choice) };
}

type RunSpec = (spec: CommandSpec, given: Pick<Invocation, 'args' | 'options'>) => Promise<void>;

function toEntry(spec: CommandSpec): Command {
  const entry = new Command(spec.name).description(spec.about);
  for (const { name, about } of spec.args) entry.argument(name, about);
  return entry;
}

function toCommand(spec: CommandSpec, isHelpWhole: boolean, run: RunSpec): Command {
  const command = toEntry(spec).allowExcessArguments(false);
  for (const option of [...spec.options, colorOption]) command.addOption(toOption(option));
  const listed = [...spec.options, colorOption, helpOption];
  command.configureHelp({ formatHelp: (_, helper) => helpPage(spec, listed, isHelpWhole, helper) });
  return command.action((...given: unknown[]) => {
    const options = command.opts();
    const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
    checkEffect(spec, command.args, Object.keys(options).filter(isGiven));
    return run(spec, { args: given.slice(0, spec.args.length) as Invocation['args'], options });
  });
}

const overview = `
Examples:
  $ rlm ask "What failed first, and why?" logs/      ask about files and folders
  $ cat build.log | rlm ask "What failed first?"     ask about piped text
  $ rlm doctor                                       check the installation

The word ask may be omitted: rlm "What failed first?" logs/

More: rlm <command> --help (--all: every option), rlm help exit-codes | environment | output
`;

/** @param listed the commands in the help and in suggestions for a mistyped command. */
function buildProgram(
  version: string,
  given: readonly string[],
  listed: readonly CommandSpec[],
  run: RunSpec,
): Command {
  const wanted = given.find((arg) => !arg.startsWith('-'));
  const program = new Command('rlm')
    .description('Answers questions about more text than a language model can read, and shows the evidence.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', overview);
  for (const spec of listed)
    program.addCommand(spec.name === wanted ? toCommand(spec, given.includes('--all'), run) : toEntry(spec));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
    command.helpOption(helpOption.flags, 'print this help');
  }
  return program;
}

function usageError(error: CommanderError, args: readonly string[]): RlmError {
  const [message = '', near] = error.message.replace(/^error: /, '').split('\n');
  const command = commands.find(({ name }) => name === args[0]);
  const help = `See ${command ? `rlm ${command.name} --help` : 'rlm --help'}.`;
  const isUnknown = error.code === 'commander.unknownCommand' && (near === undefined || args.some(isQuestion));
  const suggestion = isUnknown ? undefined : near?.replace(/^\((.*)\)$/, '$1');
  const askHint = isUnknown ? `To ask a question: ${askLine(args)}.` : '';
  // A question that begins with - is parsed as options.
  const isDashed = ['commander.unknownOption', 'commander.missingArgument'].includes(error.code);
  const dashed = isDashed ? dashedLine(args) : null;
  const dashHint = dashed === null ? '' : `Put -- before a question that begins with -: ${dashed}.`;
  return new RlmError('usage', message, { hint: [dashHint || suggestion, askHint, help].filter(Boolean).join(' ') });
}

function commandError(thrown: unknown, args: readonly string[]): RlmError {
  if (thrown instanceof CommanderError) return usageError(thrown, args);
  if ((thrown as NodeJS.ErrnoException | null)?.syscall !== 'uv_cwd') return toRlmError(thrown);
  const hint = 'Change to another folder with cd.';
  return new RlmError('input-missing', 'the current folder no longer exists', { hint });
}

/** `rlm help` becomes `rlm --help`, and `rlm help ask` becomes `rlm ask --help`. */
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const [first, topic, ...rest] = args;
  if (first === 'help' && topic === undefined) return ['--help'];
  return first === 'help' && commands.some(({ name }) => name === topic) ? [topic!, '--help', ...rest] : args;
}

/** Parses the arguments and runs a command. Reports errors on stderr and does not throw. Returns the exit status. */
export async function runProgram(args: readonly string[], version: string): Promise<ExitCode> {
  // The first call of Node's argument parser takes 1 ms, so it is called only for `--host` and for errors.
  const addresses = args.some((arg) => arg.startsWith('--host')) ? globalFlags(args).hosts : [];
  const redactor = createProcessRedactor(process.env, args, addresses);
  guardOutput(redactor);
  process.once('uncaughtException', crash);
  if (args.length === 0) return (await import('./actions/help.ts')).runStartPage(outputsFor({}).stdout);
  let code: ExitCode = 0;
  const given = withAsk(withoutHelpCommand(args));
  // If the first word is a command, only this command is set up, because setting up each command takes time.
  const named = commands.filter(({ name }) => name === given[0]);
  const listed = named.length > 0 ? named : commands;
  const program = buildProgram(version, given, listed, async (spec, words) => {
    code = await spec.run({ ...words, ...outputsFor(words.options), redactor, commands });
  });
  try {
    await program.parseAsync(given, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const error = commandError(thrown, given);
    await reportFailure(error, args, questionIn(program, thrown));
    return error.exitCode;
  }
}

function globalFlags(args: readonly string[]) {
  const options = {
    format: { type: 'string' },
    json: { type: 'boolean' },
    host: { type: 'string', multiple: true },
  } as const;
  const { format, json, host = [] } = parseArgs({ args: [...args], strict: false, options }).values;
  return { format: json ? 'json' : format, hosts: host.filter((one) => typeof one === 'string') };
}

/** Returns the question; empty if parsing failed and the first word may be an unknown flag. */
function questionIn(program: Command, thrown: unknown): string {
  const [first = ''] = program.commands.find((command) => command.name() === 'ask')?.args ?? [];
  return thrown instanceof CommanderError && first.startsWith('-') ? '' : first;
}

async function reportFailure(error: RlmError, args: readonly string[], question: string): Promise<void> {
  const { format } = globalFlags(args);
  if (format === 'json' || format === 'ndjson') {
    const { writeFailure } = await import('./render/failure.ts');
    process.stdout.write(writeFailure(question, error, format === 'ndjson'));
  }
  const { columns, isTTY } = process.stderr;
  if (!isTTY) return report(error);
  const { ownLines } = await import('./render/live/wrapped.ts');
  report(error, (text) => ownLines(text, columns || 80));
}

function report(error: RlmError, wrap = (text: string) => text): void {
  process.stderr.write(wrap(errorText(error)));
  if (error.code === 'internal' && error.cause instanceof Error)
    process.stderr.write(`${printable(error.cause.stack ?? '')}\n`);
}

/** Reports an uncaught error and exits, because Node's own report would bypass the redaction. */
function crash(thrown: unknown): never {
  const error = toRlmError(thrown);
  report(error);
  process.exit(error.exitCode);
}

const isCommand = (arg: string) => commands.some(({ name }) => name === arg);

/** Whether an argument looks like a question rather than a mistyped command, path or option. */
const isQuestion = (arg: string) => /\s|[?？]$|^\P{ASCII}/u.test(arg.trim());

/** Adds `ask` to a question without a command, even when options precede the question. */
function withAsk(args: readonly string[]): readonly string[] {
  const [head = ''] = args;
  const first = head.startsWith('-') ? args.find((arg) => isCommand(arg) || isQuestion(arg)) : head;
  return first === undefined || isCommand(first) || !isQuestion(first) ? args : ['ask', ...args];
}

const quoted = (arg: string) => (/^[\w./:-]+$/.test(arg) ? arg : `"${arg}"`);

/** Returns a command that asks a question. The question consists of the words before the first file or option. */
function askLine(args: readonly string[]): string {
  const after = args.findIndex((arg, index) => index > 0 && (arg.startsWith('-') || existsSync(arg)));
  const end = after === -1 ? args.length : after;
  return ['rlm ask', `"${args.slice(0, end).join(' ')}"`, ...args.slice(end).map(quoted)].join(' ');
}

function dashedLine(args: readonly string[]): string | null {
  const end = args.indexOf('--');
  const question = (end === -1 ? args : args.slice(0, end)).find((arg) => arg.startsWith('-') && isQuestion(arg));
  return question === undefined ? null : `rlm ask -- "${question}"`;
}
