type Close = () => Promise<void> | void;

export type Scope = ReturnType<typeof createScope>;

/** A list of what has to be closed at the end of some work. */
export function createScope() {
  const closers: Close[] = [];
  let isClosed = false;
  return {
    /** Closes it at the end; at once where the end has come already. */
    add(close: Close): void {
      if (isClosed) void close();
      else closers.push(close);
    },
    /** Closes all in reverse order. Rejects with the first failure after all were tried. */
    async close(): Promise<void> {
      isClosed = true;
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
