import type { MessagePort } from 'node:worker_threads';
import type { Tells } from '../state.ts';

/** The limits of code in a sandbox. */
export interface SandboxLimits {
  /** Time limit of a turn, in ms. Excludes the time of calls. */
  readonly turnMs: number;
  /** The memory limit of all values together, in MB. */
  readonly memoryMb: number;
  readonly calls: number;
  /** Maximum number of characters to show of a turn's output. Lower for text with many tokens, such as digits. */
  readonly outputCharacters: number;
}

/** A document that code in a sandbox may read. */
export interface SourceDocument {
  readonly name: string;
  /** Size in bytes, as UTF-8. */
  readonly bytes: number;
}

/** The text for code in a sandbox, read on demand. */
export interface GuestTextSource {
  readonly documents: readonly SourceDocument[];
  /** Reads bytes of the document with this index, into `room` if it is given. Throws the system's error. */
  read(document: number, startByte: number, endByte: number, room?: Uint8Array): Uint8Array;
}

/** Text is transferred in pages of at most this many bytes. */
export const guestPageBytes = 1024 * 1024;

export const mostRanges = 1_000;
export const mostMissing = 20;

/** A `WebAssembly.Module`, which Node's types do not contain. Threads with the same module share its machine code. */
export type CompiledInterpreter = object;

/** The data that a worker starts with. */
export interface WorkerSetup {
  readonly documents: readonly SourceDocument[];
  readonly pages: SharedArrayBuffer;
  /** The number of messages to the worker. A waiting worker wakes when this number changes. */
  readonly flag: Int32Array;
  readonly port: MessagePort;
  readonly interpreter: CompiledInterpreter;
  readonly memoryMb: number;
  readonly seed: number;
}

/** The reply to a call. `text`: the result, or the reason for the failure. */
export interface CallReply {
  readonly kind: 'reply';
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
}

export type ToWorker =
  | { readonly kind: 'turn'; readonly turn: number; readonly code: string; readonly limits: SandboxLimits }
  | { readonly kind: 'variable'; readonly name: string; readonly limits: SandboxLimits }
  | { readonly kind: 'page'; readonly bytes: number }
  | CallReply;

const tellsWords: readonly Tells[] = ['all', 'part', 'nothing'];

/** Returns the value if it is `all`, `part` or `nothing`; else null. */
export const tellsOf = (value: unknown): Tells | null => tellsWords.find((word) => word === value) ?? null;
