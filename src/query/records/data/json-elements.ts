import { type RecordDocument, recordLines } from '../record-document.ts';

/** An object in an array that is a whole document. */
interface JsonElement {
  readonly line: number;
  readonly json: string;
}

const marks = /["\\{}]/g;

/** Yields the objects directly in an array as text. One that is not closed is yielded as far as it goes. */
export function* elementsOf(document: RecordDocument): Generator<JsonElement> {
  let [depth, start, json] = [0, 0, ''];
  let [isInString, escapedAt] = [false, -1];
  for (const { line, text } of recordLines(document)) {
    let from = 0;
    for (const { 0: mark, index } of text.matchAll(marks)) {
      if (index === escapedAt) escapedAt = -1;
      else if (mark === '\\') escapedAt = isInString ? index + 1 : -1;
      else if (mark === '"') isInString = !isInString;
      else if (isInString) continue;
      else if (mark === '{') {
        if (depth++ === 0) [start, from, json] = [line, index, ''];
      } else if (depth > 0 && --depth === 0) yield { line: start, json: json + text.slice(from, index + 1) };
    }
    if (depth > 0) json += `${text.slice(from)}\n`;
    escapedAt = -1;
  }
  if (depth > 0) yield { line: start, json };
}
