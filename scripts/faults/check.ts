/** A check that must pass even if the other side is hostile. */
export interface Check {
  readonly name: string;
  run(seed: number): Promise<Findings>;
}

/** The counts of a check, and the cases that violated it. */
export interface Findings {
  readonly figures: Readonly<Record<string, number | string>>;
  readonly violations: readonly string[];
}
