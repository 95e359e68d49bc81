/** Asks further questions below the one that is being answered. */
export interface Questions {
  readonly signal: AbortSignal;
}
