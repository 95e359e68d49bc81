import { stripVTControlCharacters, styleText } from 'node:util';
import { type ExitCode, errorCodes, toRlmError } from '../errors.ts';
import type { Redactor } from '../secrets/redactor.ts';

export type ColorChoice = 'auto' | 'always' | 'never';

type Style = 'bold' | 'dim' | 'strikethrough' | 'cyan' | 'green' | 'yellow' | 'red';

export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Styles a text. Returns it unchanged if the stream gets no colour. */
  style(style: Style, text: string): string;
  /** Calls the listener once, when the reader closes the stream or writing fails. */
  onClosed(listener: () => void): void;
}

/** All control codes except line feed and tab. Untrusted text must not control a terminal. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Direction marks, which can disguise a name or a sentence. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const isInActions = (): boolean => process.env['GITHUB_ACTIONS'] === 'true';

/**
 * Keeps GitHub Actions from running a text as a workflow command. A line is a command if it begins with `::` or
 * contains `##[` (ActionCommand.cs of actions/runner).
 */
export const withoutCommands = (text: string): string =>
  isInActions() ? text.replace(/^(?=[^\S\n]*::)/gm, '> ').replaceAll('##[', '# #[') : text;

/** Does the same for a page of HTML, which is shown as before. */
export const withoutCommandsInHtml = (html: string): string =>
  isInActions() ? html.replace(/^([^\S\n]*):(?=:)/gm, '$1&#58;').replaceAll('##[', '#&#35;[') : html;

const withoutControls = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r\n/g, '\n')).replace(controls, '').replace(directions, '');

/** Removes escape sequences, control characters and direction marks; in GitHub Actions, also disables commands. */
export const printable = (text: string): string => withoutCommands(withoutControls(text));

/** Whether a line begins like the program's own lines, even with invisible or full-width characters. */
const looksOwn = (line: string): boolean =>
  /^\s*(rlm|sources)\s*:/i.test(line.normalize('NFKC').replace(/[\p{Cf}\p{Co}]/gu, ''));

/** Makes a message safe to show. Indents all lines but the first, so that none looks like a line of the program. */
export const indented = (text: string): string => printable(text).replaceAll('\n', '\n     ');

export const say = ({ stderr }: { readonly stderr: Pick<Output, 'write'> }, line: string): void =>
  stderr.write(`rlm: ${indented(line)}\n`);

/** Formats an error and its hint for stderr. */
export const errorText = ({ message, hint }: { readonly message: string; readonly hint: string }): string =>
  `rlm: ${indented(message)}\n${hint === '' ? '' : `     ${indented(hint)}\n`}`;

/** Reports failed writes on stderr, because stdout already has the result. Returns the exit status; 0: none failed. */
export async function reportUnwritten(writes: readonly unknown[], stderr: Output): Promise<ExitCode> {
  const failed = (await Promise.allSettled(writes)).filter((one) => one.status === 'rejected');
  for (const { reason } of failed) stderr.write(errorText(toRlmError(reason)));
  return failed.length === 0 ? 0 : errorCodes['output-unwritable'].exit;
}

/** Makes a model's text safe to show. A line that looks like a line of the program is marked as quoted. */
export function repliedText(text: string): string {
  const lines = printable(text).split('\n');
  return lines.map((line) => (looksOwn(line) ? `> ${line.trimStart()}` : line)).join('\n');
}

/** Converts a text to one line that is safe to show, shortened to `length` characters. */
export function oneLine(text: string, length = 100): string {
  const line = withoutControls(text).replace(/\s+/g, ' ').trim();
  const characters = [...(isInActions() ? line.replaceAll('##[', '# #[') : line)];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('');
}

/** Whether a stream gets colour, by precedence: the flag, NO_COLOR (no-color.org), FORCE_COLOR, TERM=dumb. */
function takesColor(stream: NodeJS.WriteStream, choice: ColorChoice, env: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

export function createOutput(stream: NodeJS.WriteStream, choice: ColorChoice, env = process.env): Output {
  const closing: (() => void)[] = [];
  const isColored = takesColor(stream, choice, env);
  return {
    isTerminal: stream.isTTY === true && env['TERM'] !== 'dumb',
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    write: (text) => {
      stream.write(text.replace(directions, ''));
    },
    style: (style, text) => (isColored && text !== '' ? styleText(style, text, { validateStream: false }) : text),
    onClosed: (listener) => {
      if (closing.push(listener) === 1) stream.once('error', () => closing.forEach((one) => void one()));
    },
  };
}

/**
 * Makes JSON safe to show. Escapes characters that JSON.stringify leaves unchanged: DEL, C1 control characters, line
 * separators and direction marks. In GitHub Actions, also escapes the beginning of a workflow command.
 */
export function escapeControls(json: string): string {
  return (isInActions() ? json.replaceAll('##[', '#\\u0023[') : json).replace(
    /[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a value as JSON that is safe to show; by default on one line. */
export const toJson = (value: unknown, indent?: number): string =>
  `${escapeControls(JSON.stringify(value, null, indent))}\n`;

function redactWrites(stream: NodeJS.WriteStream, redactor: Redactor): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? redactor.text(chunk) : chunk, ...rest);
}

const closedCodes = ['EPIPE', 'ERR_STREAM_DESTROYED'];
/** Exit statuses of SIGHUP, SIGINT and SIGTERM. */
export const interruptedStatuses: readonly number[] = [129, 130, 143];

/**
 * Redacts later writes, and handles write errors of stdout and stderr. The exit status is 0 if the reader closes
 * stdout (`| head -1`), and 2 if stdout fails in another way (disk full). An interruption keeps its own status.
 */
export function guardOutput(redactor: Redactor): void {
  if (!redactor.isIdle) for (const stream of [process.stdout, process.stderr]) redactWrites(stream, redactor);
  process.stderr.on('error', () => {});
  process.stdout.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {});
    const isClosed = closedCodes.includes(code);
    if (!isClosed) process.stderr.write(`rlm: stdout cannot be written (${code})\n`);
    process.once('exit', (status) => {
      if (!interruptedStatuses.includes(status)) process.exitCode = isClosed ? 0 : 2;
    });
  });
}
