/**
 * Whether an error, also of another realm, says that the stack is full: a RangeError, or the SyntaxError of a regular
 * expression that V8 compiled with no room left.
 */
export const isStackFull = (error: unknown): boolean =>
  /Maximum call stack size exceeded/.test(String((error as Error | null)?.message));
