import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import { bodies } from '../../context/chunkers/definitions.ts';
import { loadParser } from '../../context/chunkers/grammars.ts';
import { languageOf } from '../../context/chunkers/languages.ts';
import { createFences } from '../../context/fences.ts';

/** Maximum size of a parsed file, in bytes. Larger files are rarely written by hand, so patterns suffice for them. */
export const mostParsedBytes = 1_000_000;

/** Passes the syntax tree of a file to `use`. Null if the file has no grammar, is too large or cannot be parsed. */
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

export interface CodeSymbol {
  /** Such as `class`. */
  readonly kind: string;
  readonly name: string;
  /** Counted from 1. */
  readonly startLine: number;
  /** Null if only the beginning is known. */
  readonly endLine: number | null;
  /** The number of definitions that enclose this one. */
  readonly level: number;
}

/** Node types of the grammars, by what they define. */
const typesOf: Readonly<Record<string, string>> = {
  class: 'class_declaration abstract_class_declaration class_definition',
  interface: 'interface_declaration',
  type: 'type_alias_declaration type_alias_statement type_alias type_spec type_item',
  enum: 'enum_declaration enum_item',
  struct: 'struct_item',
  union: 'union_item',
  trait: 'trait_item',
  impl: 'impl_item',
  record: 'record_declaration',
  annotation: 'annotation_type_declaration',
  module: 'internal_module module mod_item',
  macro: 'macro_definition',
  function:
    'function_declaration generator_function_declaration function_definition function_item function_signature function_signature_item',
  method: 'method_definition method_declaration method_signature abstract_method_signature method_elem',
  constructor: 'constructor_declaration compact_constructor_declaration',
  constant: 'const_spec const_item static_item',
  variable: 'variable_declarator var_spec assignment assignment_expression',
  field: 'public_field_definition field_definition field_declaration',
};

const kindByType = new Map(
  Object.entries(typesOf).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const)),
);

const functions = /^(?:arrow_function|function_expression|generator_function|function|lambda|closure_expression)$/;
export const longestName = 120;
/** Maximum depth of the recursion, because the nesting of code has no limit. */
const deepest = 60;

/**
 * Returns the name of a definition as written. Adds the receiver of a Go method, and the trait of an `impl`. Returns
 * null if the definition is to be left out.
 */
function nameOf(node: Node): string | null {
  const field = (name: string) => node.childForFieldName(name)?.text ?? null;
  switch (node.type) {
    case 'impl_item':
      return [field('trait'), field('type')].filter((part) => part !== null).join(' for ');
    case 'method_declaration': {
      const receiver = node.childForFieldName('receiver');
      return receiver === null ? field('name') : `${receiver.text} ${field('name')}`;
    }
    case 'assignment':
    case 'type_alias_statement':
      return field('left');
    case 'assignment_expression':
      return functions.test(node.childForFieldName('right')?.type ?? '') ? field('left') : null;
    case 'field_declaration': // Null for a struct's field, which has no declarator.
      return node.childForFieldName('declarator')?.childForFieldName('name')?.text ?? null;
    case 'field_definition':
      return field('property') ?? field('name');
    default:
      return field('name');
  }
}

function kindOf(node: Node, kind: string, outer: string | null): string {
  const value = node.childForFieldName('value') ?? node.childForFieldName('right');
  if (value !== null && functions.test(value.type)) return kind === 'field' ? 'method' : 'function';
  const isInClass = outer === 'class' || outer === 'trait' || outer === 'impl' || outer === 'interface';
  if (kind === 'function' && isInClass) return 'method';
  return kind === 'variable' && isInClass ? 'field' : kind;
}

