/** Scores whether an answer cites the right documents. */

const parts = (path: string): readonly string[] =>
  path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.');

/** Whether a path ends with the named document. */
function isNamed(source: string, wanted: string): boolean {
  const [has, ends] = [parts(source), parts(wanted)];
  return ends.length <= has.length && ends.every((part, at) => part === has[has.length - ends.length + at]);
}

/** Returns recall of the documents that have to be cited, and F1; both 0–1. */
export function sourceScores(cited: readonly string[], wanted: readonly string[]) {
  const distinct = [...new Set(cited)];
  const found = wanted.filter((one) => distinct.some((source) => isNamed(source, one))).length;
  const right = distinct.filter((source) => wanted.some((one) => isNamed(source, one))).length;
  const recall = found / wanted.length;
  const precision = distinct.length === 0 ? 0 : right / distinct.length;
  return { recall, f1: recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision) };
}
