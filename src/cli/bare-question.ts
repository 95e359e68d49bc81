/** Command lines that hold a question and no command, or a question that reads like an option. */
import { existsSync } from 'node:fs';
import { commands } from './commands/index.ts';

const isCommand = (arg: string) => commands.some(({ name }) => name === arg);

/** Whether an argument reads as a question, not as a mistyped command, path or option. */
const isQuestion = (arg: string) => /\s|[?？]$|^\P{ASCII}/u.test(arg.trim());

/** `rlm "What failed?" logs/` is `rlm ask "What failed?" logs/`, also with options before the question. */
export function withAsk(args: readonly string[]): readonly string[] {
  const [head = ''] = args;
  const first = head.startsWith('-') ? args.find((arg) => isCommand(arg) || isQuestion(arg)) : head;
  return first === undefined || isCommand(first) || !isQuestion(first) ? args : ['ask', ...args];
}

/** Whether one of the arguments reads as a question. */
export const holdsQuestion = (args: readonly string[]): boolean => args.some(isQuestion);

const quoted = (arg: string) => (/^[\w./:-]+$/.test(arg) ? arg : `"${arg}"`);

/** The command line that asks these words, with existing files after the question. */
export function askLine(args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const firstPath = words.findIndex((word, index) => index > 0 && existsSync(word));
  const end = firstPath === -1 ? words.length : firstPath;
  return ['rlm ask', `"${words.slice(0, end).join(' ')}"`, ...words.slice(end).map(quoted)].join(' ');
}

/** How a question that begins with `-` is asked, or null where there is none. */
export function dashedLine(args: readonly string[]): string | null {
  const end = args.indexOf('--');
  const question = (end === -1 ? args : args.slice(0, end)).find((arg) => arg.startsWith('-') && isQuestion(arg));
  return question === undefined ? null : `rlm ask -- "${question}"`;
}
