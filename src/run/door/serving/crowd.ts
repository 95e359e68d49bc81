import { createLimiter, type Limiter } from './limiter.ts';
import { createOverlap, type Overlap } from './overlap.ts';
import type { Hearing } from './silence.ts';

/** The calls to one server: how many at once, and what is heard of them. */
export interface Crowd {
  readonly limiter: Limiter;
  readonly overlap: Overlap;
  readonly hearing: Hearing;
}

/** Calls to servers, each by the server's name, for runs that ask the same ones. */
export interface SharedLimiters {
  /**
   * The calls to a server; runs take turns.
   * @param known how many of all their calls it serves at once, at least; the first run that asks it decides.
   * @param most how many are tried.
   */
  of(server: string, known: number, most: number): Crowd;
}

export function createCrowd(known: number, most: number): Crowd {
  const overlap = createOverlap(known, most);
  return { overlap, limiter: createLimiter(overlap.width), hearing: { lastSign: Number.NEGATIVE_INFINITY } };
}

/** For runs that ask the same servers at the same time, so that together they ask no more at once than one. */
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

/** The calls of a run among those of others: within the run, its own order holds. */
export function amongOthers({ limiter, overlap, hearing }: Crowd, runId: string): Crowd {
  const own = createLimiter(overlap.width);
  return { overlap, hearing, limiter: (task, path, signal) => own(() => limiter(task, runId, signal), path, signal) };
}
