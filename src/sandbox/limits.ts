/** What code in a sandbox may use; each is held from outside. */
export interface SandboxLimits {
  /** Of a turn, not counting what it waits for. */
  readonly turnMs: number;
  /** Of all values together. */
  readonly memoryMb: number;
  /** Calls of a turn. */
  readonly calls: number;
  /** Characters of a turn's output that are given back. */
  readonly outputCharacters: number;
}
