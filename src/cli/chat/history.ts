import { join } from 'node:path';
import { readOwnText } from '../../base/files/own-file.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import type { Redactor } from '../../index.ts';

/** The number of questions that are kept. */
export const keptQuestions = 500;
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
