/** Lines at the end of a terminal that are drawn anew again and again, and wiped away in the end. */
import type { Output } from '../../terminal.ts';

/** How often they are drawn, in ms. */
export const drawEveryMs = 100;

const hideCursorAndWrap = '\u001b[?25l\u001b[?7l';
const showCursorAndWrap = '\u001b[?7h\u001b[?25h';

/** Hides the cursor until it is closed, or the process ends. */
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
    /** @param lines each at most as wide as the terminal, together fewer than its rows. */
    draw(lines: readonly string[]): void {
      output.write(`${wiped()}${lines.map((line) => `${line}\n`).join('')}`);
      drawn = lines.length;
    },
    /** Writes a line that stays, above what is drawn next. */
    say: (line: string) => output.write(`${wiped()}\u001b[?7h${line}\n\u001b[?7l`),
    close(): void {
      process.off('exit', restore);
      output.write(wiped());
      restore();
    },
  };
}
