/** The answer while it comes: its words, what the check found, and earlier answers that left a doubt. */
import type { Result, RunEvent } from '../../../index.ts';
import { type Output, oneLine, repliedText } from '../../terminal.ts';
import { faultLines, styleFaults } from '../faults.ts';
import { wrapped } from './wrapped.ts';

/** An answer that was left for another one, and why. */
interface Withdrawn {
  readonly text: string;
  readonly reason: string;
}

/** Of an answer that was withdrawn, in characters. */
const shownOfWithdrawn = 160;

/** `withdrawn: the text does not say …`, the words struck where the terminal can. */
export const withdrawnLine = ({ text, reason }: Withdrawn, style: Output['style']): string =>
  `${style('yellow', 'withdrawn:')} ${style('strikethrough', oneLine(text, shownOfWithdrawn))} ${style('dim', `(${oneLine(reason, 300)})`)}`;

type Checked = Extract<RunEvent, { type: 'evidence.checked' }>;

export function createDraft() {
  let call = 0;
  let text = '';
  let checked: Checked | null = null;
  /** One for each step that was not the last; without words where none came. */
  const withdrawn: Withdrawn[] = [];
  function come(event: Extract<RunEvent, { type: 'answer.progress' }>): void {
    if (event.call !== call) [text, checked] = ['', null];
    text = text.slice(0, event.from) + event.text;
    call = event.call;
  }
  function bodyOf(style: Output['style']): string {
    if (checked === null) return repliedText(text);
    const { answer, claims } = checked;
    return [styleFaults(answer, claims, style), ...faultLines(claims, style)].join('\n');
  }
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'answer.progress') come(event);
      if (event.type === 'evidence.checked') checked = event;
      if (event.type !== 'ladder.climbed') return;
      withdrawn.push({ text, reason: event.reason });
      [text, checked] = ['', null];
    },
    /** Lines for so many columns; none where no words have come. */
    lines(columns: number, style: Output['style']): string[] {
      const hasWords = text !== '' || checked !== null;
      const struck = withdrawn.filter((one) => one.text !== '').map((one) => withdrawnLine(one, style));
      const body = [...struck, ...(hasWords ? [bodyOf(style)] : [])];
      return body.length === 0 ? [] : wrapped(body.join('\n'), columns);
    },
    /** What was withdrawn and is not the answer in the end. */
    left: ({ ladder }: Pick<Result, 'ladder'>): readonly Withdrawn[] => {
      const kept = ladder.findIndex(({ isKept }) => isKept);
      return withdrawn.filter((one, index) => index !== kept && one.text !== '');
    },
  };
}
