/** Defines the globals for the code of a model, and exports what the worker calls. */
import { cite, llmQuery, llmQueryBatched, plain, rlmQuery } from './calls.ts';
import { allDocuments } from './documents.ts';
import { defineMatches } from './matches.ts';
import { definePieces } from './pieces.ts';
import { show } from './show.ts';
import { defineStringMethods } from './string-methods.ts';
import { create, placeOf } from './text.ts';

export { settle } from './calls.ts';
export { explain, show } from './show.ts';

const print = (...values: unknown[]) => host.print(plain(values.map(show).join(' ')));

function toAnswer(value: unknown): string {
  if (value === undefined || value === null) throw new TypeError(`the answer is ${value}`);
  const answer = placeOf(value) === null ? show(value) : String(value);
  if (answer.trim() === '') throw new TypeError('the answer is empty');
  return plain(answer);
}

const missing = (name: unknown) =>
  new ReferenceError(`FINAL_VAR: there is no variable ${String(name)}; set it at the top level of the code first`);

/** Returns a global variable as an answer. Throws where there is none. */
export function variable(name: string): string {
  if (!Object.hasOwn(globalThis, name) || builtIn.has(name)) throw missing(name);
  return toAnswer((globalThis as Record<string, unknown>)[name]);
}

function finalVariable(name: unknown, value?: () => unknown): void {
  if (value === undefined) {
    host.final(variable(String(name)));
    return;
  }
  let found: unknown;
  try {
    found = value();
  } catch {
    throw missing(name);
  }
  host.final(toAnswer(found));
}

const whole = () => create({ from: 0, to: host.length(), isFolded: false, name: 'context' });
function parted() {
  const all = allDocuments().map(({ name, from, to }) => create({ from, to, isFolded: false, name }));
  const byName = Object.fromEntries(allDocuments().map(({ name }, index) => [name, all[index]]));
  return Object.assign(all, byName, { names: allDocuments().map(({ name }) => name) });
}

/** Made at its first use: the length of a text is known only after reading all of it. */
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
lazily('context', whole);
lazily('contexts', parted);
Object.assign(globalThis, {
  print,
  console: { log: print, info: print, warn: print, error: print, debug: print, table: print },
  llm_query: llmQuery,
  llm_query_batched: llmQueryBatched,
  rlm_query: rlmQuery,
  cite,
  FINAL: (answer: unknown) => host.final(toAnswer(answer)),
  FINAL_VAR: finalVariable,
});
const builtIn = new Set(Object.getOwnPropertyNames(globalThis));
builtIn.delete('context');
