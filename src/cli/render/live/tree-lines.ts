/** Draws the tree of questions in a given width and number of lines. */
import { counted } from '../../../base/counted.ts';
import { branchLines, countAll, type Drawing, finishedLine, isOver, type Shortness } from './branch-lines.ts';
import type { Branch } from './branches.ts';

/** How much of the tree is drawn. */
interface Fold extends Shortness {
  /** Whether finished siblings are only counted. */
  readonly countsFinished: boolean;
}

/** The folds, each of which hides more of the finished questions than the one before. */
const folds: readonly Fold[] = [
  { hidesParts: false, isShort: false, countsFinished: false },
  { hidesParts: true, isShort: false, countsFinished: false },
  { hidesParts: true, isShort: true, countsFinished: false },
  { hidesParts: true, isShort: true, countsFinished: true },
];
const tightest = folds.at(-1)!;

/** Splits siblings into those that are shown and those that are only counted. */
function shownOf(
  branches: readonly Branch[],
  { countsFinished }: Fold,
): { readonly over: readonly Branch[]; readonly shown: readonly Branch[] } {
  const over = branches.filter(isOver);
  const isCounted = countsFinished && over.length > 1;
  return isCounted ? { over, shown: branches.filter((one) => !isOver(one)) } : { over: [], shown: branches };
}

const partsOf = (branch: Branch, { hidesParts }: Fold): readonly Branch[] =>
  hidesParts && isOver(branch) ? [] : branch.parts;

/** Returns the minimum number of lines of a tree. */
function fewestLines(branches: readonly Branch[], fold: Fold): number {
  const { over, shown } = shownOf(branches, fold);
  const lines = (one: Branch) => 1 + fewestLines(partsOf(one, fold), fold);
  return shown.reduce((total, one) => total + lines(one), Math.min(1, over.length));
}

/** Returns the lines of siblings, with their guides. */
function siblingLines(branches: readonly Branch[], before: string, fold: Fold, drawing: Drawing): string[] {
  const { over, shown } = shownOf(branches, fold);
  const summary = over.length > 0 ? [finishedLine(over, `${before}${shown.length > 0 ? '├─ ' : '└─ '}`, drawing)] : [];
  const lines = shown.flatMap((branch, index) => {
    const isLast = index === shown.length - 1;
    return linesOf(branch, `${before}${isLast ? '└─ ' : '├─ '}`, `${before}${isLast ? '   ' : '│  '}`, fold, drawing);
  });
  return [...summary, ...lines];
}

/** Returns the lines of a question and its parts. */
function linesOf(branch: Branch, first: string, before: string, fold: Fold, drawing: Drawing): string[] {
  const parts = partsOf(branch, fold);
  const others = parts.length > 0 ? `${before}│` : before;
  return [...branchLines(branch, { first, others }, fold, drawing), ...siblingLines(parts, before, fold, drawing)];
}

const workingIn = (branches: readonly Branch[]): Branch[] =>
  branches.flatMap((branch) => [...(isOver(branch) ? [] : [branch]), ...workingIn(branch.parts)]);

/** For too little room: returns the questions in progress, the deepest last, and the number of other questions. */
function workingLines(roots: readonly Branch[], room: number, drawing: Drawing): string[] {
  const shown = workingIn(roots).slice(-Math.max(1, room - 1));
  const lines = shown.flatMap((one) => branchLines(one, { first: '', others: '' }, tightest, drawing));
  const left = countAll(roots) - shown.length;
  return [...lines, drawing.style('dim', `… and ${counted(left, 'more question')}`)];
}

/**
 * Returns the tree in at most `room` lines. Finished questions are folded first.
 * @param room the number of lines, at least 2.
 */
export function treeLines(roots: readonly Branch[], room: number, drawing: Drawing): string[] {
  for (const fold of folds) {
    if (fewestLines(roots, fold) > room) continue;
    const lines = roots.flatMap((root) => linesOf(root, '', '', fold, drawing));
    if (lines.length <= room) return lines;
  }
  return workingLines(roots, room, drawing);
}
