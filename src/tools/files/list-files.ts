import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { createPage } from '../page.ts';
import type { Bounds, Tool, ToolWorld } from '../tool.ts';
import { shownCall } from '../wording.ts';
import { startWalk } from './start-walk.ts';
import { passedByNotes } from './walls/passed-by.ts';
import { shownName } from './walls/shown-name.ts';
import type { FoundFile } from './walls/walk.ts';

const parameters = z.object({
  path: z.optional(z.string().check(z.describe('A folder; default: all that the user gave.'))),
  glob: z.optional(
    z.string().check(z.describe('Which files: *.ts (in any folder), or a path below the folder such as src/**/*.ts.')),
  ),
});

type Given = z.infer<typeof parameters>;

/** Lists the files below a folder. */
export const listFiles: Tool<Given> = {
  name: 'list_files',
  about:
    'Lists files with their sizes in bytes; where there are too many, folders with the number and size of what is in them.',
  parameters,
  example: { path: 'src', glob: '*.ts' },
  needs: 'files',
  run: list,
};

async function list({ path, glob }: Given, world: ToolWorld): Promise<string> {
  const walk = await startWalk({ path, glob }, world, true);
  const files: FoundFile[] = [];
  for await (const file of walk.files) files.push(file);
  const notes = passedByNotes(walk.passedBy);
  if (files.length === 0) return ['There is no such file', ...notes].join('\n');
  return show(files, notes, glob, world.bounds);
}

/** A row of the list: a file, or a folder with everything in it. */
interface Row {
  /** The name; that of a folder ends with `/`. */
  readonly name: string;
  files: number;
  bytes: number;
}

function show(files: readonly FoundFile[], notes: readonly string[], glob: string | undefined, bounds: Bounds): string {
  const rows = rowsWithin(files, bounds);
  const page = createPage(bounds);
  const shown = rows.filter(({ name, files: count, bytes }) => {
    const size = counted(bytes, 'byte');
    return page.add(`${shownName(name)}  ${name.endsWith('/') ? `${counted(count, 'file')}, ${size}` : size}`);
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const total = `${counted(files.length, 'file')}, ${counted(bytes, 'byte')}`;
  const left = shown.length < rows.length ? [`Left out: ${counted(rows.length - shown.length, 'more line')}`] : [];
  const folder = shown.reduce((most: Row | null, row) => (row.files > (most?.files ?? 1) ? row : most), null);
  const example = { path: folder?.name.slice(0, -1), glob };
  const hint = folder === null ? [] : [`To see what is in a folder: ${shownCall('list_files', example)}`];
  return page.end([...left, ...hint, ...notes, total]);
}

/** Replaces files by their folders, the deepest first, until the list fits. */
function rowsWithin(files: readonly FoundFile[], bounds: Bounds): readonly Row[] {
  const room = createPage(bounds).room;
  const deepest = files.reduce((most, { name }) => Math.max(most, name.split('/').length), 1);
  let rows = rowsAt(files, deepest);
  for (let depth = deepest - 1; depth > 0 && !fits(rows, room); depth--) {
    const shorter = rowsAt(files, depth);
    // One folder that holds everything tells nothing.
    if (shorter.length === 1) break;
    rows = shorter;
  }
  return rows;
}

function fits(rows: readonly Row[], { lines, characters }: Bounds): boolean {
  const shown = rows.reduce((sum, { name }) => sum + name.length + rowCharacters, 0);
  return rows.length <= lines && shown <= characters;
}

/** The most characters of a row besides its name. */
const rowCharacters = 40;

/** Returns the files no deeper than so many names, and the folders of that depth. */
function rowsAt(files: readonly FoundFile[], depth: number): Row[] {
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
