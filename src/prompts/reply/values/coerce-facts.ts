import type { Fact } from '../fields.ts';
import { isItem, quotedIn, toList, toText, under } from './text-values.ts';

/** `notes.md:12-14`, or `notes.md lines 12-14`. */
const sourcePattern = /^(.*?)(?::|,?\s+lines?\s+)(\d+)(?:\s*[-–]\s*(\d+))?$/i;

interface FactSource {
  readonly source: string;
  /** 0 where none is said. */
  readonly startLine: number;
  readonly endLine: number;
}

function sourceIn(text: string): FactSource {
  const plain = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .trim();
  const match = sourcePattern.exec(plain);
  if (match === null) return { source: plain, startLine: 0, endLine: 0 };
  const startLine = Number(match[2]);
  return { source: match[1]!.trim(), startLine, endLine: Number(match[3] ?? startLine) };
}

/** A line, or the first and the last of several, in a number or in `12-14`. */
function linesIn(value: unknown): readonly number[] {
  return (toText(value) ?? '').match(/\d+/g)?.map(Number) ?? [];
}

function confidenceIn(value: unknown): number {
  const number = Number((toText(value) ?? '').replace(/\s*%$/, ''));
  if (!Number.isFinite(number) || number < 0 || toText(value) === undefined) return 50;
  return Math.min(100, Math.round(number > 0 && number < 1 ? number * 100 : number));
}

/** `[notes.md:12-14] "quote" | 90 | description`; what is missing on the left is empty. */
function factIn(line: string): Fact {
  const [, place = '', rest = line] = /^\[([^\]]*)\]\s*(.*)$/s.exec(line) ?? [];
  const parts = rest.split(/\s\|\s/);
  const description = parts.at(-1)!.trim();
  const hasConfidence = parts.length > 2 && /^\s*\d{1,3}\s*%?\s*$/.test(parts.at(-2)!);
  const before = parts.slice(0, hasConfidence ? -2 : -1).join(' | ');
  const evidence = quotedIn(before) ?? quotedIn(description) ?? '';
  return { ...sourceIn(place), description, evidence, confidence: confidenceIn(hasConfidence ? parts.at(-2) : null) };
}

function toFact(item: unknown): Fact | undefined {
  if (typeof item === 'string') return isItem(item) ? factIn(item) : undefined;
  if (typeof item !== 'object' || item === null) return undefined;
  const text = (...names: string[]) => toText(under(item, names));
  const evidence = text('evidence', 'quote', 'text') ?? '';
  const description = text('description', 'finding', 'statement', 'fact') ?? evidence;
  if (!isItem(description)) return undefined;
  const said = sourceIn(text('source', 'passage', 'file', 'document', 'id') ?? '');
  const lines = linesIn(under(item, ['startline', 'lines', 'line', 'start']));
  const startLine = lines[0] ?? said.startLine;
  const endLine =
    linesIn(under(item, ['endline', 'end']))[0] ?? lines[1] ?? (lines[0] === undefined ? said.endLine : startLine);
  const confidence = confidenceIn(under(item, ['confidence', 'score']));
  return { description, evidence, source: said.source, startLine, endLine: Math.max(startLine, endLine), confidence };
}

/** What a reply has found, with where; undefined when the value can be no list. */
export function toFacts(value: unknown): Fact[] | undefined {
  const items = value === null ? [] : typeof value === 'string' ? toList(value) : value;
  return Array.isArray(items) ? items.map(toFact).filter((fact) => fact !== undefined) : undefined;
}
