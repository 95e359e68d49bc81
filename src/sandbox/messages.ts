import type { Completeness, Tells } from '../state.ts';

/** The limits of code in a sandbox; all are enforced from outside. */
export interface SandboxLimits {
  /** Time of a turn in ms, without waiting for calls. */
  readonly turnMs: number;
  /** Memory of all values together, in MB. */
  readonly memoryMb: number;
  /** Calls in a turn. */
  readonly calls: number;
  /** Characters of a turn's output that are returned: fewer where a model takes more tokens for them, as for digits. */
  readonly outputCharacters: number;
}

/** A document that code in a sandbox may read. */
export interface SourceDocument {
  readonly name: string;
  /** Size of its text as UTF-8. */
  readonly bytes: number;
}

/** The text for code in a sandbox; its parts are read where they lie. */
export interface GuestTextSource {
  readonly documents: readonly SourceDocument[];
  /**
   * Reads bytes of a document, by its index. Throws the system's error.
   * @param room may be used for them, and is large enough.
   */
  read(document: number, startByte: number, endByte: number, room?: Uint8Array): Uint8Array;
}

/** A range of a document's bytes, end exclusive. */
export interface TextRange {
  readonly document: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** Text is transferred in pages of at most this many bytes. */
export const guestPageBytes = 1024 * 1024;

const mostCharacters = 64 * 1024 * 1024;
/** Characters of one call. */
export const mostRanges = 1_000;
const mostPrompts = 10_000;
/** Questions that an answer names as missing. */
export const mostMissing = 20;

/** A `WebAssembly.Module`, which Node's types lack. Threads that get the same one share its machine code. */
export type CompiledInterpreter = object;

/** The data that a worker starts with. */
export interface WorkerSetup {
  readonly documents: readonly SourceDocument[];
  /** Room for pages of the text, one after the other. */
  readonly pages: SharedArrayBuffer;
  /** Incremented after each message to the worker, which may be waiting for it. */
  readonly flag: Int32Array;
  readonly port: import('node:worker_threads').MessagePort;
  readonly interpreter: CompiledInterpreter;
  readonly memoryMb: number;
  /** The source of the clock and of random numbers in the sandbox. */
  readonly seed: number;
}

/** To the worker. */
export type ToWorker =
  | {
      readonly kind: 'turn';
      readonly turn: number;
      readonly code: string;
      readonly limitMs: number;
      /** Characters of its output that are shown. */
      readonly room: number;
      /** Calls that it may make. */
      readonly mostCalls: number;
    }
  | { readonly kind: 'variable'; readonly name: string; readonly limitMs: number }
  | { readonly kind: 'page'; readonly bytes: number }
  | { readonly kind: 'reply'; readonly id: number; readonly text: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** A host function that the code calls. */
export interface HostCall {
  readonly kind: 'call';
  /** Counted from 1 in the turn, in the order of the program. */
  readonly id: number;
  readonly name: string;
  readonly args: readonly string[];
  /** Places of the text that the arguments may come from. */
  readonly ranges: readonly TextRange[];
}

/** An answer that code gives, and what it says about it. */
export interface CodeFinal extends Completeness {
  readonly answer: string;
}

/** The words by which an answer says how much it tells. */
const tellsWords: readonly Tells[] = ['all', 'part', 'nothing'];

/** Returns the word that a value is; null for any other value. */
export const tellsOf = (value: unknown): Tells | null => tellsWords.find((word) => word === value) ?? null;

/** How a turn ended. */
export interface TurnEnd {
  readonly kind: 'done';
  /** What was printed, as far as it is kept. */
  readonly output: string;
  /** Characters that were printed in all. */
  readonly printed: number;
  readonly error: string | null;
  readonly final: CodeFinal | null;
  /** What went wrong without stopping the code, a line each. */
  readonly problems: string;
  /** The variables that are set, with types and sizes. */
  readonly variables: string;
}

/** From the worker. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly range: TextRange; readonly slot: number }
  | HostCall
  | TurnEnd
  | { readonly kind: 'value'; readonly text: string | null };

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= mostCharacters;
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isList = (value: unknown, most: number, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= most && value.every(isItem);

function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(shape).length &&
    names.every((name) => Object.hasOwn(shape, name) && shape[name]!((value as Record<string, unknown>)[name]))
  );
}

const isKind = (): boolean => true;
const isRange = (value: unknown): boolean =>
  hasShape(value, { document: isCount, startByte: isCount, endByte: isCount });

const isFinal = (value: unknown): boolean =>
  value === null ||
  hasShape(value, {
    answer: isText,
    tells: (tells) => tells === null || tellsOf(tells) !== null,
    missing: (missing) => isList(missing, mostMissing, isText),
  });

const shapes: Readonly<Record<FromWorker['kind'], Shape>> = {
  ready: { kind: isKind },
  read: { kind: isKind, range: isRange, slot: isCount },
  call: {
    kind: isKind,
    id: isCount,
    name: isText,
    args: (value) => isList(value, mostPrompts, isText),
    ranges: (value) => isList(value, mostRanges, isRange),
  },
  done: {
    kind: isKind,
    output: isText,
    printed: isCount,
    error: isTextOrNull,
    final: isFinal,
    problems: isText,
    variables: isText,
  },
  value: { kind: isKind, text: isTextOrNull },
};

/** Returns a message from the worker; null for anything else. */
export function readMessage(raw: unknown): FromWorker | null {
  const kind = (raw as { kind?: unknown } | null)?.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) return null;
  return hasShape(raw, shapes[kind as FromWorker['kind']]) ? (raw as FromWorker) : null;
}
