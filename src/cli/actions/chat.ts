import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ask } from '../../api/ask.ts';
import { checkLog, checkOutputs, checkRunOutputs } from '../../api/check-outputs.ts';
import { followUp } from '../../api/resume.ts';
import { showRun } from '../../api/runs/recorded-runs.ts';
import { isReport } from '../../api/runs/reports.ts';
import { readOwnText } from '../../base/files/own-file.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { isSameFile } from '../../base/files/system.ts';
import { stateFolder } from '../../config/folders.ts';
import { loadConfiguration } from '../../config/layers.ts';
import { type ExitCode, RlmError, toRlmError } from '../../errors.ts';
import type { Result } from '../../result.ts';
import type { RunEvent } from '../../run/events.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { type Invocation, textOption, textOptions } from '../command.ts';
import { followRun, type Hooks } from '../follow-run.ts';
import { createKeptText } from '../kept-text.ts';
import { sourceLines } from '../render/result.ts';
import { settingFlags } from '../setting-flags.ts';
import { errorText, interruptedStatuses, type Output, oneLine, say } from '../terminal.ts';
import { checkFollowUp } from './ask.ts';
import { runReport } from './runs.ts';

const prompt = 'rlm> ';
const furtherPrompt = '...> ';

const goesOn = (line: string): boolean => line.endsWith('\\');
const withoutBackslash = (line: string): string => (goesOn(line) ? line.slice(0, -1).trimEnd() : line);

/** Returns a question, or null when the user ends the chat. Pasted lines arrive together and form one question. */
function askAtTerminal(earlier: readonly string[], { style }: Output): Promise<string | null> {
  const given: string[] = [];
  const terminal = createInterface({
    input: process.stdin,
    output: process.stderr,
    prompt: style('cyan', prompt),
    history: [...earlier],
    historySize: keptQuestions,
    removeHistoryDuplicates: true,
  });
  return new Promise((resolve) => {
    let isEnding = false;
    function leave(): void {
      process.stderr.write('\n');
      resolve(null);
    }
    function end(): void {
      isEnding = false;
      if (given.length > 0 && goesOn(given.at(-1)!)) {
        terminal.setPrompt(style('cyan', furtherPrompt));
        terminal.prompt();
        return;
      }
      // Removes only this listener: without Node's own `close` listener, the terminal would read each key twice.
      terminal.off('close', leave);
      terminal.close();
      resolve(joined(given));
    }
    terminal.on('line', (line) => {
      given.push(line);
      if (!isEnding) setImmediate(end);
      isEnding = true;
    });
    terminal.on('SIGINT', () => {
      given.length = 0;
      process.stderr.write('^C (Ctrl-D exits)\n');
      terminal.setPrompt(style('cyan', prompt));
      terminal.write(null, { ctrl: true, name: 'u' });
      terminal.prompt();
    });
    terminal.once('close', leave);
    terminal.prompt();
  });
}

const joined = (lines: readonly string[]): string => lines.map(withoutBackslash).join('\n').trim();

async function* typedQuestions({ lines }: ReturnType<typeof openHistory>, stderr: Output): AsyncGenerator<string> {
  for (;;) {
    const question = await askAtTerminal(lines(), stderr);
    if (question === null) return;
    yield question;
  }
}

async function* pipedQuestions(): AsyncGenerator<string> {
  let given: string[] = [];
  for await (const line of createInterface({ input: process.stdin, terminal: false })) {
    given.push(line);
    if (goesOn(line)) continue;
    yield joined(given);
    given = [];
  }
  if (given.length > 0) yield joined(given);
}

const keptQuestions = 500;
/** Length of the longest question that is kept, in UTF-16 units. */
const longestKept = 10_000;

const isKept = (one: unknown): one is string => typeof one === 'string' && one.length <= longestKept;

/**
 * Opens the history: the questions of earlier chats, newest first. An unreadable history is ignored.
 * @param state the state folder; null keeps the history in memory only.
 */
