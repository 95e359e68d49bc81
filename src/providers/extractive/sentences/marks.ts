// What `[P12]` and `[P3, P4]` are in an answer, and `[2]` in what is printed. Not the index of an array in code,
// which is written without a space; and `[p99]` is no mark.
const marks = /\[(\s*P\d+(?:\s*[,;]\s*P?\d+)*\s*)\]|(?<![\w\])])\[(\d+)\]/g;

/** Words from elsewhere with round brackets around what could be taken for the mark of a passage. */
export function withoutMarks(text: string): string {
  return text.replace(marks, '($1$2)');
}
