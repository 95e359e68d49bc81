import { createFences } from '../../../context/fences.ts';
import { columnsNamed, type FindTables, type ReadRows, recordLines, tableOf } from '../reader.ts';

const columns = columnsNamed('level:INTEGER title');

const kinds: readonly string[] = ['Markdown', 'markdown', 'notebook'];
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const underline = /^ {0,3}(?:(=+)|(-{2,}))[ \t]*$/;
const underlined = /^ {0,3}[^\s#>|*+-]/;

const rowsOf: ReadRows = function* (document) {
  const fences = createFences();
  let [before, isFront] = ['', false];
  for (const { line, text } of recordLines(document)) {
    // The last line of front matter (`---`) must not be read as the underline of a heading.
    if (line === 1 && text.trimEnd() === '---') isFront = true;
    else if (isFront) isFront = text.trimEnd() !== '---';
    else if (fences.covers(text)) before = '';
    else {
      const [, marks, title] = heading.exec(text) ?? [];
      const under = underlined.test(before) ? underline.exec(text) : null;
      if (marks !== undefined) yield { line, values: [marks.length, title!] };
      else if (under !== null) yield { line: line - 1, values: [under[1] === undefined ? 2 : 1, before.trim()] };
      before = under === null ? text : '';
    }
  }
};

export const findHeadings: FindTables = (document) =>
  kinds.includes(document.kind) ? tableOf('headings', columns, document, rowsOf) : [];
