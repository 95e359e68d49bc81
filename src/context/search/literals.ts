import type { PatternNode, PatternTree } from './pattern-tree.ts';

/** A text that every match contains. */
export interface Literal {
  readonly text: string;
  /** Whether a line matches as soon as it contains the text. */
  readonly isWhole: boolean;
}

const mostCharacters = 200;

/** Whether a character has one form in the bytes: none with another case, nor the replacement of invalid bytes. */
function hasOneForm(code: number, ignoreCase: boolean): boolean {
  if (code === 0xfffd || code === 0x0a || code === 0x0d) return false;
  if (code < 0x80 || !ignoreCase) return true;
  const text = String.fromCodePoint(code);
  return text.toLowerCase() === text.toUpperCase();
}

/** Returns the longest run of plain characters of a pattern, to search for first; null when it has fewer than two. */
export function requiredLiteral({ root, ignoreCase }: PatternTree): Literal | null {
  const nodes: readonly PatternNode[] = root.kind === 'sequence' ? root.nodes : [root];
  let [best, run] = ['', ''];
  for (const node of nodes) {
    const isPlain = node.kind === 'character' && hasOneForm(node.code, ignoreCase) && run.length < mostCharacters;
    run = isPlain ? run + String.fromCodePoint(node.code) : '';
    if (run.length > best.length) best = run;
  }
  return best.length < 2 ? null : { text: best, isWhole: [...best].length === nodes.length };
}
