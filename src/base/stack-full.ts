/**
 * Whether an error reports a full call stack. Tests the message, because the error may be a RangeError of another
 * realm, or the SyntaxError that V8 throws when it compiles a regular expression on a full stack.
 */
export const isStackFull = (error: unknown): boolean =>
  /Maximum call stack size exceeded/.test(String((error as Error | null)?.message));
