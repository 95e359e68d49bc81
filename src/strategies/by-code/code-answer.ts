import { chunkAt } from '../../context/chunk-at.ts';
import type { ContextStore } from '../../context/document.ts';
import { createLineFinder } from '../../context/lines.ts';
import { readBuffer, withoutEnd } from '../../context/shown-text.ts';
import { numbered, type Uncounted } from '../../evidence/citations.ts';
import { withoutMarks } from '../../evidence/marks.ts';
import type { Run } from '../../run/run.ts';
import type { Passage } from '../../state.ts';
import type { Draft } from '../strategy.ts';
import { draftBy } from '../strategy.ts';

/** A range of a document that is shown as an example. */
export interface ExamplePlace {
  readonly document: number;
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
}

/** An example with its citation. */
interface Example {
  readonly passage: Passage;
  readonly citation: Uncounted;
}

/** An answer that code computed from the text. */
export interface CodeAnswer {
  /** The answer, with passage ids as marks. */
  readonly answer: string;
  readonly examples: readonly Example[];
  /** How certain it is that the question means the rule of the computation, 0–1. */
  readonly certainty: number;
}

const mostCharacters = 200;

/** Returns a range of the text as an example with its citation; an overlong range ends with its first chunk. */
export function exampleOf({ document, startByte, endByte }: ExamplePlace, store: ContextStore): Example {
  const passage = store.plainPassage(store.chunk(chunkAt(store, document, startByte)));
  const quote = withoutEnd(readBuffer(store, document, startByte, Math.min(endByte, passage.endByte)));
  const text = quote.toString('utf8');
  const { line } = createLineFinder(store).around(document, startByte)!;
  const lines = { startLine: line, endLine: line + text.split('\n').length - 1 };
  const bytes = { startByte, endByte: startByte + quote.length };
  const { id, source, hash } = passage;
  return { passage, citation: { passage: id, source, ...lines, ...bytes, hash, quote: text, origin: 'code' } };
}

/** Formats an example as a line of an answer. */
export function showExample({ citation }: Example): string {
  const text = withoutMarks(citation.quote!.replace(/\s+/g, ' ').trim());
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return `- ${cut} [${citation.passage}]`;
}

export const showCount = (count: number): string => count.toLocaleString('en-US');

/** Formats a count with its noun: `1 line`, `2 lines`. */
export const showMany = (count: number, one: string): string => `${showCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** Turns the answer into a strategy's draft. */
export function draftOf({ answer, examples, certainty }: CodeAnswer, run: Run): Draft {
  run.passages.give(examples.map(({ passage }) => passage));
  const citations = numbered(examples.map(({ citation }) => citation));
  const passages = run.passages.byId([...new Set(examples.map(({ passage }) => passage.id))]);
  return draftBy('scan', { answer, citations, passages, certainty });
}
