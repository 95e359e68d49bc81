/** Reads the texts of the questions, and prepares words for the comparison with an answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

const read = new Map<string, string>();

/**
 * Returns the text of a file, which is read once.
 * @param path relative to the root of the repository.
 */
export function textOf(path: string): string {
  const text = read.get(path) ?? readFileSync(join(root, path), 'utf8');
  read.set(path, text);
  return text;
}

export const linesOf = (paths: readonly string[]): string[] => paths.flatMap((path) => textOf(path).split('\n'));

/** Prepares words for a comparison: removes citation marks, Markdown and comment marks, and extra white space. */
export const comparable = (text: string): string =>
  text
    .replace(/ (?:\[\d+\])+/g, ' ')
    .replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^\s*(?:[-*+]|\d+\.|#+|\/\/)\s+/gm, '')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
