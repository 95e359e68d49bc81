/** Headings, sections and definitions of the guest's texts. */
import { documentAt, emptyText } from './documents.ts';
import { createHit, type Hit } from './hits.ts';
import { lineAround } from './pieces.ts';
import { tell } from './problems.ts';
import { create, placeOf, prototype, type TextPlace } from './text.ts';

/** A heading of Markdown. */
interface Heading extends Hit {
  /** 1 for the highest. */
  readonly level: number;
  readonly title: string;
}

interface Searched {
  matchAll(pattern: RegExp): Iterable<RegExpMatchArray>;
}

const mostHeadings = 5_000;
const headingOrFence = /^ {0,3}(?:(`{3,}|~{3,})|(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$)/;

/** Returns the headings of a text, without those inside of fenced code. */
function headings(this: unknown): readonly Heading[] {
  const place = placeOf(this)!;
  const found: Heading[] = [];
  let fence = '';
  let last = '';
  for (const match of (this as Searched).matchAll(headingOrFence)) {
    const { 0: text, 1: mark, 2: signs, 3: title, index } = match;
    const offset = place.from + index!;
    const { name: document } = documentAt(offset);
    if (document !== last) fence = '';
    last = document;
    const isEnd = fence !== '' && mark?.startsWith(fence) === true;
    if (isEnd || (fence === '' && mark !== undefined)) fence = isEnd ? '' : mark!;
    else if (fence === '' && signs !== undefined) {
      const { line } = lineAround(offset);
      const heading = { document, line, index: index!, text, level: signs.length, title: title! };
      found.push(createHit(heading, { from: offset, to: offset + text.length }));
    }
    if (found.length === mostHeadings) break;
  }
  return found;
}

/** Returns the text of a heading and what stands under it, up to the next heading that is not below it. */
function section(this: { headings(): readonly Heading[] }, wanted: unknown): unknown {
  const place = placeOf(this)!;
  const name = String(wanted)
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase();
  const all = this.headings();
  const at =
    [
      ({ title }: Heading) => title.toLowerCase() === name,
      ({ title }: Heading) => name !== '' && title.toLowerCase().includes(name),
    ]
      .map((test) => all.findIndex(test))
      .find((index) => index >= 0) ?? -1;
  if (at < 0) {
    const some = all.slice(0, 8).map(({ title }) => JSON.stringify(title));
    tell(`section: no heading has ${JSON.stringify(wanted)}; headings: ${some.join(', ') || 'none'}`);
    return emptyText(String(wanted));
  }
  const { index, level, document, title } = all[at]!;
  const next = all.slice(at + 1).find((one) => one.level <= level || one.document !== document);
  const end = Math.min(documentAt(place.from + index).to, place.to);
  const to = next?.document === document ? place.from + next.index : end;
  return create({ ...place, from: place.from + index, to, name: `${document} › ${title}` });
}

const modifiers =
  '(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|declare|readonly|override|inline|unsafe|extern|virtual|get|set|pub(?:\\([^)]*\\))?)\\s+)*';
const kinds =
  '(?:function\\s*\\*?|class|interface|type|enum|const|let|var|def|defp|fn|func|fun|sub|struct|trait|impl|union|module|namespace|package|record|object|val|macro_rules!|create\\s+table|create\\s+view)';

/** Returns expressions for the line that defines a name: by a keyword, else as a method. */
function definitionsOf(name: string): readonly RegExp[] {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const named = `${kinds}\\s+(?:\\([^)\\n]*\\)\\s*)?${escaped}(?![\\w$])`;
  const method = `${modifiers}[*#]?${escaped}\\s*[(<][^;\\n]*[{:(][ \\t]*$`;
  return [new RegExp(`^[ \\t]*${modifiers}${named}`), new RegExp(`^[ \\t]+${method}`)];
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].length;
const isComment = (line: string): boolean => /^\s*(?:\/\*|\*|\/\/|#(?!\s*(?:include|define)\b)|--|@|;;)/.test(line);
const closes = (line: string): boolean => /^\s*(?:[)\]}]|end\b)/.test(line);
const mostLines = 2_000;

/** Returns where a definition begins, with the comment above it, and where its indented block ends. */
function blockAround(place: TextPlace, offset: number): { from: number; to: number } {
  const first = lineAround(offset);
  const read = ({ start, end }: { start: number; end: number }) => host.slice(start, end);
  const indent = indentOf(read(first));
  let from = first.start;
  for (let count = 0; from > place.from && count < 200; count++) {
    const above = lineAround(from - 1);
    if (above.start < place.from || above.end < above.start || !isComment(read(above))) break;
    from = above.start;
  }
  let to = first.end;
  for (let [next, count] = [first.end + 1, 0]; next < place.to && count < mostLines; count++) {
    const line = lineAround(next);
    const text = read(line);
    const isBlank = text.trim() === '';
    if (!isBlank && (indentOf(text) < indent || (indentOf(text) === indent && !closes(text)))) break;
    if (!isBlank) to = line.end;
    if (!isBlank && indentOf(text) === indent && /[;}\])]\s*[;,]?\s*$|end\s*$/.test(text) && !/[{([]\s*$/.test(text))
      break;
    next = line.end + 1;
  }
  return { from, to: Math.min(to, place.to) };
}

/** Returns the text of a definition in code: a function, class, type or the like, with the comment above it. */
function symbol(this: Searched, wanted: unknown): unknown {
  const place = placeOf(this)!;
  const found: number[] = [];
  for (const definition of definitionsOf(String(wanted))) {
    if (found.length > 0) break;
    for (const { index } of this.matchAll(definition)) if (found.push(place.from + index!) === 10) break;
  }
  if (found.length === 0) {
    tell(`symbol: nothing here defines ${JSON.stringify(wanted)}; grep may find where it is used`);
    return emptyText(String(wanted));
  }
  const nameAt = (offset: number) => `${documentAt(offset).name}:${lineAround(offset).line}`;
  if (found.length > 1)
    tell(`symbol: ${wanted} is defined ${found.length} times, and the first is taken: ${found.map(nameAt).join(', ')}`);
  const { name, from, to } = documentAt(found[0]!);
  const within = { ...place, from: Math.max(from, place.from), to: Math.min(to, place.to) };
  return create({ ...place, ...blockAround(within, found[0]!), name: `${name} › ${wanted}` });
}

/** Gives the guest's texts their outline. */
export function defineOutline(): void {
  Object.assign(prototype, { headings, section, symbol });
}
