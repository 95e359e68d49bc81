/**
 * Milliseconds on a clock that never goes back, from the start of the process. The global `performance` says the same
 * and makes Node load a module that costs a start 2 ms.
 */
export const now = (): number => process.uptime() * 1000;
