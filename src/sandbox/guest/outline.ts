import { allDocuments, documentAt, emptyText } from './documents.ts';
import { createHit, type Hit } from './hits.ts';
import { lineAround, rangeOfLines, type Searched } from './pieces.ts';
import { tell } from './problems.ts';
import { create, placeOf, prototype } from './text.ts';

interface Heading extends Hit {
  readonly level: number;
  readonly title: string;
}

const mostHeadings = 5_000;
const headingOrFence = /^ {0,3}(?:(`{3,}(?=[^`\n]*$)|~{3,})|(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$)/;

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
      found.push(createHit(heading, { from: offset, to: offset + text.length, at: 0 }));
    }
    if (found.length === mostHeadings) break;
  }
  return found;
}

function section(this: { headings(): readonly Heading[] }, wanted: unknown): unknown {
  const place = placeOf(this)!;
  const name = String(wanted)
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase();
  const all = this.headings();
  const titles = all.map(({ title }) => title.toLowerCase());
  const same = titles.indexOf(name);
  const at = same >= 0 || name === '' ? same : titles.findIndex((title) => title.includes(name));
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

function symbol(this: unknown, wanted: unknown): unknown {
  const place = placeOf(this)!;
  const indexAt = (offset: number) => allDocuments().indexOf(documentAt(offset));
  const documentRange = [indexAt(place.from), indexAt(Math.max(place.from, place.to - 1))];
  const reply = host.wait(host.begin('symbol', JSON.stringify([String(wanted), JSON.stringify(documentRange)]), '[]'));
  const all = (JSON.parse(reply) as [number, number, number][]).map(([index, startLine, endLine]) => {
    const document = allDocuments()[index]!;
    return { document, startLine, ...rangeOfLines(document, startLine, endLine) };
  });
  const found = all.filter(({ from, to }) => from < place.to && to > place.from);
  const [first] = found;
  if (first === undefined) {
    tell(`symbol: nothing here defines ${JSON.stringify(wanted)}; grep may find where it is used`);
    return emptyText(String(wanted));
  }
  const places = found.map(({ document, startLine }) => `${document.name}:${startLine}`).join(', ');
  if (found.length > 1) tell(`symbol: ${wanted} is defined ${found.length} times, and the first is taken: ${places}`);
  const [from, to] = [Math.max(first.from, place.from), Math.min(first.to, place.to)];
  return create({ ...place, from, to, name: `${first.document.name} › ${wanted}` });
}

export function defineOutline(): void {
  Object.assign(prototype, { headings, section, symbol });
}
