import { RlmError } from '../../errors.ts';
import type { Run } from '../run.ts';

/** Text can have many more tokens than was estimated; what is still too long then is so for another reason. */
const mostRefits = 4;

/**
 * Asks with passages that fit, and again with fewer, or in a larger window, where the prompt turns out to be too long.
 * @param ask fits the passages into the room that there is by then, and asks.
 */
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
