/** The functions for the library inside the sandbox. They are answered outside, in 10 µs unless they wait. */
export interface HostFunctions {
  length(): number;
  slice(from: number, to: number): string;
  indexOf(words: string, from: number, to: number, isFolded: number): number;
  lastIndexOf(words: string, from: number, to: number, isFolded: number): number;
  candidate(source: string, ignoreCase: number, from: number, to: number): number;
  /** Buffers of 64-bit floats. */
  lineFeeds(): ArrayBuffer;
  pieces(from: number, to: number, size: number, overlap: number): ArrayBuffer;
  /** JSON: name, from, to of each document. */
  documents(): string;
  print(text: string): void;
  /** Returns the characters of a text that the turn may still print, where they are like the sample. */
  room(sample: string): number;
  /** Gives the answer. `tells` is one of the words or anything else, `missing` a JSON list of questions. */
  final(text: string, tells: string, missing: string): void;
  /** Begins a call; returns its number. `args` and `ranges` are JSON. */
  begin(name: string, args: string, ranges: string): number;
  /** Waits for a call's reply. Throws its failure. */
  wait(call: number): string;
}

declare global {
  /** In scope of all modules of the guest: the interpreter calls their bundle with it. */
  const host: HostFunctions;
}
