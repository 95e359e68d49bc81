/** Recognizes units of text to keep whole (a definition, a list, a table, a paragraph) by the form of their lines. */
import { extensionOf, isCodeName } from './chunkers/languages.ts';
import { createFences } from './fences.ts';
import { type Line, readLines } from './sentences/lines.ts';
import { definesCode, isClosing, isComment } from './under/under-reader.ts';

/** Extensions of documents in which every line is a unit. */
const records = new Set(['csv', 'tsv', 'jsonl', 'ndjson', 'log']);

const unfinished = /(?:[=,(<[{|&?:+]|=>|\\)\s*$/;
const sentenceEnd = /[.!?:;。！？]["'”’)*_\]]*\s*$/;
const leadIn = /[:：][*_]*\s*$/;

const isWritten = (line: string): boolean => line.trim() !== '';

function codeGoesOn(before: string, after: string, isBlankBetween: boolean): boolean {
  const last = before.split('\n').findLast(isWritten) ?? '';
  const first = after.split('\n').find(isWritten) ?? '';
  const begins = definesCode(first) || (isComment(first) && !/^\s*\*/.test(first));
  if (/^\s/.test(first)) return !(isBlankBetween && begins);
  return isClosing(first) || (!isBlankBetween && (isComment(last) || unfinished.test(last)));
}

function linesGoOn(last: Line, first: Line, isBlankBetween: boolean): boolean {
  if (last.kind === 'heading') return true;
  if (first.kind === 'item') return last.kind === 'item' || leadIn.test(last.text);
  if (last.kind === 'item') return first.kind === 'prose' && (/^\s/.test(first.text) || !isBlankBetween);
  if (first.kind === 'row') return !isBlankBetween || leadIn.test(last.text);
  if (last.kind === 'code') return first.kind === 'code';
  if (isBlankBetween || last.kind !== 'prose' || first.kind !== 'prose') return false;
  return !sentenceEnd.test(last.text);
}

const hasWords = ({ kind }: Line): boolean => kind !== 'blank' && kind !== 'mark';

/** Whether a unit continues from the chunk `before` of the document `name` into the next chunk `after`. */
export function goesOn(before: string, after: string, name: string): boolean {
  if (!before.endsWith('\n')) return true;
  if (records.has(extensionOf(name))) return false;
  const isBlankBetween = /\n[ \t\r]*\n$/.test(before) || /^[ \t\r]*\n/.test(after);
  if (isCodeName(name)) return codeGoesOn(before, after, isBlankBetween);
  const fences = createFences();
  before.split('\n').forEach(fences.covers);
  if (fences.isOpen()) return true;
  const last = readLines(before, name).findLast(hasWords);
  const first = readLines(after, name).find(hasWords);
  return last !== undefined && first !== undefined && linesGoOn(last, first, isBlankBetween);
}

const imports =
  /^(?:import\b|from\s+\S+\s+import\b|export\s+(?:type\s+)?(?:\*|\{[^}]*\}?)\s*(?:from\b|$)|use\s|using\s|package\s|#include\b|require\b|(?:const|let|var)\s+[^=]+=\s*require\()/;
const licence = /\b(?:copyright|licen[cs]ed?|SPDX)\b|©/i;

/** Whether the beginning of a code file has only imports, a licence, directives, a `#!` line and blank lines. */
export function isPreamble(text: string): boolean {
  let isOpen = false;
  let isLicence = false;
  for (const line of text.split('\n').filter(isWritten)) {
    isLicence ||= isComment(line) && licence.test(line);
    const begins = imports.test(line);
    if (isOpen || begins) isOpen = (begins || isOpen) && /[{(,]\s*$/.test(line);
    else if (!isComment(line) && !/^#!|^\s*['"]use \w+['"];?\s*$/.test(line)) return false;
    else if (isComment(line) && !isLicence && /\w/.test(line) && !/^#!/.test(line)) return false;
  }
  return true;
}