export function openHistory(state: string | null, redactor: Redactor) {
  let path = state && join(state, 'chat-history.json');
  let lines: readonly string[] = [];
  try {
    const found: unknown = path && JSON.parse(readOwnText(path));
    if (Array.isArray(found)) lines = found.filter(isKept).slice(0, keptQuestions);
  } catch {
    // There is no history, or it is not valid JSON.
  }
  return {
    lines: () => lines,
    /**
     * Adds a question. If the file cannot be written, throws RlmError `output-unwritable` once. From then on, keeps
     * questions only in memory.
     */
    async add(question: string): Promise<void> {
      const line = redactor.text(question.replace(/\s+/g, ' '));
      lines = [line, ...lines.filter((one) => one !== line)].filter(isKept).slice(0, keptQuestions);
      const file = path;
      path = null;
      if (file) await replaceFile(file, JSON.stringify(lines));
      path = file;
    },
  };
}

const hint = 'Ctrl-D exits, Ctrl-C stops an answer, /help lists more.';

function checkOptions({ args, options }: Invocation, journal: boolean): void {
  const [paths] = args as [string[]];
  const follows = options['continue'] === true || options['run'] !== undefined;
  if (!journal)
    throw new RlmError('usage', 'a chat needs recorded runs, and the setting journal is false', {
      hint: 'Omit --no-journal, or set journal to true.',
    });
  if (paths.includes('-'))
    throw new RlmError('usage', 'a chat reads its questions from stdin, so "-" cannot be a path', {
      hint: 'Give files or folders, or ask one question: rlm ask "…" -',
    });
  if (follows) checkFollowUp(paths);
}

/** Creates a conversation. Each question is a follow-up to the last question that got an answer. */
function createTalk(invocation: Invocation) {
  const { args, options } = invocation;
  const [paths] = args as [string[]];
  const flags = settingFlags(options);
  const text = createKeptText(paths);
  let last = textOption(options, 'run');
  let lastResult: Result | null = null;
  let isFirst = options['continue'] !== true && options['run'] === undefined;
  async function start(question: string, { say: _, ...hooks }: Hooks): Promise<Result> {
    const onEvent = (event: RunEvent) => {
      text.onEvent(event);
      hooks.onEvent(event);
    };
    // The time between questions does not count towards a run.
    const run = { ...hooks, onEvent, usedMs: 0, resumable: true };
    const configuration = loadConfiguration({ flags });
    const { signal, onReading, written } = hooks;
    // A failed question becomes the newest run, but the next question must not follow up on it.
    if (!isFirst) last ??= (await showRun(null)).runId;
    if (isFirst) await checkOutputs(written, paths, configuration, textOption(options, 'index'));
    else await checkRunOutputs(written, last!, configuration);
    const read = await text.options({ configuration, signal, onReading, written });
    if (!isFirst) return followUp(question, last, { ...run, ...(read.context && { context: read.context }), flags });
    return ask(question, { ...run, ...('index' in options ? textOptions(options, 'index') : read), configuration });
  }
  return {
    async answer(question: string): Promise<ExitCode> {
      const { log } = loadConfiguration({ flags }).settings;
      checkLog(log.file, paths);
      return followRun(invocation, question, log.file, async (hooks) => {
        const result = await start(question, hooks);
        if (result.answer !== null) [last, lastResult, isFirst] = [result.runId, result, false];
        return result;
      });
    },
    lastResult: () => lastResult,
    close: text.close,
  };
}

/** Matches a line such as `/report pool.html`, but not a path such as `/etc/hosts`. */
const commandForm = /^\/([A-Za-z]+)(?:\s+(.*))?$/;

async function checkReport(file: string, { args }: Invocation): Promise<void> {
  const [paths] = args as [string[]];
  const isInput = paths.some((path) => isSameFile(resolve(path), resolve(file)));
  if (!isInput && (statSync(file, { throwIfNoEntry: false })?.isFile() !== true || (await isReport(file)))) return;
  const what = isInput ? 'an input of this chat' : 'not a report of rlm';
  throw new RlmError('usage', `'${oneLine(file, 4_096)}' would be overwritten, and it is ${what}`, {
    hint: 'Name another file: /report answer.html',
  });
}

