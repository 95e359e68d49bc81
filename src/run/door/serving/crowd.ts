import { createLimiter, type Limiter } from './limiter.ts';
import { createOverlap, type Overlap } from './overlap.ts';
import type { Hearing } from './silence.ts';

/** The shared state of the calls to one server: how many run at once, and when the server last sent data. */
export interface Crowd {
  readonly limiter: Limiter;
  readonly overlap: Overlap;
  readonly hearing: Hearing;
}

/** The state of the calls to each server, by its name, for runs that share servers. */
export interface SharedLimiters {
  /**
   * Returns the shared state of the calls to a server; runs take turns.
   * @param known concurrent calls that the server handles, at least; the first run that asks decides.
   * @param most concurrent calls that are tried, at most.
   */
  of(server: string, known: number, most: number): Crowd;
}

export function createCrowd(known: number, most: number): Crowd {
  const overlap = createOverlap(known, most);
  return { overlap, limiter: createLimiter(overlap.width), hearing: { lastSign: Number.NEGATIVE_INFINITY } };
}

/**
 * Creates limiters for concurrent runs that share servers, so that together they send no more calls at once than one
 * run would.
 */
export function createSharedLimiters(): SharedLimiters {
  const crowds = new Map<string, Crowd>();
  return {
    of(server, known, most) {
      const crowd = crowds.get(server) ?? createCrowd(known, most);
      crowds.set(server, crowd);
      return crowd;
    },
  };
}

/** Returns a run's share of the calls to a server; within the run its own order holds. */
export function amongOthers({ limiter, overlap, hearing }: Crowd, runId: string): Crowd {
  const own = createLimiter(overlap.width);
  return { overlap, hearing, limiter: (task, path, signal) => own(() => limiter(task, runId, signal), path, signal) };
}
