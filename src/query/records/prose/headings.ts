import { columnsNamed, type FindTables, type RecordDocument, recordLines } from '../reader.ts';

const columns = columnsNamed('level:INTEGER title');

const kinds: readonly string[] = ['Markdown', 'markdown', 'notebook'];
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const underline = /^ {0,3}(?:(=+)|(-{2,}))[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

function* rowsOf(document: RecordDocument) {
  let fenced: string | null = null;
  let [before, isFront] = ['', false];
  for (const { line, text } of recordLines(document)) {
    // Front matter ends with a line that would underline a heading.
    if (line === 1 && text.trimEnd() === '---') isFront = true;
    else if (isFront) isFront = text.trimEnd() !== '---';
    else {
      const mark = fence.exec(text)?.[1];
      const found = fenced === null ? heading.exec(text) : null;
      const [, first] = fenced === null ? (underline.exec(text) ?? []) : [];
      const isUnderline = fenced === null && underline.test(text) && /^ {0,3}[^\s#>|*+-]/.test(before);
      if (found !== null) yield { line, values: [found[1]!.length, found[2]!] };
      else if (isUnderline) yield { line: line - 1, values: [first === undefined ? 2 : 1, before.trim()] };
      if (fenced === null) fenced = mark ?? null;
      else if (mark?.startsWith(fenced)) fenced = null;
    }
    before = text;
  }
}

/** Finds the headings of Markdown. */
export const findHeadings: FindTables = (document) =>
  kinds.includes(document.kind) ? [{ table: 'headings', columns, rows: () => rowsOf(document) }] : [];
