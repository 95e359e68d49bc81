import type { Tree, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { Strength } from './boundaries.ts';

/**
 * Patterns for types of syntax nodes. `holders`: nodes that may contain definitions. `members`: nodes that are
 * definitions if a node of `holders` contains them. `outside`: outermost nodes that are not definitions.
 */
const holders =
  /class|interface|impl|trait|enum|^mod|module|namespace|^export|decorated|ambient|body|block|declaration_list/;
const members = /function|method|constructor|class|interface|definition|enum|impl_item|const_item|type_item/;
const outside = /import|package|use_declaration|extern_crate|comment/;
/** Matches node types of functions. Definitions inside functions are ignored. */
export const bodies = /function|method|constructor|lambda|arrow/;

/** Matches a line of a comment, an attribute or a decorator. Some grammars attach such lines to the preceding node. */
const leading = /^\s*(?:#(?!\w)|\/\/|\/\*|\*|@)/;

const mostLevels = 4;

function forEachChild(cursor: TreeCursor, visit: (type: string, row: number, lastRow: number) => void): void {
  if (!cursor.gotoFirstChild()) return;
  do {
    if (cursor.nodeIsNamed) visit(cursor.nodeType, cursor.startPosition.row, cursor.endPosition.row);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

/**
 * Finds the first line of each definition, or of the comments above the definition. Returns the strength of each found
 * line by its number, counted from 0.
 */
export function findDefinitions(tree: Tree, text: string): Map<number, Strength> {
  const lines = text.split('\n');
  const strengths = new Map<number, Strength>();
  const cursor = tree.walk();

  function add(row: number, strength: Strength): void {
    let first = row;
    while (first > 0 && leading.test(lines[first - 1]!)) first--;
    if (!strengths.has(first)) strengths.set(first, strength);
  }

  function visitChildren(level: number): void {
    forEachChild(cursor, (type, row, lastRow) => {
      if (level === 0 && lastRow > row && !outside.test(type)) add(row, 3);
      if (level > 0 && members.test(type)) add(row, 2);
      if (level < mostLevels && holders.test(type) && !bodies.test(type)) visitChildren(level + 1);
    });
  }

  visitChildren(0);
  cursor.delete();
  return strengths;
}
