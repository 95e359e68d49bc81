/** A list of what has to be closed at the end of some work. */
export interface Scope {
  /** Closes it at the end; at once where the end has come already. */
  add(close: () => Promise<void> | void): void;
  /** Closes all in reverse order. Rejects with the first failure after all were tried. */
  close(): Promise<void>;
}

export function createScope(): Scope {
  const closers: (() => Promise<void> | void)[] = [];
  let isClosed = false;
  return {
    add(close) {
      if (isClosed) void close();
      else closers.push(close);
    },
    async close() {
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
