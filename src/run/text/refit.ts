import { RlmError } from '../../errors.ts';
import type { Run } from '../run.ts';

/** Attempts with fewer passages, at most: a prompt that is still too long has another cause. */
const mostRefits = 4;

/** Runs `ask`, and again with fewer passages or a larger window while the server finds the prompt too long. */
export async function refitting<T>(run: Run, ask: () => Promise<T>): Promise<T> {
  for (let refits = 0; ; refits++) {
    const before = run.models.roomNow();
    try {
      return await ask();
    } catch (error) {
      const isTooLong = error instanceof RlmError && error.code === 'prompt-too-long';
      if (!isTooLong || refits === mostRefits) throw error;
      run.models.widen();
      if (run.models.roomNow() === before) throw error;
    }
  }
}
