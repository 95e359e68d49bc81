import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { languageOf } from '../../context/chunkers/languages.ts';
import type { FileText } from '../files/walls/file-text.ts';
import { withText } from '../files/walls/open-text.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { createPage } from '../page.ts';
import type { Bounds, Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { shownCall } from '../wording.ts';
import { mostParsedBytes, withTree } from './parse-code.ts';
import { type Outline, outline } from './tree-outline.ts';

const deepest = 12;

const parameters = z.object({
  path: z.string().check(z.describe('A file of TypeScript, JavaScript, Python, Go, Rust or Java.')),
  startLine: z.optional(z.int().check(z.minimum(1), z.describe('First line of the part that is wanted, from 1.'))),
  endLine: z.optional(z.int().check(z.minimum(1), z.describe('Its last line; default: startLine.'))),
  depth: z.optional(
    z.int().check(z.minimum(0), z.maximum(30), z.describe('How deep to go; default: as deep as there is room for.')),
  ),
});

type Given = z.infer<typeof parameters>;

/** Shows the syntax tree of code. */
export const parseAst: Tool<Given> = {
  name: 'parse_ast',
  about:
    'Shows the syntax tree of a file, or of the smallest part of it that holds the given lines, with the line numbers of each node.',
  parameters,
  example: { path: 'src/index.ts', startLine: 10, endLine: 20 },
  needs: 'files',
  run: (given, { bounds, ...world }) =>
    withText({ bounds, ...world }, given.path, (text) => parse(text, given, bounds)),
};

async function parse(text: FileText, given: Given, bounds: Bounds): Promise<string> {
  const code = text.read(0, Math.min(text.bytes, mostParsedBytes + 1));
  const shown = await withTree(text.name, code, (tree) => showTree(tree, text.name, given, bounds));
  if (shown !== null) return shown;
  const name = shownName(text.name);
  if (languageOf(text.name) === null)
    throw new ToolError(
      `there is no grammar for ${name}; extract_symbols finds definitions in other languages by patterns`,
    );
  throw new ToolError(`${name} is too large to be parsed, or too unlike its language; read_file and grep read it`);
}

function showTree({ rootNode }: Tree, name: string, given: Given, bounds: Bounds): string {
  const top =
    given.startLine === undefined ? rootNode : nodeOf(rootNode, given.startLine, given.endLine ?? given.startLine);
  const page = createPage(bounds);
  const { lines, isCut } = outlineWithin(top, given.depth, page.room);
  const shown = lines.findIndex((line) => !page.add(line));
  const errors = rootNode.hasError ? ['The file has syntax errors: nodes of type ERROR, or what is missing'] : [];
  const left = isCut || shown !== -1 ? [leftOut(name, top)] : [];
  const [first, last] = [top.startPosition.row + 1, top.endPosition.row + 1];
  return page.end([...left, ...errors, `${shownName(name)}, lines ${first}-${last}`]);
}

function nodeOf(root: Node, startLine: number, endLine: number): Node {
  const lines = root.endPosition.row + 1;
  if (endLine < startLine) throw new ToolError(`endLine ${endLine} is before startLine ${startLine}`);
  if (startLine > lines) throw new ToolError(`there is no line ${startLine}: the code has ${counted(lines, 'line')}`);
  const code = root.text.split('\n');
  const last = Math.min(endLine, lines, code.length) - 1;
  const start = { row: startLine - 1, column: /\S|$/.exec(code[startLine - 1] ?? '')!.index };
  const end = { row: last, column: (code[last] ?? '').replace(/[\s;,]+$/, '').length };
  return root.namedDescendantForPosition(start, end) ?? root;
}

/** Returns the outline at the requested depth, or as deep as fits. */
function outlineWithin(top: Node, depth: number | undefined, room: Bounds): Outline {
  if (depth !== undefined) return outline(top, depth, room.lines);
  for (let level = deepest; ; level--) {
    const found = outline(top, level, room.lines);
    const characters = found.lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (level === 1 || (!found.isCut && characters <= room.characters)) return found;
  }
}

function leftOut(name: string, top: Node): string {
  const child = top.namedChildren.at(-1);
  const [startLine, endLine] = [(child ?? top).startPosition.row + 1, (child ?? top).endPosition.row + 1];
  return `Left out: nodes behind the last line. To see some of them, name their lines: ${shownCall('parse_ast', { path: name, startLine, endLine })}`;
}
