import type { CodeSymbol } from './symbols.ts';

/** Words that may stand before the word for a kind of definition. */
const before =
  '^\\s*(?:(?:public|private|protected|internal|static|abstract|final|sealed|open|data|export|default|partial|inline|virtual|override|async|unsafe|suspend|local|pub|const|case)\\s+){0,6}';

interface SymbolPattern {
  readonly pattern: RegExp;
  /** The group of the name. */
  readonly name: number;
  /** The kind: the same in all matches, or the group that holds it. */
  readonly kind: number | string;
}

const codePatterns: readonly SymbolPattern[] = [
  {
    pattern: new RegExp(
      `${before}(class|struct|enum|interface|trait|protocol|module|namespace|object|record|union|contract|service|message|actor|extension|mixin|defmodule)\\s+([A-Za-z_$][\\w$.:]*)`,
    ),
    kind: 1,
    name: 2,
  },
  {
    pattern: new RegExp(
      `${before}(?:function|func|fun|fn|def|defp|sub|proc|procedure|macro)\\s+([A-Za-z_$][\\w$.:]*[?!]?)`,
    ),
    kind: 'function',
    name: 1,
  },
  {
    pattern:
      /^\s*create\s+(?:or\s+replace\s+)?(table|view|function|procedure|index|trigger|type)\s+(?:if\s+not\s+exists\s+)?([\w."`]+)/i,
    kind: 1,
    name: 2,
  },
  { pattern: /^\s*\((?:defun|defn|defmacro|define|def)\s+\(?([^\s()]+)/, kind: 'function', name: 1 },
  { pattern: /^([\w-]+)\s*\(\)\s*\{?\s*$/, kind: 'function', name: 1 },
  { pattern: /^([A-Za-z_.][\w.]*)\s*(?:<-|=)\s*function\b/, kind: 'function', name: 1 },
  { pattern: /^\s*(?:typedef\b[^;]*\b|type\s+)([A-Za-z_]\w*)\s*(?:;|=)/, kind: 'type', name: 1 },
  { pattern: /^\s*#\s*define\s+([A-Za-z_]\w*)/, kind: 'macro', name: 1 },
  {
    pattern:
      /^(?!(?:return|if|for|while|switch|else|do|using|throw|new|delete)\b)[A-Za-z_][\w\s*&:<>,~]{0,150}[\s*&:]([A-Za-z_~]\w*)\s*\([^;]*$/,
    kind: 'function',
    name: 1,
  },
];

const textPatterns: readonly SymbolPattern[] = [{ pattern: /^#{1,6}\s+(\S.*)$/, kind: 'heading', name: 1 }];

const longestLine = 300;

/**
 * Finds lines that look like definitions, in any language, by the beginning of each line as `ctags` does. In a text
 * that is no code, its headings.
 */
export function symbolsByPatterns(text: string, isCode: boolean): CodeSymbol[] {
  const patterns = isCode ? codePatterns : textPatterns;
  return text.split('\n').flatMap((line, at) => {
    const found = line.length > longestLine ? null : symbolOf(line.replace(/\r$/, ''), patterns);
    return found === null ? [] : [{ ...found, startLine: at + 1, endLine: null, level: 0 }];
  });
}

function symbolOf(line: string, patterns: readonly SymbolPattern[]): Pick<CodeSymbol, 'kind' | 'name'> | null {
  for (const { pattern, kind, name } of patterns) {
    const match = pattern.exec(line);
    if (match !== null)
      return { kind: typeof kind === 'string' ? kind : match[kind]!.toLowerCase(), name: match[name]! };
  }
  return null;
}
