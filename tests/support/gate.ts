/** Creates a gate that opens when `count` callers wait, however slow the machine is. */
export function createGate(count: number): () => Promise<void> {
  let waiting = 0;
  let open: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (++waiting === count) open();
    return opened;
  };
}
