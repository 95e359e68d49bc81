/** A call in progress on its server. */
interface Working {
  /** Reports that the reply has begun to arrive. */
  sign(): void;
  end(): void;
}

/** Measures how many calls a server handles concurrently, where it does not report that. */
export interface Overlap {
  /** Returns the number of calls that may now be sent at once. */
  width(): number;
  begin(): Working;
}

/**
 * Starts at `known`. After the first reply one more call is sent. Where its reply begins before another call has
 * ended, the server handles both concurrently, and the next number is tried. Otherwise the server queues calls, and
 * the known number stays.
 * @param known concurrent calls that the server handles, at least.
 * @param most concurrent calls that are tried, at most.
 */
export function createOverlap(known: number, most: number): Overlap {
  let proved = known;
  let isSettled = most <= known;
  let hasReplied = false;
  const running = new Set<{ hasBegun: boolean }>();
  return {
    width: () => (isSettled || !hasReplied ? proved : proved + 1),
    begin() {
      const mine = { hasBegun: false };
      const waitedFor = new Set<{ hasBegun: boolean }>();
      running.add(mine);
      return {
        sign() {
          if (mine.hasBegun) return;
          mine.hasBegun = true;
          const begun = [...running].filter(({ hasBegun }) => hasBegun).length;
          for (const other of running) if (!other.hasBegun) waitedFor.add(other);
          if (isSettled || begun <= proved) return;
          proved = begun;
          isSettled = proved >= most;
        },
        end() {
          running.delete(mine);
          if (!mine.hasBegun) return;
          hasReplied = true;
          if ([...waitedFor].some((other) => running.has(other) && !other.hasBegun)) isSettled = true;
        },
      };
    },
  };
}
