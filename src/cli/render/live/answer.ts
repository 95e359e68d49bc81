/** The answer while it is generated: its text, the faults that the check found, and earlier withdrawn answers. */
import type { Result } from '../../../result.ts';
import type { RunEvent } from '../../../run/events.ts';
import { type Output, oneLine, repliedText } from '../../terminal.ts';
import { faultLines, styleClaims } from '../result.ts';
import { wrapped } from './wrapped.ts';

/** An answer that a later step replaced, and the reason. */
interface Withdrawn {
  readonly text: string;
  readonly reason: string;
}

/** How much of a withdrawn answer is shown, in characters. */
const shownOfWithdrawn = 160;

/** Returns a line such as `withdrawn: Alice (no cited text says so)`, with the answer struck through. */
export const withdrawnLine = ({ text, reason }: Withdrawn, style: Output['style']): string =>
  `${style('yellow', 'withdrawn:')} ${style('strikethrough', oneLine(text, shownOfWithdrawn))} ${style('dim', `(${oneLine(reason, 300)})`)}`;

type Checked = Extract<RunEvent, { type: 'evidence.checked' }>;

/** Follows the answer of a run through its events. */
export function createDraft() {
  let call = 0;
  let text = '';
  let checked: Checked | null = null;
  /** The answers of all steps but the last. A text is empty when none arrived. */
  const withdrawn: Withdrawn[] = [];
  function append(event: Extract<RunEvent, { type: 'answer.progress' }>): void {
    if (event.call !== call) [text, checked] = ['', null];
    text = text.slice(0, event.from) + event.text;
    call = event.call;
  }
  function bodyOf(style: Output['style']): string {
    if (checked === null) return repliedText(text);
    const { answer, claims } = checked;
    return [styleClaims(answer, claims, style, true), ...faultLines(claims, style)].join('\n');
  }
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'answer.progress') append(event);
      if (event.type === 'evidence.checked') checked = event;
      if (event.type !== 'ladder.climbed') return;
      withdrawn.push({ text, reason: event.reason });
      [text, checked] = ['', null];
    },
    /** Returns the lines of the draft, wrapped to `columns`. Empty when no text has arrived. */
    lines(columns: number, style: Output['style']): string[] {
      const hasWords = text !== '' || checked !== null;
      const struck = withdrawn.filter((one) => one.text !== '').map((one) => withdrawnLine(one, style));
      const body = [...struck, ...(hasWords ? [bodyOf(style)] : [])];
      return body.length === 0 ? [] : wrapped(body.join('\n'), columns);
    },
    /** Returns the withdrawn answers, without the one that became the final answer. */
    left: ({ ladder }: Pick<Result, 'ladder'>): readonly Withdrawn[] => {
      const kept = ladder.findIndex(({ isKept }) => isKept);
      return withdrawn.filter((one, index) => index !== kept && one.text !== '');
    },
  };
}

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
