import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as treeSitter from '@vscode/tree-sitter-wasm';
import { packageRoot, readBinary } from '../../config/folders.ts';
import type { Language } from './languages.ts';

/** Maximum number of progress reports per character of a parse, besides `freeReports`. About a tenth is typical. */
const reportsPerCharacter = 0.08;
const freeReports = 1_000;

async function loadRuntime(): Promise<typeof treeSitter> {
  const path = pathToFileURL(join(packageRoot, 'dist', 'grammars', 'tree-sitter.cjs')).href;
  const library: { default: typeof treeSitter } = await import(path);
  const init = library.default.Parser.init as (options: object) => Promise<void>;
  await init({ wasmBinary: readBinary('grammars', 'tree-sitter.wasm') });
  return library.default;
}

/** Returns the syntax tree, which the caller must delete; null if the parser makes too many reports. */
function parse(parser: treeSitter.Parser, text: string): treeSitter.Tree | null {
  let left = freeReports + text.length * reportsPerCharacter;
  const tree = parser.parse(text, null, { progressCallback: () => --left < 0 });
  if (tree === null) parser.reset();
  return tree;
}

let runtime: ReturnType<typeof loadRuntime> | null = null;
const parsers = new Map<Language, ReturnType<typeof loadLanguage>>();

async function loadLanguage(language: Language) {
  try {
    runtime ??= loadRuntime();
    const { Parser, Language } = await runtime;
    const parser = new Parser();
    parser.setLanguage(await Language.load(readBinary('grammars', `tree-sitter-${language}.wasm`)));
    return { parse: (text: string) => parse(parser, text) };
  } catch {
    return null;
  }
}

/** Returns the parser of a language; null when its grammar is missing or does not run. */
export function loadParser(language: Language): ReturnType<typeof loadLanguage> {
  const loading = parsers.get(language) ?? loadLanguage(language);
  parsers.set(language, loading);
  return loading;
}
