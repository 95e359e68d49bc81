import { renderPassages } from '../prompts/prompt.ts';
import type { Passage } from '../state.ts';
import { fitBlocks } from './page.ts';
import type { Bounds } from './tool.ts';

/** Shows passages to a model, as many as fit, and returns how many were shown. */
export function shownPassages(passages: readonly Passage[], bounds: Bounds) {
  return fitBlocks(
    passages.map((passage) => renderPassages([passage])),
    bounds,
  );
}

/** Returns the lines of a passage within a range, both ends included. */
export function clipToLines(passage: Passage, startLine: number, endLine: number): Passage {
  const lines = passage.text.split('\n').slice(Math.max(0, startLine - passage.startLine));
  const first = Math.max(startLine, passage.startLine);
  const last = Math.min(endLine, passage.endLine);
  return { ...passage, text: lines.slice(0, last - first + 1).join('\n'), startLine: first, endLine: last };
}
