import { RlmError } from '../../errors.ts';
import type { Run } from '../run.ts';

/** Maximum number of repeated attempts. If the prompt is too long even then, shortening does not help. */
const mostRefits = 4;

/** Runs `ask`. While the prompt is too long and `shorten` returns true, runs it again. */
export async function whileTooLong<T>(ask: () => Promise<T>, shorten: () => boolean): Promise<T> {
  for (let refits = 0; ; refits++) {
    try {
      return await ask();
    } catch (error) {
      const isTooLong = error instanceof RlmError && error.code === 'prompt-too-long';
      if (!isTooLong || refits === mostRefits || !shorten()) throw error;
    }
  }
}

/** Runs `ask`. While the prompt is too long for the server, runs it again with fewer passages or a larger window. */
export function refitting<T>({ models }: Run, ask: () => Promise<T>): Promise<T> {
  let room = models.roomNow();
  const measured = () => {
    room = models.roomNow();
    return ask();
  };
  return whileTooLong(measured, () => {
    models.widen();
    return models.roomNow() !== room;
  });
}
