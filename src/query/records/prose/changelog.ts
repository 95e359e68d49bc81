import type { Value } from '../../query-result.ts';
import {
  columnsNamed,
  firstLines,
  type Reading,
  type RecordDocument,
  type RecordTable,
  recordLines,
} from '../reader.ts';

const columns = columnsNamed('time timeText package version section author text');
const releaseColumns = columnsNamed('time timeText package version');

/** A change, whose lines are not all read yet. */
interface Change {
  readonly line: number;
  readonly section: string | null;
  text: string;
}

const debianHead = /^(\S+) \(([^)\s]+)\) [^;]+; urgency=/;
const debianEnd = /^ -- (.+?) {2}(.+)$/;
const debianItem = /^ {2}\* (.*)$/;
const debianPart = /^ {2}\[ (.+) \]$/;

/** Yields the changes of Debian's changelogs. The time and the author stand below them. */
function* debianRows(document: RecordDocument, reading: Reading) {
  const times = reading.times();
  let head: readonly Value[] = [null, null];
  let changes: Change[] = [];
  let section: string | null = null;
  function* ended(time: string | null, timeText: string | null, author: string | null) {
    for (const { line, section: part, text } of changes)
      yield { line, values: [time, timeText, ...head, part, author, text] };
    changes = [];
    section = null;
  }
  for (const { line, text } of recordLines(document)) {
    const [, name, version] = debianHead.exec(text) ?? [];
    const [, author, date] = debianEnd.exec(text) ?? [];
    const item = debianItem.exec(text)?.[1];
    if (name !== undefined) {
      yield* ended(null, null, null);
      head = [name, version!];
    } else if (author !== undefined) yield* ended(times.read(date!)?.time ?? null, date!, author);
    else if (item !== undefined) changes.push({ line, section, text: item });
    else if (debianPart.test(text)) section = debianPart.exec(text)![1]!;
    else if (text.trim() !== '' && changes.length > 0) changes.at(-1)!.text += ` ${text.trim()}`;
  }
  yield* ended(null, null, null);
}

const releaseHead =
  /^#{1,3}\s+(?:\[|<a [^>]*><\/a>\s*)*(?:version\s+)?v?(\d+\.\d+[\w.+-]*|unreleased)\]?(?:\([^)]*\))?(?:[\s(:–—-]+(\d{4}-\d\d-\d\d))?/i;
const releaseSection = /^#{2,4}\s+(.+?)\s*#*$/;
const releaseItem = /^(\s*)[-*+]\s+(.*)$/;

/** Yields the list items below the headings of releases. Items below an item are a part of it. */
function* releaseRows(document: RecordDocument) {
  let release: readonly Value[] | null = null;
  let [section, change]: [string | null, (Change & { readonly indent: number }) | null] = [null, null];
  const row = ({ line, section: part, text }: Change) => {
    const [date, version] = release!;
    return { line, values: [date === null ? null : `${date}T00:00:00.000Z`, date!, null, version!, part, null, text] };
  };
  for (const { line, text } of recordLines(document)) {
    const head = releaseHead.exec(text);
    const part = releaseSection.exec(text)?.[1];
    const [, indent = '', listed] = releaseItem.exec(text) ?? [];
    const item: string | undefined = change !== null && indent.length > change.indent ? undefined : listed;
    if (change !== null && (head !== null || part !== undefined || item !== undefined || text.trim() === '')) {
      yield row(change);
      change = null;
    }
    if (head !== null) [release, section] = [[head[2] ?? null, head[1]!], null];
    else if (part !== undefined) section = part;
    else if (item !== undefined && release !== null) change = { line, section, text: item, indent: indent.length };
    else if (change !== null) change.text += ` ${text.trim()}`;
  }
  if (change !== null) yield row(change);
}

/** Yields the versions of Debian's changelogs. */
function* debianReleases(document: RecordDocument, reading: Reading) {
  const times = reading.times();
  let head: { readonly line: number; readonly named: readonly Value[] } | null = null;
  for (const { line, text } of recordLines(document)) {
    const [, name, version] = debianHead.exec(text) ?? [];
    const date = debianEnd.exec(text)?.[2];
    if (head !== null && (name !== undefined || date !== undefined)) {
      const time = date === undefined ? null : (times.read(date)?.time ?? null);
      yield { line: head.line, values: [time, date ?? null, ...head.named] };
      head = null;
    }
    if (name !== undefined) head = { line, named: [name, version!] };
  }
  if (head !== null) yield { line: head.line, values: [null, null, ...head.named] };
}

/** Yields the releases of Markdown: their headings, and others of the same level. */
function* releaseHeadings(document: RecordDocument) {
  let marks: string | null = null;
  for (const { line, text } of recordLines(document)) {
    const [, version, date = null] = releaseHead.exec(text) ?? [];
    const [, level, heading] = /^(#{1,3})\s+(.+?)\s*#*$/.exec(text) ?? [];
    if (version !== undefined) marks ??= level!;
    if (level !== marks || heading === undefined || version?.toLowerCase() === 'unreleased') continue;
    const time = date === null ? null : `${date}T00:00:00.000Z`;
    yield { line, values: [time, date, null, version ?? heading] };
  }
}

/** Finds the changes and the releases in a changelog of a Debian package, or in one in Markdown with a heading for each release. */
export function findChangelog(document: RecordDocument): readonly RecordTable[] {
  const isDebian = debianHead.test(firstLines(document, 1)[0] ?? '');
  const isMarkdown = document.kind === 'Markdown' && document.head.some((line) => releaseHead.test(line));
  if (!isDebian && !isMarkdown) return [];
  const [changesOf, releasesOf] = isDebian ? [debianRows, debianReleases] : [releaseRows, releaseHeadings];
  return [
    { table: 'changes', columns, rows: (reading) => changesOf(document, reading) },
    { table: 'releases', columns: releaseColumns, rows: (reading) => releasesOf(document, reading) },
  ];
}
