/** Defines the globals for a model's code, and exports the functions that the worker calls. */
import { classify, llmQuery, llmQueryBatched, plain, rlmQuery } from './calls.ts';
import { allDocuments, asText, doc } from './documents.ts';
import { defineMatches } from './matches.ts';
import { defineOutline } from './outline.ts';
import { definePieces } from './pieces.ts';
import { query } from './query.ts';
import { cite, evidence } from './quotes.ts';
import { listVariables, show } from './show.ts';
import { defineStringMethods } from './string-methods.ts';
import { create, placeOf } from './text.ts';

export { settle } from './calls.ts';
export { problems } from './problems.ts';
export { explain, show } from './show.ts';

const print = (...values: unknown[]) => host.print(plain(values.map(show).join(' ')));

const outputs = new Map<number, string>();
export const keep = (turn: number, output: string) => void outputs.set(turn, output);

function printed(turn: unknown): string {
  const output = outputs.get(Number(turn));
  if (output === undefined) throw new RangeError(`printed: there is no output of turn ${String(turn)}`);
  return output;
}

function toAnswer(value: unknown): string {
  if (value === undefined || value === null) throw new TypeError(`the answer is ${value}`);
  const answer = placeOf(value) === null ? show(value) : String(value);
  if (answer.trim() === '') throw new TypeError('the answer is empty');
  return plain(answer);
}

const missing = (name: unknown) =>
  new ReferenceError(`FINAL_VAR: there is no variable ${String(name)}; set it at the top level of the code first`);

/** Returns a global variable as an answer. Throws ReferenceError if there is none. */
export function variable(name: string): string {
  if (!Object.hasOwn(globalThis, name) || builtIn.has(name)) throw missing(name);
  return toAnswer((globalThis as Record<string, unknown>)[name]);
}

function final(answer: string, assessment: unknown): void {
  const { tells, missing } = Object(assessment) as { readonly tells?: unknown; readonly missing?: unknown };
  const questions = Array.isArray(missing) ? missing : typeof missing === 'string' ? [missing] : [];
  host.final(answer, String(tells), JSON.stringify(questions.slice(0, 20).map((one) => plain(String(one)))));
}

/**
 * Returns the value of the variable that FINAL_VAR names. `value`: a function that reads the variable. If `value` is
 * no function, the code passed the name in quotes.
 */
function namedValue(name: unknown, value: unknown): string {
  if (typeof value !== 'function') return variable(String(name));
  let found: unknown;
  try {
    found = value();
  } catch {
    throw missing(name);
  }
  return toAnswer(found);
}

const whole = () => create({ from: 0, to: host.length(), isFolded: false, name: 'context' });
function parted() {
  const all = allDocuments().map(asText);
  const byName = Object.fromEntries(allDocuments().map(({ name }, index) => [name, all[index]]));
  return Object.assign(all, byName, { names: allDocuments().map(({ name }) => name) });
}

/** Defines a global that is created on first use, because measuring a text requires reading all of it. */
function lazily(name: string, make: () => unknown): void {
  let made: unknown;
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable: true,
    get() {
      made ??= make();
      return made;
    },
    set(value: unknown) {
      made = value;
    },
  });
}

defineStringMethods();
definePieces();
defineMatches();
defineOutline();
lazily('context', whole);
lazily('contexts', parted);
Object.assign(globalThis, {
  print,
  console: { log: print, info: print, warn: print, error: print, debug: print, table: print },
  llm_query: llmQuery,
  llm_query_batched: llmQueryBatched,
  rlm_query: rlmQuery,
  classify,
  query,
  cite,
  evidence,
  doc,
  printed,
  FINAL: (answer: unknown, said?: unknown) => final(toAnswer(answer), said),
  FINAL_VAR: (name: unknown, ...rest: unknown[]) => final(namedValue(name, rest[0]), rest.at(-1)),
});
const builtIn = new Set(Object.getOwnPropertyNames(globalThis));
builtIn.delete('context');

export const variables = (): string => listVariables(builtIn);
