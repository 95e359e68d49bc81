/** Reads the questions of a chat, which are typed at a prompt or piped with one question per line. */

import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readOwnText } from '../../base/files/own-file.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Output } from '../terminal.ts';

/** A source of questions. */
export interface ChatQuestions {
  /** Returns the next question, or null at the end. A line that ends with a backslash continues on the next line. */
  next(): Promise<string | null>;
  close(): void;
}

const prompt = 'rlm> ';
const furtherPrompt = '...> ';

/** Whether a line continues on the next one. */
const goesOn = (line: string): boolean => line.endsWith('\\');
const withoutSign = (line: string): string => (goesOn(line) ? line.slice(0, -1).trimEnd() : line);

/**
 * Reads one question at a terminal. Lines that arrive at once were pasted and count as one question.
 * @param lines earlier questions, the newest first.
 */
function askAtTerminal(lines: readonly string[], { style }: Output): Promise<string | null> {
  const given: string[] = [];
  const terminal = createInterface({
    input: process.stdin,
    output: process.stderr,
    prompt: style('cyan', prompt),
    history: [...lines],
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
      // Node listens for the end, too: its listeners have to stay, or each key counts once per question.
      terminal.off('close', leave);
      terminal.close();
      resolve(given.map(withoutSign).join('\n').trim());
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

/** Creates a source that reads questions at the terminal. */
export const createTypedQuestions = (lines: () => readonly string[], stderr: Output): ChatQuestions => ({
  next: () => askAtTerminal(lines(), stderr),
  close: () => {},
});

/** Creates a source that reads questions from stdin, one per line. */
export function createPipedQuestions(): ChatQuestions {
  const piped = createInterface({ input: process.stdin, terminal: false });
  const lines = piped[Symbol.asyncIterator]();
  return {
    async next() {
      const given: string[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        given.push(line.value);
        if (!goesOn(line.value)) break;
      }
      return given.length === 0 ? null : given.map(withoutSign).join('\n').trim();
    },
    close: () => piped.close(),
  };
}

/** The number of questions that are kept. */
const keptQuestions = 500;
/** In UTF-16 units. A longer question is not kept. */
const longestKept = 10_000;

const isKept = (one: unknown): one is string => typeof one === 'string' && one.length <= longestKept;

/**
 * Opens the questions of earlier chats, the newest first, each on one line. An unreadable history counts as empty.
 * @param state the state folder; null keeps the history in memory only.
 */
export function openHistory(state: string | null, redactor: Redactor) {
  const path = state && join(state, 'chat-history.json');
  let lines: readonly string[] = [];
  try {
    const found: unknown = path && JSON.parse(readOwnText(path));
    if (Array.isArray(found)) lines = found.filter(isKept).slice(0, keptQuestions);
  } catch {
    // There is no history, or it is not valid JSON.
  }
  return {
    lines: () => lines,
    /** Adds a question to the history. Throws RlmError `output-unwritable`. */
    async add(question: string): Promise<void> {
      const line = redactor.text(question.replace(/\s+/g, ' '));
      lines = [line, ...lines.filter((one) => one !== line)].filter(isKept).slice(0, keptQuestions);
      if (path) await replaceFile(path, JSON.stringify(lines));
    },
  };
}
