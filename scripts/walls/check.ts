/** The figures of a wall's check, and what came through the wall. */
export interface WallReport {
  readonly figures: readonly (readonly [what: string, count: number])[];
  /** Empty when the wall held. */
  readonly breaches: readonly string[];
}

/** One of the walls. */
export interface WallCheck {
  readonly name: string;
  run(): Promise<WallReport>;
}
