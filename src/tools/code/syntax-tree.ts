import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import { beginning, counted } from '../../base/text.ts';
import { languageOf } from '../../context/chunkers/languages.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { page, plainBlock } from '../page.ts';
import type { NamedPart } from '../places.ts';
import { type OpenText, withText } from '../texts/texts.ts';
import type { Bounds, FittingResult, ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { mostParsedBytes, withTree } from './symbols.ts';

const deepest = 12;

/** Shows the syntax tree of a file, or of its smallest node around some lines, as deep as the bounds allow. */
export const showTree = (given: NamedPart, world: ToolWorld): Promise<FittingResult> =>
  withText(world, given.path, (text) => parse(text, given, world.bounds));

async function parse(text: OpenText, given: NamedPart, bounds: Bounds): Promise<FittingResult> {
  const code = text.read(0, Math.min(text.bytes, mostParsedBytes + 1));
  const shown = await withTree(text.name, code, (tree) => treeOf(tree, text, given, bounds));
  if (shown !== null) return shown;
  const name = shownName(text.name);
  if (languageOf(text.name) === null)
    throw new ToolError(`there is no grammar for ${name}; without "tree", definitions are found by patterns`);
  throw new ToolError(`${name} is too large to be parsed, or too unlike its language; read_file and grep read it`);
}

function treeOf({ rootNode }: Tree, text: OpenText, given: NamedPart, bounds: Bounds): FittingResult {
  const { startLine, endLine = startLine } = given;
  const firstLine = text.linesBefore + 1;
  const top = startLine === undefined ? rootNode : nodeOf(rootNode, firstLine, startLine, endLine!);
  const { lines, isCut } = outlineWithin(top, firstLine, bounds);
  const errors = rootNode.hasError ? ['The file has syntax errors: nodes of type ERROR, or what is missing'] : [];
  const child = top.namedChildren.at(-1) ?? top;
  const next = `"startLine": ${firstLine + child.startPosition.row}, "endLine": ${firstLine + child.endPosition.row}`;
  const place = `${shownName(text.name)}, lines ${firstLine + top.startPosition.row}-${firstLine + top.endPosition.row}`;
  const end = (shown: number) => [
    ...(isCut || shown < lines.length ? [`Left out: nodes behind the last line; to see some of them: ${next}`] : []),
    ...errors,
    place,
  ];
  return page({ blocks: lines.map(plainBlock), end });
}

/** Finds the smallest node around some lines. `firstLine`: the number of the first line of `root`. */
function nodeOf(root: Node, firstLine: number, startLine: number, endLine: number): Node {
  const lastLine = firstLine + root.endPosition.row;
  if (endLine < startLine) throw new ToolError(`endLine ${endLine} is before startLine ${startLine}`);
  if (startLine < firstLine || startLine > lastLine) {
    const has = firstLine === 1 ? counted(lastLine, 'line') : `lines ${firstLine} to ${lastLine} here`;
    throw new ToolError(`there is no line ${startLine}: the code has ${has}`);
  }
  const code = root.text.split('\n');
  const [first, last] = [startLine - firstLine, Math.min(endLine - firstLine, root.endPosition.row, code.length - 1)];
  const start = { row: first, column: /\S|$/.exec(code[first] ?? '')!.index };
  const end = { row: last, column: (code[last] ?? '').replace(/[\s;,]+$/, '').length };
  return root.namedDescendantForPosition(start, end) ?? root;
}

function outlineWithin(top: Node, firstLine: number, bounds: Bounds) {
  for (let level = deepest; ; level--) {
    const found = outline(top, firstLine, level, bounds.lines);
    const characters = found.lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (level === 1 || (!found.isCut && characters <= bounds.characters)) return found;
  }
}

const leafCharacters = 60;

function outline(top: Node, firstLine: number, depth: number, mostLines: number) {
  const lines: string[] = [];

  function add(node: Node, level: number, field: string | null): void {
    if (lines.length > mostLines) return;
    const children = node.namedChildren;
    const label = field === null ? '' : `${field}: `;
    const [first, last] = [firstLine + node.startPosition.row, firstLine + node.endPosition.row];
    const start = `${'  '.repeat(level)}${label}(${node.type} ${first === last ? first : `${first}-${last}`}`;
    if (children.length === 0) lines.push(`${start}${shownText(node)})`);
    else if (level >= depth) lines.push(`${start} …)`);
    else {
      lines.push(start);
      for (let at = 0; at < node.childCount; at++) {
        const child = node.child(at);
        if (child?.isNamed) add(child, level + 1, node.fieldNameForChild(at));
      }
      lines[lines.length - 1] += ')';
    }
  }

  add(top, 0, null);
  return { lines: lines.slice(0, mostLines), isCut: lines.length > mostLines };
}

function shownText({ text, type }: Node): string {
  if (text === '' || text === type) return '';
  return ` ${JSON.stringify(text.length > leafCharacters ? `${beginning(text, leafCharacters)}…` : text)}`;
}
