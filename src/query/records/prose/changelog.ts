import type { Value } from '../../query-result.ts';
import { columnsNamed, type FindTables, type NumberedLine, type ReadRows, recordLines, tableOf } from '../reader.ts';
import type { TimeReader } from '../times.ts';

const columns = columnsNamed('time timeText package version section author text');
const releaseColumns = columnsNamed('time timeText package version');

interface Change {
  readonly line: number;
  readonly section: string | null;
  text: string;
}

const debianHead = /^(\S+) \(([^)\s]+)\) ([^;]+); urgency=/;
const debianEnd = /^ -- (.+?) {2}(.+)$/;
const debianItem = /^ {2}\* (.*)$/;
const debianPart = /^ {2}\[ (.+) \]$/;

/** Yields the versions of a Debian changelog, where the author and the time are below the changes. */
function* debianVersions(lines: Iterable<NumberedLine>, times: TimeReader) {
  let open: { line: number; named: readonly Value[]; isReleased: boolean; changes: Change[] } | null = null;
  let section: string | null = null;
  for (const { line, text } of lines) {
    const [, name, version, suite] = debianHead.exec(text) ?? [];
    const [, author, date] = debianEnd.exec(text) ?? [];
    const item = debianItem.exec(text)?.[1];
    if (name !== undefined) {
      if (open !== null) yield { ...open, ended: [null, null, null] };
      [open, section] = [{ line, named: [name, version!], isReleased: suite !== 'UNRELEASED', changes: [] }, null];
    } else if (open === null) continue;
    else if (date !== undefined) {
      yield {
        ...open,
        ended: open.isReleased ? [times.read(date)?.time ?? null, date, author!] : [null, null, author!],
      };
      open = null;
    } else if (item !== undefined) open.changes.push({ line, section, text: item });
    else if (debianPart.test(text)) section = debianPart.exec(text)![1]!;
    else if (text.trim() !== '' && open.changes.length > 0) open.changes.at(-1)!.text += ` ${text.trim()}`;
  }
  if (open !== null) yield { ...open, ended: [null, null, null] };
}

const debianRows: ReadRows = function* (document, reading) {
  for (const { named, changes, ended } of debianVersions(recordLines(document), reading.times()))
    for (const { line, section, text } of changes)
      yield { line, values: [...ended.slice(0, 2), ...named, section, ended[2]!, text] };
};

const debianReleases: ReadRows = function* (document, reading) {
  for (const { line, named, isReleased, ended } of debianVersions(recordLines(document), reading.times()))
    if (isReleased) yield { line, values: [...ended.slice(0, 2), ...named] };
};

const releaseHead =
  /^#{1,3}\s+(?:\[|<a [^>]*><\/a>\s*)*(?:version\s+)?v?(\d+\.\d+[\w.+-]*|unreleased)\]?(?:\([^)]*\))?(.*)$/i;
/** Matches the date after a version: `2025-04-01`, `April 1st, 2025`, `1 Apr 2025`. */
const releaseDate =
  /^[\s(:/–—-]+(\d{4}([-/.])\d\d\2\d\d|[a-z]{3,9}\.? \d{1,2}[a-z]*,? \d{4}|\d{1,2}[a-z]* [a-z]{3,9}\.?,? \d{4})\b/i;

/** Returns the time and the written date after a version; both are null if no date follows. */
function dateAfter(text: string): readonly [time: string | null, timeText: string | null] {
  const written = releaseDate.exec(text)?.[1];
  if (written === undefined) return [null, null];
  const date = new Date(`${written.replace(/(?<=\d)(?:st|nd|rd|th)\b/, '').replaceAll('.', ' ')} UTC`);
  // JavaScript reads February 30 as March 1.
  const isReal = written.match(/\d+/g)!.some((number) => Number(number) === date.getUTCDate());
  return [isReal ? date.toISOString() : null, written];
}

const underline = /^(?:==+|---+)\s*$/;

/** Rewrites an underlined heading in the form `## 1.8.0`. */
function* withHeadings(lines: Iterable<NumberedLine>): Generator<NumberedLine> {
  let held: NumberedLine | null = null;
  for (const one of lines) {
    if (held !== null && underline.test(one.text) && /^[\w[]/.test(held.text)) {
      yield { line: held.line, text: `${one.text.startsWith('=') ? '#' : '##'} ${held.text}` };
      held = null;
      continue;
    }
    if (held !== null) yield held;
    held = one;
  }
  if (held !== null) yield held;
}
const releaseSection = /^#{2,4}\s+(.+?)\s*#*$/;
const releaseItem = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;

/** Nested items belong to the item above them. */
const releaseRows: ReadRows = function* (document) {
  let release: readonly Value[] | null = null;
  let [section, change]: [string | null, (Change & { readonly indent: number }) | null] = [null, null];
  const row = ({ line, section: part, text }: Change) => {
    const [time, timeText, version] = release!;
    return { line, values: [time!, timeText!, null, version!, part, null, text] };
  };
  for (const { line, text } of withHeadings(recordLines(document))) {
    const head = releaseHead.exec(text);
    const part = releaseSection.exec(text)?.[1];
    const [, indent = '', listed] = releaseItem.exec(text) ?? [];
    const item: string | undefined = change !== null && indent.length > change.indent ? undefined : listed;
    if (change !== null && (head !== null || part !== undefined || item !== undefined || text.trim() === '')) {
      yield row(change);
      change = null;
    }
    if (head !== null) [release, section] = [[...dateAfter(head[2]!), head[1]!], null];
    else if (part !== undefined) section = part;
    else if (item !== undefined && release !== null) change = { line, section, text: item, indent: indent.length };
    else if (change !== null) change.text += ` ${text.trim()}`;
  }
  if (change !== null) yield row(change);
};

/** Yields the releases of a Markdown changelog: headings with the level of the first version, except `Unreleased`. */
const releaseHeadings: ReadRows = function* (document) {
  let marks: string | null = null;
  for (const { line, text } of withHeadings(recordLines(document))) {
    const [, version, after = ''] = releaseHead.exec(text) ?? [];
    const [, level, heading] = /^(#{1,3})\s+(.+?)\s*#*$/.exec(text) ?? [];
    if (version !== undefined) marks ??= level!;
    if (level !== marks || heading === undefined || version?.toLowerCase() === 'unreleased') continue;
    yield { line, values: [...dateAfter(after), null, version ?? heading] };
  }
};

/** Finds changes and releases in a Debian changelog, or in a Markdown changelog with a heading for each release. */
export const findChangelog: FindTables = (document) => {
  const isDebian = debianHead.test(document.head.find((line) => line.trim() !== '') ?? '');
  const lines = document.kind === 'Markdown' ? document.head.map((text, line) => ({ line, text })) : [];
  const isMarkdown = [...withHeadings(lines)].some(({ text }) => releaseHead.test(text));
  if (!isDebian && !isMarkdown) return [];
  return [
    ...tableOf('changes', columns, document, isDebian ? debianRows : releaseRows),
    ...tableOf('releases', releaseColumns, document, isDebian ? debianReleases : releaseHeadings),
  ];
};
