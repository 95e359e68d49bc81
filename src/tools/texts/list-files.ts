import * as z from 'zod/mini';
import { counted } from '../../base/text.ts';
import { documentKindOf } from '../../context/chunkers/languages.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { page, plainBlock } from '../page.ts';
import { type Bounds, type FittingResult, somewhere, type Tool, type ToolWorld } from '../tool.ts';
import { findTexts } from './texts.ts';

const parameters = z.object({ path: somewhere });

export const listFiles: Tool<z.infer<typeof parameters>> = {
  name: 'list_files',
  about: 'Lists files, or folders of many, with sizes.',
  parameters,
  example: { path: 'src/**/*.ts' },
  needs: 'several texts',
  run: ({ path }, world) => list(path, world),
};

interface Listed {
  readonly name: string;
  readonly bytes: number;
  readonly lines?: number;
}

async function list(path: string | undefined, world: ToolWorld): Promise<FittingResult> {
  const found = await findTexts(path, world, true);
  const files: Listed[] = [];
  for await (const { name, bytes } of found.texts) files.push({ name, bytes });
  if (files.length === 0) throw found.none();
  return (bounds) => {
    const rows = rowsWithin(files, bounds);
    const folder = rows.find(({ name }) => name.endsWith('/'));
    const hint = folder === undefined ? [] : [`To see what is in a folder: "path": "${folder.name}"`];
    const end = (shown: number) => {
      const left = rows.length - shown;
      const rest = left > 0 ? [`Left out: ${counted(left, 'more line')}; name a folder as "path"`] : [];
      return [...rest, ...hint, ...found.notes(), totalOf(files)];
    };
    return page({ blocks: rows.map((row) => plainBlock(lineOf(row))), end })(bounds);
  };
}

interface Row {
  /** The name of a folder ends with `/`. */
  readonly name: string;
  readonly files: Listed[];
}

function bytesOf(files: readonly Listed[]): string {
  const sum = files.reduce((total, { bytes }) => total + bytes, 0);
  return counted(sum, 'byte');
}

const mostKinds = 3;

/** Returns the kinds of files, such as `22 TypeScript, 8 CSS`. */
function kindsOf(files: readonly Listed[]): string {
  const counts = new Map<string, number>();
  for (const { name } of files) counts.set(documentKindOf(name), (counts.get(documentKindOf(name)) ?? 0) + 1);
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  const named = kinds.slice(0, mostKinds).map(([kind, count]) => (kinds.length === 1 ? kind : `${count} ${kind}`));
  return [...named, ...(kinds.length > mostKinds ? ['…'] : [])].join(', ');
}

const totalOf = (files: readonly Listed[]): string =>
  `${counted(files.length, 'file')}, ${bytesOf(files)}, ${kindsOf(files)}`;

function lineOf({ name, files }: Row): string {
  const [first] = files;
  if (name.endsWith('/')) return `${shownName(name)}: ${totalOf(files)}`;
  const lines = first!.lines === undefined ? '' : `${counted(first!.lines, 'line')}, `;
  return `${shownName(name)}: ${lines}${bytesOf(files)}, ${kindsOf(files)}`;
}

function rowsWithin(files: readonly Listed[], bounds: Bounds): readonly Row[] {
  const deepest = files.reduce((most, { name }) => Math.max(most, name.split('/').length), 1);
  let rows = rowsAt(files, deepest);
  for (let depth = deepest - 1; depth > 0 && !fits(rows, bounds); depth--) {
    const shorter = rowsAt(files, depth);
    // A single folder that contains everything is not informative.
    if (shorter.length === 1) break;
    rows = shorter;
  }
  return rows;
}

const noteCharacters = 300;
const noteLines = 4;

function fits(rows: readonly Row[], { lines, characters }: Bounds): boolean {
  const shown = rows.reduce((sum, row) => sum + lineOf(row).length + 1, noteCharacters);
  return rows.length + noteLines <= lines && shown <= characters;
}

function rowsAt(files: readonly Listed[], depth: number): Row[] {
  const rows = new Map<string, Row>();
  for (const file of files) {
    const parts = file.name.split('/');
    const name = parts.length <= depth ? file.name : `${parts.slice(0, depth).join('/')}/`;
    const row = rows.get(name) ?? { name, files: [] };
    rows.set(name, row);
    row.files.push(file);
  }
  return [...rows.values()];
}

/** Describes documents for a prompt: each document or, if the documents do not fit, the deepest folders that fit. */
export function describeTexts(files: readonly Listed[], bounds: Bounds): string {
  const rows = rowsWithin(files, bounds);
  const end = (shown: number) => [
    ...(shown < rows.length ? [`- … and ${rows.length - shown} more (list_files)`] : []),
    ...(files.length > 1 ? [`- in all: ${totalOf(files)}`] : []),
  ];
  return page({ blocks: rows.map((row) => plainBlock(`- ${lineOf(row)}`)), end })(bounds).text;
}
