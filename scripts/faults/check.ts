/** A check that must pass however hostile the other side is. */
export interface Check {
  readonly name: string;
  run(seed: number): Promise<Findings>;
}

/** The counts of a check, and each case that violated it. */
export interface Findings {
  readonly figures: Readonly<Record<string, number | string>>;
  readonly violations: readonly string[];
}
