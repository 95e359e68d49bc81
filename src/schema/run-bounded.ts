import { createContext, runInContext } from 'node:vm';

/**
 * Runs synchronous work that a hostile value could keep busy forever, such as a regular expression that backtracks.
 * @returns null when it is not done after `ms` milliseconds.
 */
export function runBounded<T>(ms: number, work: () => T): { readonly value: T } | null {
  try {
    return { value: runInContext('work()', createContext({ work }), { timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}
