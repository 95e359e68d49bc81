import { counted } from '../base/counted.ts';
import type { ExploreStep } from '../state.ts';
import type { Message } from './message.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, renderKnown } from './prompt.ts';
import { withoutRepeats } from './repeats.ts';

/** The total budget of the code, which stays the same from turn to turn. */
interface ReplBudget {
  readonly turns: number;
  readonly calls: number;
}

export interface ReplVariables {
  readonly question: string;
  /** What a model is told of the text in its place. */
  readonly description: string;
  readonly known: readonly KnownAnswer[];
  readonly criteria: readonly string[];
  /** Characters that a prompt of a sub-query has room for, at most. */
  readonly pieceCharacters: number;
  /** The newest turns, which are shown in full. */
  readonly steps: readonly ExploreStep[];
  /** The turns before those, each in a line or two. */
  readonly earlier: readonly string[];
  /** What the model should know now, such as that it has to answer; empty: nothing. */
  readonly notice: string;
  readonly budget: ReplBudget & { readonly turnsLeft: number; readonly callsLeft: number };
}

const fence = '```';

/** The code of a step, as the model wrote it. */
export const codeOf = ({ calls }: ExploreStep): string =>
  calls.map(({ arguments: given }) => (given as { readonly code: string }).code).join('\n');

/** Renders a turn; words without code are left out, since a small model would repeat them. */
function said(step: ExploreStep): string {
  if (step.calls.length === 0) return '…';
  const code = codeOf(step);
  return [step.thought, code === '' ? '' : `${fence}js\n${code}\n${fence}`].filter(Boolean).join('\n\n') || '…';
}

const noCode = `There was no code in your reply, so nothing was looked at. Write one fenced block of JavaScript, such as

${fence}js
print(context.grep(/<a word that the text is likely to use>/i, 20));
${fence}

or FINAL(answer) when you have seen what it rests on.`;

/** Renders what was printed, between tags that its own words cannot close. */
function shown({ calls, number }: ExploreStep): string {
  if (calls.length === 0) return noCode;
  const results = calls.map(({ result }) => result.replace(/<(\/?)output/gi, '<$1\u200boutput')).join('\n');
  return `<output of="${number}">\n${results}\n</output>`;
}

/** Renders the turns so far as messages; the last one contains the remaining budget. */
function replTurns({ steps, notice, budget, question }: ReplVariables): Message[] {
  const left = `Left: ${counted(budget.turnsLeft, 'turn')}, ${counted(budget.callsLeft, 'model call')}.`;
  const fresh = withoutRepeats(steps);
  const told = fresh.filter(({ calls }, index) => calls.length > 0 || index === fresh.length - 1);
  const repeat =
    fresh.at(-1) === steps.at(-1)
      ? ''
      : steps
          .at(-1)!
          .calls.map(({ result }) => result)
          .join('\n');
  return told.flatMap((step, index): Message[] => {
    const isLast = index === told.length - 1;
    const after = isLast ? [repeat, left, `The question was: ${question}`, notice].filter(Boolean) : [];
    return [
      { role: 'assistant', content: said(step) },
      { role: 'user', content: [shown(step), ...after].join('\n\n') },
    ];
  });
}

/** Asks for one turn of code that explores the text. */
export const repl = definePrompt<ReplVariables>()({
  name: 'repl',
  render: {
    question: asIs,
    description: asIs,
    known: renderKnown,
    criteria: bullets,
    pieceCharacters: String,
    steps: (steps) => steps.map(({ number }) => number).join(', '),
    earlier: bullets,
    notice: asIs,
    budget: ({ turns, calls }) =>
      `${counted(turns, 'turn')}, and about ${counted(calls, 'model call')}, those of your code included`,
  },
  required: ['question', 'description'],
  fields: { reply: { kind: 'text', label: 'REPLY', about: 'code, or the answer', required: true } },
  plain: { marks: null },
  turns: replTurns,
});
