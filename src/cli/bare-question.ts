/** Command lines with a question but no command, or with a question that looks like an option. */
import { existsSync } from 'node:fs';
import { commands } from './commands/index.ts';

const isCommand = (arg: string) => commands.some(({ name }) => name === arg);

/** Whether an argument looks like a question rather than a mistyped command, path or option. */
const isQuestion = (arg: string) => /\s|[?？]$|^\P{ASCII}/u.test(arg.trim());

/** Adds `ask` to a command line that has a question but no command, even when options precede the question. */
export function withAsk(args: readonly string[]): readonly string[] {
  const [head = ''] = args;
  const first = head.startsWith('-') ? args.find((arg) => isCommand(arg) || isQuestion(arg)) : head;
  return first === undefined || isCommand(first) || !isQuestion(first) ? args : ['ask', ...args];
}

/** Whether one of the arguments looks like a question. */
export const holdsQuestion = (args: readonly string[]): boolean => args.some(isQuestion);

const quoted = (arg: string) => (/^[\w./:-]+$/.test(arg) ? arg : `"${arg}"`);

/** Returns the `rlm ask` command line for these words: the question, then the existing files. */
export function askLine(args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const firstPath = words.findIndex((word, index) => index > 0 && existsSync(word));
  const end = firstPath === -1 ? words.length : firstPath;
  return ['rlm ask', `"${words.slice(0, end).join(' ')}"`, ...words.slice(end).map(quoted)].join(' ');
}

/** Returns the command line for a question that begins with `-`. Null when there is no such question. */
export function dashedLine(args: readonly string[]): string | null {
  const end = args.indexOf('--');
  const question = (end === -1 ? args : args.slice(0, end)).find((arg) => arg.startsWith('-') && isQuestion(arg));
  return question === undefined ? null : `rlm ask -- "${question}"`;
}
