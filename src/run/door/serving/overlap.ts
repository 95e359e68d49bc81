/** A call as its server works on it. */
interface Working {
  /** The reply has begun to come. */
  sign(): void;
  end(): void;
}

/** Finds out how many calls a server works on at once, where it does not tell. */
export interface Overlap {
  /** Calls that may be sent at once now. */
  width(): number;
  begin(): Working;
}

/**
 * Begins with what is known. After the first reply one call more than that is sent: where its reply begins before
 * another one has ended, the server works on both, and the next is tried; where it waits until then, the server has
 * calls wait, and what is known stays.
 * @param known calls that the server works on at once, at least.
 * @param most calls that are tried, at most.
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
