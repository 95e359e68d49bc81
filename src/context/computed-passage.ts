import type { Passage } from '../state.ts';
import { passageHash, passageIdOf } from './passage-id.ts';

/** A computation in a run: a query, a tool call or a program, with its output. */
export interface Computation {
  /** The kind of computation: `query`, `code`, or the tool's name. */
  readonly by: string;
  /** The SQL, the code or the arguments. */
  readonly code: string;
  readonly output: string;
}

const computedSource = 'computed:';
const arrow = '\n→\n';

export const betweenValues = ' | ';

/** Returns the line of an answer that shows the SQL. The reader has to check whether the SQL fits the question. */
export const sqlLine = (sql: string): string => `SQL (made by rules, not checked by a model): ${sql}`;

/** Creates the passage of a computation. Equal computations have equal ids. */
export function computedPassage({ by, code, output }: Computation): Passage {
  const text = `${code.trim()}${arrow}${output.trim()}`;
  const source = `${computedSource}${by}`;
  const endLine = text.split('\n').length;
  const place = { source, startLine: 1, endLine, startByte: 0, endByte: Buffer.byteLength(text) };
  return { id: passageIdOf(source, 1, text), ...place, text, score: 0, hash: passageHash(text) };
}

/** Returns the source of a text by its name. Adds `./` to a name that begins like the source of a computed value. */
export const textSource = (name: string): string => (name.startsWith(computedSource) ? `./${name}` : name);

/** Splits the text of a computation into code and output. The output is empty if the text was cut before it. */
export function computedParts(text: string): { readonly code: string; readonly output: string } {
  const at = text.indexOf(arrow);
  return at === -1 ? { code: text, output: '' } : { code: text.slice(0, at), output: text.slice(at + arrow.length) };
}

/** Returns the output in a passage with a computed value. */
export const outputOf = ({ text }: Pick<Passage, 'text'>): string => computedParts(text).output;

/** Whether a passage or a citation is a computed value instead of text. */
export const isComputed = ({ source }: Pick<Passage, 'source'>): boolean => source.startsWith(computedSource);
