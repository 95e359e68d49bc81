import { stripVTControlCharacters } from 'node:util';
import { Chalk } from 'chalk';
import type { Redactor } from '../index.ts';

/** When to colour. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** How text may look. */
type Style = 'bold' | 'dim' | 'strikethrough' | 'cyan' | 'green' | 'yellow' | 'red';

/** One of the program's two output streams. */
export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** The text in that style where the stream takes colour, else as it is. */
  style(style: Style, text: string): string;
  /** Calls back once, when nobody reads the stream any more or it cannot be written. */
  onClosed(listener: () => void): void;
}

/** Control codes of every kind but line feed and tab: text from outside may not steer a terminal. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What sets the direction of text: it can make a name or a sentence read as another one. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text that is safe to show: without escape sequences, control characters and controls of direction. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n/g, '\n')).replace(controls, '').replace(directions, '');
}

/** How the program's own lines begin, whatever invisible or wide characters stand for them. */
const looksOwn = (line: string): boolean =>
  /^\s*(rlm|sources)\s*:/i.test(line.normalize('NFKC').replace(/[\p{Cf}\p{Co}]/gu, ''));

/** A model's text that is safe to show: a line that could be taken for one of the program's own is marked as quoted. */
export function repliedText(text: string): string {
  const lines = printable(text).split('\n');
  return lines.map((line) => (looksOwn(line) ? `> ${line.trimStart()}` : line)).join('\n');
}

/** One line that is safe to show, shortened to a length in characters. */
export function oneLine(text: string, length = 100): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}

/** NO_COLOR (no-color.org), FORCE_COLOR and TERM=dumb, in the usual order: the flag wins, then NO_COLOR. */
function takesColor(stream: NodeJS.WriteStream, choice: ColorChoice, env: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** A stream as the program writes to it. */
export function createOutput(stream: NodeJS.WriteStream, choice: ColorChoice, env = process.env): Output {
  const closing: (() => void)[] = [];
  // The level is given, so chalk's own look at the streams does not count: the flag and the environment decide.
  const chalk = new Chalk({ level: takesColor(stream, choice, env) ? 1 : 0 });
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
    style: (style, text) => chalk[style](text),
    onClosed: (listener) => {
      if (closing.push(listener) === 1) stream.once('error', () => closing.forEach((one) => void one()));
    },
  };
}

/**
 * JSON that is safe to show: C1 control characters and controls of direction, which JSON.stringify leaves, as
 * escapes.
 */
export function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as JSON that is safe to show, with a line feed; indented for people where asked. */
export const toJson = (value: unknown, indent?: number): string =>
  `${escapeControls(JSON.stringify(value, null, indent))}\n`;

/** Every write is a whole line or more, so no secret is in two of them. */
function redactWrites(stream: NodeJS.WriteStream, redactor: Redactor): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? redactor.text(chunk) : chunk, ...rest);
}

const closedCodes = ['EPIPE', 'ERR_STREAM_DESTROYED'];
const interruptions = [129, 130, 143];

/**
 * A reader that goes away (`| head -1`) is no error: what follows is dropped and the status is 0. Any other failure of
 * stdout, such as a full disk, is one. Without listeners Node would end the process with a stack trace. The redactor is
 * the last line of defence: whatever is written from now on goes through it.
 */
export function guardOutput(redactor: Redactor): void {
  if (!redactor.isIdle) for (const stream of [process.stdout, process.stderr]) redactWrites(stream, redactor);
  process.stderr.on('error', () => {});
  process.stdout.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {});
    const isClosed = closedCodes.includes(code);
    if (!isClosed) process.stderr.write(`rlm: stdout cannot be written (${code})\n`);
    process.once('exit', (status) => {
      if (!interruptions.includes(status)) process.exitCode = isClosed ? 0 : 2;
    });
  });
}
