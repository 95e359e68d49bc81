// Citation marks: `[P12]` and `[P3, P4]` in an answer, `[2]` in printed text. An array index in code, which has no
// space before it, and `[p99]` are no marks.
const marks = /\[(\s*P\d+(?:\s*[,;]\s*P?\d+)*\s*)\]|(?<![\w\])])\[(\d+)\]/g;

/** Replaces the brackets of text that looks like a citation mark by round ones. */
export function withoutMarks(text: string): string {
  return text.replace(marks, '($1$2)');
}
