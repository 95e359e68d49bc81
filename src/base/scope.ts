type Close = () => Promise<void> | void;

export type Scope = ReturnType<typeof createScope>;

/** Creates a list of resources to close at the end of some work. */
export function createScope() {
  const closers: Close[] = [];
  let isClosed = false;
  return {
    /** Adds the function that closes a resource. Calls it at once if the scope is already closed. */
    add(close: Close): void {
      if (isClosed) void close();
      else closers.push(close);
    },
    /** Closes all resources in reverse order. Rejects with the first failure after trying all. */
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
