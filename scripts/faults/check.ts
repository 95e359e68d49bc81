/** Something that must hold however hostile the other side is. */
export interface Check {
  readonly name: string;
  run(seed: number): Promise<Findings>;
}

/** What a check has counted, and each case in which something did not hold. */
export interface Findings {
  readonly figures: Readonly<Record<string, number | string>>;
  readonly violations: readonly string[];
}
