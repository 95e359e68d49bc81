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