const isName = (name: string): boolean => name !== '' && !/[{[\n]/.test(name) && name.length <= longestName;

/** Lists the definitions of a syntax tree in order. Leaves out definitions in functions, fields and variables. */
export function symbolsIn(tree: Tree): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  let depth = 0;

  function visit(node: Node, level: number, outer: string | null): void {
    const kind = kindByType.get(node.type);
    const name = kind === undefined ? null : nameOf(node);
    if (kind === undefined || name === null || !isName(name)) {
      if (!bodies.test(node.type)) visitChildren(node, level, outer);
      return;
    }
    const shown = kindOf(node, kind, outer);
    const [startLine, endLine] = [node.startPosition.row + 1, node.endPosition.row + 1];
    symbols.push({ kind: shown, name, startLine, endLine, level });
    if (!bodies.test(node.type) && !['variable', 'function', 'method', 'field'].includes(shown))
      visitChildren(node, level + 1, shown);
  }

  function visitChildren(node: Node, level: number, outer: string | null): void {
    if (depth >= deepest) return;
    depth++;
    for (const child of node.namedChildren) if (child !== null) visit(child, level, outer);
    depth--;
  }

  visitChildren(tree.rootNode, 0, null);
  return symbols;
}

/** Matches the modifiers before a keyword such as `class`. */
const before =
  '^\\s*(?:(?:public|private|protected|internal|static|abstract|final|sealed|open|data|export|default|partial|inline|virtual|override|async|unsafe|suspend|local|pub|const|case)\\s+){0,6}';

/** Patterns with the group `name`. The kind of a match is its group `kind`, or the string next to the pattern. */
const codePatterns: readonly (readonly [RegExp, string?])[] = [
  [
    new RegExp(
      `${before}(?<kind>class|struct|enum|interface|trait|protocol|module|namespace|object|record|union|contract|service|message|actor|extension|mixin|defmodule)\\s+(?<name>[A-Za-z_$][\\w$.:]*)`,
    ),
  ],
  [
    new RegExp(
      `${before}(?:function|func|fun|fn|def|defp|sub|proc|procedure|macro)\\s+(?<name>[A-Za-z_$][\\w$.:]*[?!]?)`,
    ),
    'function',
  ],
  [
    /^\s*create\s+(?:or\s+replace\s+)?(?<kind>table|view|function|procedure|index|trigger|type)\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."`]+)/i,
  ],
  [/^\s*\((?:defun|defn|defmacro|define|def)\s+\(?(?<name>[^\s()]+)/, 'function'],
  [/^(?<name>[\w-]+)\s*\(\)\s*\{?\s*$/, 'function'],
  [/^(?<name>[A-Za-z_.][\w.]*)\s*(?:<-|=)\s*function\b/, 'function'],
  [/^\s*(?:typedef\b[^;]*\b|type\s+)(?<name>[A-Za-z_]\w*)\s*(?:;|=)/, 'type'],
  [/^\s*#\s*define\s+(?<name>[A-Za-z_]\w*)/, 'macro'],
  [
    /^(?!(?:return|if|for|while|switch|else|do|using|throw|new|delete)\b)[A-Za-z_][\w\s*&:<>,~]{0,150}[\s*&:](?<name>[A-Za-z_~]\w*)\s*\([^;]*$/,
    'function',
  ],
];

const textPatterns: typeof codePatterns = [[/^#{1,6}\s+(?<name>\S.*)$/, 'heading']];

const longestLine = 300;

/** Finds lines that look like definitions, as `ctags` does. In prose, finds the headings outside fenced code. */
export function symbolsByPatterns(text: string, isCode: boolean): CodeSymbol[] {
  const patterns = isCode ? codePatterns : textPatterns;
  const fences = createFences();
  return text.split('\n').flatMap((line, at) => {
    if (!isCode && fences.covers(line)) return [];
    const found = line.length > longestLine ? null : symbolOf(line.replace(/\r$/, ''), patterns);
    return found === null ? [] : [{ ...found, startLine: at + 1, endLine: null, level: 0 }];
  });
}

function symbolOf(line: string, patterns: typeof codePatterns) {
  for (const [pattern, usual] of patterns) {
    const { kind = usual, name } = pattern.exec(line)?.groups ?? {};
    if (name !== undefined) return { kind: kind!.toLowerCase(), name };
  }
  return null;
}
