import type { Tree } from '@vscode/tree-sitter-wasm';
import { loadParser } from '../../context/chunkers/grammars.ts';
import { languageOf } from '../../context/chunkers/languages.ts';

/** Bytes of a file that is parsed, at most: larger ones are rarely written by hand. */
export const mostParsedBytes = 1_000_000;

/**
 * Parses code and hands its syntax tree to a function.
 * @param name name of the file, which determines the language.
 * @returns null when there is no grammar for the name, or the code is too large or too much work.
 */
export async function withTree<Result>(
  name: string,
  code: Buffer,
  use: (tree: Tree) => Result,
): Promise<Result | null> {
  const language = languageOf(name);
  if (language === null || code.length > mostParsedBytes) return null;
  const tree = (await loadParser(language))?.parse(code.toString('utf8')) ?? null;
  if (tree === null) return null;
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}
