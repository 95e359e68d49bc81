/** Functions outside the sandbox that the guest's library calls. A call that does not wait takes about 10 µs. */
export interface HostFunctions {
  length(): number;
  slice(from: number, to: number): string;
  indexOf(words: string, from: number, to: number, isFolded: number): number;
  lastIndexOf(words: string, from: number, to: number, isFolded: number): number;
  /**
   * Returns the first offset of words that every match of the expression contains. Returns -1 if the words do not occur
   * in the range, and -2 if no such words are known.
   */
  firstCandidate(source: string, ignoreCase: number, from: number, to: number): number;
  /** `lineFeeds` and `pieces` return buffers of 64-bit floats. */
  lineFeeds(): ArrayBuffer;
  pieces(from: number, to: number, size: number, overlap: number): ArrayBuffer;
  /** Returns the name and the range of each document as JSON. */
  documents(): string;
  print(text: string): void;
  /** Returns how many more characters the turn may print if they have the average weight of those in `sample`. */
  room(sample: string): number;
  /**
   * Records the answer. `tells`: how much of the question the answer covers (all, part or nothing). `missing`: a JSON
   * list of the questions that the answer leaves open.
   */
  final(text: string, tells: string, missing: string): void;
  /** Starts a call and returns its number. `args` and `ranges` are JSON. */
  begin(name: string, args: string, ranges: string): number;
  /** Returns a call's reply. Throws the error of a failed call. */
  wait(call: number): string;
}

declare global {
  /** The functions that the interpreter passes to the bundle of the guest's modules. */
  const host: HostFunctions;
}
