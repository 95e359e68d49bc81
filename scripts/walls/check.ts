/** The figures of a wall's check, and the breaches. */
export interface WallReport {
  readonly figures: readonly (readonly [what: string, count: number])[];
  /** Empty if the wall held. */
  readonly breaches: readonly string[];
}

/** The check of a wall. */
export interface WallCheck {
  readonly name: string;
  run(): Promise<WallReport>;
}
