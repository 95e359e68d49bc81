/** The commands of a chat: lines that begin with a slash and a word. */
import { RlmError } from '../../errors.ts';
import { type Result, renderReport } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { openOutputFile } from '../output/output-file.ts';
import { sourceLines } from '../render/text.ts';
import { oneLine } from '../terminal.ts';

/** A typed command, such as `/report pool.html`. */
interface ChatCommand {
  readonly name: string;
  /** What follows the name. */
  readonly given: string;
}

const helpText = `/sources        show the sources of the last answer
/report [FILE]  write the last answer as an HTML report
/help           show this list
/quit           end the chat (also Ctrl-D)

Ctrl-C stops an answer. A line that ends with \\ continues on the next line.`;

const names: readonly string[] = ['help', 'quit', 'sources', 'report'];

/** Parses a line; null for a question. `/etc/hosts` is no command. */
export function commandIn(line: string): ChatCommand | null {
  const [, name, given = ''] = /^\/([A-Za-z]+)(?:\s+(.*))?$/.exec(line) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), given: given.trim() };
}

function answered(last: Result | null): Result {
  if (last !== null) return last;
  throw new RlmError('usage', 'there is no answer yet', { hint: 'Ask a question first.' });
}

async function writeReport(given: string, last: Result, { stdout, redactor }: Invocation): Promise<string> {
  const { text } = await renderReport(last.runId, 'html');
  const file = given === '' ? `rlm-report-${last.runId}.html` : given;
  const output = openOutputFile(file, stdout, redactor);
  output.write(text);
  output.close();
  return oneLine(file, 4_096);
}

/**
 * Runs a command other than /quit.
 * @param last the result of the last question that got an answer.
 * @returns what it prints.
 * @throws RlmError `usage` for an unknown command, and before the first answer; as `rlm report` does.
 */
export async function runCommand({ name, given }: ChatCommand, last: Result | null, invocation: Invocation) {
  if (name === 'help') return helpText;
  if (name === 'sources') {
    const lines = sourceLines(answered(last), invocation.stdout.style);
    return lines.length === 0 ? 'The last answer cites nothing.' : lines.join('\n');
  }
  if (name === 'report') return writeReport(given, answered(last), invocation);
  throw new RlmError('usage', `a chat has no command /${oneLine(name, 40)}`, {
    hint: `The commands are ${names.map((one) => `/${one}`).join(', ')}.`,
  });
}
