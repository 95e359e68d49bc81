import type { Node } from '@vscode/tree-sitter-wasm';

const leafCharacters = 60;

/** An outline of a syntax tree. */
export interface Outline {
  /** One node in each line, as an S-expression. */
  readonly lines: readonly string[];
  /** Whether there are more nodes than lines. */
  readonly isCut: boolean;
}

const place = ({ startPosition: { row: first }, endPosition: { row: last } }: Node): string =>
  first === last ? `${first + 1}` : `${first + 1}-${last + 1}`;

/** Prints a node and its descendants, down to a depth (0: the node alone), in at most `mostLines` lines. */
export function outline(top: Node, depth: number, mostLines: number): Outline {
  const lines: string[] = [];

  function print(node: Node, level: number, field: string | null): void {
    if (lines.length > mostLines) return;
    const children = node.namedChildren;
    const label = field === null ? '' : `${field}: `;
    const start = `${'  '.repeat(level)}${label}(${node.type} ${place(node)}`;
    if (children.length === 0) lines.push(`${start}${shownText(node)})`);
    else if (level >= depth) lines.push(`${start} …)`);
    else {
      lines.push(start);
      for (let at = 0; at < node.childCount; at++) {
        const child = node.child(at);
        if (child?.isNamed) print(child, level + 1, node.fieldNameForChild(at));
      }
      lines[lines.length - 1] += ')';
    }
  }

  print(top, 0, null);
  return { lines: lines.slice(0, mostLines), isCut: lines.length > mostLines };
}

function shownText({ text, type }: Node): string {
  if (text === '' || text === type) return '';
  return ` ${JSON.stringify(text.length > leafCharacters ? `${text.slice(0, leafCharacters)}…` : text)}`;
}
