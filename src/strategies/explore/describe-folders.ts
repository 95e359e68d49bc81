import { counted } from '../../base/counted.ts';
import { kindOf } from '../../context/kinds.ts';
import type { DocumentInfo } from '../../state.ts';

/** A folder, with everything in it. */
interface Folder {
  readonly name: string;
  readonly documents: DocumentInfo[];
}

/** Names stand on lines of their own, without signs that could be taken for something else. */
const plainName = (name: string): string => name.replace(/[\p{Cc}\u2028\u2029"<>]/gu, '_');

/** Folders below which documents are grouped. */
const deepest = 2;

function kindsOf(documents: readonly DocumentInfo[]): string {
  const counts = new Map<string, number>();
  for (const { name } of documents) counts.set(kindOf(name), (counts.get(kindOf(name)) ?? 0) + 1);
  const kinds = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => (counts.size === 1 ? kind : `${count} ${kind}`));
  return [...kinds.slice(0, 3), ...(kinds.length > 3 ? ['…'] : [])].join(', ');
}

const sizeOf = (documents: readonly DocumentInfo[]): string =>
  counted(
    documents.reduce((sum, { bytes }) => sum + bytes, 0),
    'byte',
  );

const fileLine = ({ name, lines, bytes }: DocumentInfo): string =>
  `- ${plainName(name)}: ${counted(lines, 'line')}, ${counted(bytes, 'byte')}, ${kindOf(name)}`;

const folderLine = ({ name, documents }: Folder): string =>
  `- ${plainName(name)}: ${counted(documents.length, 'file')}, ${sizeOf(documents)}, ${kindsOf(documents)}`;

/** Returns the number of folders that all names have in common. */
function commonDepth(names: readonly (readonly string[])[]): number {
  const [first = []] = names;
  const differs = first.findIndex((part, at) => at === first.length - 1 || !names.every((name) => name[at] === part));
  return Math.max(0, differs);
}

/** Returns the folders and files down to a depth, in the order of the documents. */
function rowsAt(documents: readonly DocumentInfo[], depth: number): string[] {
  const folders = new Map<string, Folder>();
  const rows: (Folder | DocumentInfo)[] = [];
  for (const document of documents) {
    const parts = document.name.split('/');
    const name = `${parts.slice(0, depth).join('/')}/`;
    if (parts.length <= depth) rows.push(document);
    else if (folders.has(name)) folders.get(name)!.documents.push(document);
    else {
      const folder = { name, documents: [document] };
      folders.set(name, folder);
      rows.push(folder);
    }
  }
  return rows.map((row) => ('documents' in row ? folderLine(row) : fileLine(row)));
}

const fits = (lines: readonly string[], maxBytes: number): boolean => Buffer.byteLength(lines.join('\n')) <= maxBytes;

/**
 * Describes documents for a model: each one where there is room, else a tree of folders, two levels deep below what
 * they have in common, with counts, sizes and kinds.
 */
export function describeFolders(documents: readonly DocumentInfo[], maxBytes: number): string {
  const total = `- in all: ${counted(documents.length, 'file')}, ${sizeOf(documents)}, ${kindsOf(documents)}`;
  const files = documents.map(fileLine);
  if (fits(files, maxBytes)) return files.join('\n');
  const common = commonDepth(documents.map(({ name }) => name.split('/')));
  for (let depth = common + deepest; depth > common; depth--) {
    const rows = rowsAt(documents, depth);
    if (fits([...rows, total], maxBytes)) return [...rows, total].join('\n');
  }
  const rows = rowsAt(documents, common + 1);
  const shown: string[] = [];
  const rest = (left: number) =>
    `- … and ${counted(left, 'more file or folder', 'more files and folders')} (list_files)`;
  for (const row of rows) {
    if (!fits([...shown, row, rest(rows.length), total], maxBytes)) break;
    shown.push(row);
  }
  return [...shown, rest(rows.length - shown.length), total].join('\n');
}
