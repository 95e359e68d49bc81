import headless from '@xterm/headless';

/** Returns the lines that a terminal of this size shows after this output, including lines that scrolled away. */
export async function screenOf(output: string, columns: number, rows: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)!.translateToString(true));
  terminal.dispose();
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}
