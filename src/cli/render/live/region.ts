/** Lines at the end of a terminal that are redrawn repeatedly and erased in the end. */
import type { Output } from '../../terminal.ts';

/** The interval between two drawings, in ms. */
export const drawEveryMs = 100;

const hideCursorAndWrap = '\u001b[?25l\u001b[?7l';
const showCursorAndWrap = '\u001b[?7h\u001b[?25h';

/** Creates a region. Hides the cursor until `close` or the end of the process. */
export function createRegion(output: Pick<Output, 'write'>) {
  let drawn = 0;
  function wiped(): string {
    const above = drawn > 0 ? `\r\u001b[${drawn}A\u001b[0J` : '';
    drawn = 0;
    return above;
  }
  const restore = () => output.write(showCursorAndWrap);
  output.write(hideCursorAndWrap);
  process.once('exit', restore);
  return {
    /** @param lines the lines to draw: none wider than the terminal, and fewer than its rows. */
    draw(lines: readonly string[]): void {
      output.write(`${wiped()}${lines.map((line) => `${line}\n`).join('')}`);
      drawn = lines.length;
    },
    /** Writes a permanent line above the next drawing. */
    say: (line: string) => output.write(`${wiped()}\u001b[?7h${line}\n\u001b[?7l`),
    close(): void {
      process.off('exit', restore);
      output.write(wiped());
      restore();
    },
  };
}
