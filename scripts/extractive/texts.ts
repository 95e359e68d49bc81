/** The texts that the questions are about, and the comparison of an answer's words with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

const read = new Map<string, string>();

/**
 * The text of a file, read once.
 * @param path relative to the root of the repository.
 */
export function textOf(path: string): string {
  const text = read.get(path) ?? readFileSync(join(root, path), 'utf8');
  read.set(path, text);
  return text;
}

export const linesOf = (paths: readonly string[]): string[] => paths.flatMap((path) => textOf(path).split('\n'));

/** Words as they are compared: without citation marks, Markdown and comment marks, and extra white space. */
export const comparable = (text: string): string =>
  text
    .replace(/ (?:\[\d+\])+/g, ' ')
    .replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^\s*(?:[-*+]|\d+\.|#+|\/\/)\s+/gm, '')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
