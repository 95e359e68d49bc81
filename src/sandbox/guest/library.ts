import type { defineCalls } from './calls.ts';
import type { HostFunctions } from './host-functions.ts';
import type { defineMatches } from './matches.ts';
import type { definePieces } from './pieces.ts';
import type { defineStringMethods } from './string-methods.ts';
import type { defineText } from './text.ts';

/** The parts of the library. */
interface Parts {
  readonly defineText: typeof defineText;
  readonly defineStringMethods: typeof defineStringMethods;
  readonly definePieces: typeof definePieces;
  readonly defineMatches: typeof defineMatches;
  readonly defineCalls: typeof defineCalls;
}

/** The functions of the library that the worker calls. */
export interface Library {
  settle(call: number, text: string, isFailure: boolean): void;
  /** Returns a value as it is printed. */
  show(value: unknown): string;
  /** Words what was thrown: name, message and, on lines of their own, where. */
  explain(thrown: unknown): string;
  /** Returns a global variable as an answer. Throws where there is none. */
  variable(name: string): string;
}

/**
 * Defines the globals for the code of a model. This function runs inside the sandbox, from its own source, and uses
 * nothing outside itself.
 */
export function defineLibrary(host: HostFunctions, parts: Parts): Library {
  interface HostDocument {
    readonly name: string;
    readonly from: number;
    readonly to: number;
  }
  const mostShown = 20_000;
  const text = parts.defineText(host);
  parts.defineStringMethods(host, text);
  let documents: readonly HostDocument[] | null = null;
  const allDocuments = () => {
    documents ??= JSON.parse(host.documents()) as HostDocument[];
    return documents;
  };
  const pieces = parts.definePieces(host, text);
  const documentAt = (offset: number) => allDocuments().findLast(({ from }) => from <= offset)!;
  parts.defineMatches(host, text, (offset) => {
    const { name, from } = documentAt(offset);
    return { line: pieces.lineAt(offset, from), document: name };
  });
  const calls = parts.defineCalls(host, text);

  function show(value: unknown): string {
    if (typeof value === 'string') return value;
    const place = text.placeOf(value);
    if (place !== null) {
      const length = place.to - place.from;
      const start = text.read(place, 0, Math.min(length, 500));
      return length <= 500 ? start : `${start}… ["${place.name}": ${length} characters in all]`;
    }
    if (calls.isAnswer(value) || value instanceof Error || typeof value === 'function') return String(value);
    if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : String(value);
    return showObject(value);
  }

  /** Lists of a large text have a million items: only as many are read as can be shown. */
  function showObject(value: object): string {
    const seen = new Set<unknown>();
    let left = mostShown;
    function plainOf(item: unknown): unknown {
      if (left <= 0) return '…';
      if (typeof item === 'bigint') return `${item}n`;
      if (typeof item === 'function') return `[function ${item.name}]`;
      if (typeof item === 'string') left -= item.length;
      if (typeof item !== 'object' || item === null) return item ?? null;
      if (text.placeOf(item) !== null || calls.isAnswer(item)) return show(item);
      if (item instanceof RegExp || item instanceof Error || item instanceof Date) return String(item);
      if (item instanceof Promise) return '[promise: await it]';
      if (seen.has(item)) return '[seen above]';
      seen.add(item);
      left -= 10;
      if (item instanceof Map) return { Map: plainOf([...item].slice(0, 1_000)) };
      if (item instanceof Set) return { Set: plainOf([...item].slice(0, 1_000)) };
      if (Array.isArray(item)) return listOf(item);
      const entries = Object.keys(item)
        .slice(0, 1_000)
        .map((key) => [key, plainOf((item as Record<string, unknown>)[key])]);
      return Object.fromEntries(entries);
    }
    function listOf(items: readonly unknown[]): unknown[] {
      const plain: unknown[] = [];
      for (let index = 0; index < items.length; index++) {
        if (left <= 0 || index >= 1_000) {
          plain.push(`… and ${items.length - index} more`);
          break;
        }
        plain.push(plainOf(items[index]));
      }
      return plain;
    }
    return JSON.stringify(plainOf(value));
  }

  function explain(thrown: unknown): string {
    if (!(thrown instanceof Error)) return thrown === null ? 'out of memory' : `thrown: ${show(thrown)}`;
    return `${String(thrown.name)}: ${String(thrown.message)}\n${String(thrown.stack)}`;
  }

  const print = (...values: unknown[]) => host.print(calls.plain(values.map(show).join(' ')));

  function toAnswer(value: unknown): string {
    if (value === undefined || value === null) throw new TypeError(`the answer is ${value}`);
    const answer = text.placeOf(value) === null ? show(value) : String(value);
    if (answer.trim() === '') throw new TypeError('the answer is empty');
    return calls.plain(answer);
  }

  const missing = (name: unknown) =>
    new ReferenceError(`FINAL_VAR: there is no variable ${String(name)}; set it at the top level of the code first`);

  function variable(name: string): string {
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

  const whole = () => text.create({ from: 0, to: host.length(), isFolded: false, name: 'context' });
  function parted() {
    const all = allDocuments().map(({ name, from, to }) => text.create({ from, to, isFolded: false, name }));
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

  lazily('context', whole);
  lazily('contexts', parted);
  Object.assign(globalThis, {
    print,
    console: { log: print, info: print, warn: print, error: print, debug: print, table: print },
    llm_query: calls.llmQuery,
    llm_query_batched: calls.llmQueryBatched,
    rlm_query: calls.rlmQuery,
    cite: calls.cite,
    FINAL: (answer: unknown) => host.final(toAnswer(answer)),
    FINAL_VAR: finalVariable,
  });
  const builtIn = new Set(Object.getOwnPropertyNames(globalThis));
  builtIn.delete('context');
  return { settle: calls.settle, show, explain, variable };
}