const commands: Readonly<Record<string, readonly [form: string, about: string]>> = {
  sources: ['/sources', 'show the sources of the last answer'],
  report: ['/report [FILE]', 'write the last answer as an HTML page, and print its name'],
  help: ['/help', 'show this list'],
  quit: ['/quit', 'end the chat (also Ctrl-D)'],
};

const helpLines: readonly string[] = [
  ...Object.values(commands).map(([form, about]) => `${form.padEnd(16)}${about}`),
  'A line that ends with \\ continues on the next line. Ctrl-C stops an answer.',
];

async function linesOf(
  name: string,
  given: string,
  last: Result | null,
  invocation: Invocation,
): Promise<readonly string[]> {
  if (!Object.hasOwn(commands, name)) {
    const hint = `The commands are /${Object.keys(commands).join(', /')}.`;
    throw new RlmError('usage', `a chat has no command /${oneLine(name, 40)}`, { hint });
  }
  if (name === 'help') return helpLines;
  if (last === null) throw new RlmError('usage', 'this chat has no answer yet', { hint: 'Ask a question first.' });
  if (name === 'sources') {
    const lines = sourceLines(last, invocation.stdout.style);
    return lines.length === 0 ? ['The last answer cites nothing.'] : lines;
  }
  if (given !== '') await checkReport(given, invocation);
  await runReport({ ...invocation, args: [last.runId!], options: given === '' ? {} : { output: given } });
  return [];
}

async function runCommand(name: string, given: string, last: Result | null, invocation: Invocation): Promise<ExitCode> {
  const { stdout, stderr } = invocation;
  try {
    const { wrapAnswer } = await import('../render/live/wrapped.ts');
    for (const line of await linesOf(name, given, last, invocation))
      stdout.write(`${stdout.isTerminal ? wrapAnswer(line, stdout.columns) : line}\n`);
    return 0;
  } catch (error) {
    const failure = toRlmError(error);
    stderr.write(errorText(failure));
    return failure.exitCode;
  }
}

/** Returns the first nonzero status of a question or command. At a terminal, returns 0 if no signal ended the chat. */
export async function runChat(invocation: Invocation): Promise<ExitCode> {
  const { options, stdout, stderr, redactor } = invocation;
  const { settings } = loadConfiguration({ flags: settingFlags(options) });
  checkOptions(invocation, settings.journal);
  const isTyped = process.stdin.isTTY === true && stderr.isTerminal;
  const history = isTyped ? openHistory(stateFolder(settings, process.env), redactor) : null;
  if (history !== null) stderr.write(`${stderr.style('dim', hint)}\n`);
  const { answer, lastResult, close } = createTalk(invocation);
  let status: ExitCode = 0;
  let asked = 0;
  let isStopped = false;
  for await (const question of history === null ? pipedQuestions() : typedQuestions(history, stderr)) {
    if (question === '') continue;
    const [, command, given = ''] = commandForm.exec(question) ?? [];
    if (command?.toLowerCase() === 'quit') break;
    let ended: ExitCode;
    if (command === undefined) {
      if (asked++ > 0) (isTyped ? stderr : stdout).write('\n');
      await history?.add(question).catch((error) => say({ stderr }, `note: ${toRlmError(error).message}`));
      ended = await answer(question);
    } else ended = await runCommand(command.toLowerCase(), given.trim(), lastResult(), invocation);
    status ||= ended;
    // At a terminal, Ctrl-C stops an answer; any other signal ends the chat.
    isStopped = interruptedStatuses.includes(ended) && !(isTyped && ended === 130);
    if (isStopped) break;
  }
  process.stdin.destroy(); // Otherwise, a writer that keeps stdin open keeps the process alive.
  await close();
  return isTyped && !isStopped ? 0 : status;
}
