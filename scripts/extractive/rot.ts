/** Checks whether the labels are still valid, because a text may have changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Label } from './labels.ts';
import { aggregate, rowsOf, timeOf } from './rows.ts';
import { comparable, linesOf, root, textOf } from './texts.ts';

const comparableTexts = new Map<string, string>();

function holds(path: string, excerpt: string): boolean {
  const text = comparableTexts.get(path) ?? comparable(textOf(path));
  comparableTexts.set(path, text);
  return text.includes(comparable(excerpt));
}

function wrongExcerpts({ all, any, under, between, paths }: Label): string[] {
  const excerpts = [...all, ...any, ...(under === undefined ? [] : [under]), ...(between ?? [])];
  const missing = excerpts.filter((excerpt) => !paths.some((path) => holds(path, excerpt)));
  return missing.map((excerpt) => `no longer in ${paths.join(', ')}: ${excerpt}`);
}

function wrongCount({ counts, number, paths }: Label): string[] {
  if (counts === undefined) return [];
  const pattern = new RegExp(counts);
  const found = linesOf(paths).filter((line) => pattern.test(line)).length;
  return found === number ? [] : [`/${counts}/ matches ${found} lines, and the label says ${number}`];
}

function wrongAggregate({ of, number, value, paths }: Label): string[] {
  if (of === undefined) return [];
  const found = aggregate(
    paths.flatMap((path) => rowsOf(path, textOf(path))),
    of,
  );
  const isRight = typeof found === 'string' ? found === value : Math.abs(found - (number ?? Number.NaN)) < 1e-3;
  return isRight ? [] : [`the rows give ${found}, and the label says ${number ?? value}`];
}

function wrongDuration({ between, seconds, within, paths }: Label): string[] {
  if (between === undefined) return [];
  const lines = linesOf(paths);
  const [begin, end] = between.map((excerpt) => {
    const line = lines.find((candidate) => comparable(candidate).includes(comparable(excerpt)));
    return timeOf(line ?? '');
  });
  if (begin == null || end == null) return ['a line of the duration has no time stamp'];
  const found = end - begin;
  return Math.abs(found - seconds!) <= within ? [] : [`the lines are ${found} s apart, and the label says ${seconds}`];
}

function rotOfLabel(label: Label): string[] {
  const gone = label.paths.filter((path) => !existsSync(join(root, path)));
  if (gone.length > 0) return gone.map((path) => `${path} is gone`);
  return [wrongExcerpts, wrongCount, wrongAggregate, wrongDuration].flatMap((wrong) => wrong(label));
}

/** Returns one line for each label that is no longer valid. */
export const rotOf = (labels: readonly Label[]): string[] =>
  labels.flatMap((label) => rotOfLabel(label).map((problem) => `${label.id}: ${problem}`));
