import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { page, plainBlock } from '../page.ts';
import { somewhere } from '../parameters.ts';
import type { Bounds, FittingResult, Tool, ToolWorld } from '../tool.ts';
import { findTexts } from './texts.ts';

const parameters = z.object({ path: somewhere });

/** Lists documents and files. */
export const listFiles: Tool<z.infer<typeof parameters>> = {
  name: 'list_files',
  about: 'Lists files with sizes; where they are many, folders with the count and size of what is in them.',
  parameters,
  example: { path: 'src/**/*.ts' },
  needs: 'several texts',
  run: ({ path }, world) => list(path, world),
};

/** A document or a file. */
interface Listed {
  readonly name: string;
  readonly bytes: number;
}

/** A row of the list: a file, or a folder with everything in it. */
interface Row {
  /** The name; that of a folder ends with `/`. */
  readonly name: string;
  files: number;
  bytes: number;
}

async function list(path: string | undefined, world: ToolWorld): Promise<FittingResult> {
  const found = await findTexts(path, world, true);
  const files: Listed[] = [];
  for await (const { name, bytes } of found.texts) files.push({ name, bytes });
  if (files.length === 0) throw found.none();
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const total = `${counted(files.length, 'file')}, ${counted(bytes, 'byte')}`;
  return (bounds) => {
    const rows = rowsWithin(files, bounds);
    const blocks = rows.map((row) => plainBlock(lineOf(row)));
    const folder = rows.find(({ name }) => name.endsWith('/'));
    const hint = folder === undefined ? [] : [`To see what is in a folder: "path": "${folder.name}"`];
    const end = (shown: number) => {
      const left = blocks.length - shown;
      return [
        ...(left > 0 ? [`Left out: ${counted(left, 'more line')}; name a folder as "path"`] : []),
        ...hint,
        ...found.notes(),
        total,
      ];
    };
    return page({ blocks, end })(bounds);
  };
}

const lineOf = ({ name, files, bytes }: Row): string =>
  `${shownName(name)}  ${name.endsWith('/') ? `${counted(files, 'file')}, ` : ''}${counted(bytes, 'byte')}`;

/** Replaces files by their folders, the deepest first, until the list fits. */
function rowsWithin(files: readonly Listed[], bounds: Bounds): readonly Row[] {
  const deepest = files.reduce((most, { name }) => Math.max(most, name.split('/').length), 1);
  let rows = rowsAt(files, deepest);
  for (let depth = deepest - 1; depth > 0 && !fits(rows, bounds); depth--) {
    const shorter = rowsAt(files, depth);
    // A single folder with everything in it is not informative.
    if (shorter.length === 1) break;
    rows = shorter;
  }
  return rows;
}

/** Room for the lines below the list. */
const noteCharacters = 400;

function fits(rows: readonly Row[], { lines, characters }: Bounds): boolean {
  const shown = rows.reduce((sum, row) => sum + lineOf(row).length + 1, noteCharacters);
  return rows.length + 4 <= lines && shown <= characters;
}

/** Returns the files up to a depth, and the folders at that depth. */
function rowsAt(files: readonly Listed[], depth: number): Row[] {
  const rows = new Map<string, Row>();
  for (const { name, bytes } of files) {
    const parts = name.split('/');
    const shown = parts.length <= depth ? name : `${parts.slice(0, depth).join('/')}/`;
    const row = rows.get(shown) ?? { name: shown, files: 0, bytes: 0 };
    rows.set(shown, row);
    row.files++;
    row.bytes += bytes;
  }
  return [...rows.values()];
}
