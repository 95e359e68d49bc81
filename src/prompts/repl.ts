import { counted, grouped } from '../base/text.ts';
import type { ExploreStep, Passage } from '../state.ts';
import { withoutRepeats } from './explore.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, type Message, renderKnown, renderPassages } from './prompt.ts';
import { field } from './reply/fields.ts';

export interface ReplVariables {
  readonly question: string;
  /** A description of the text. The prompt contains it in place of the text. */
  readonly description: string;
  /** The text's records as SQL tables; may be empty. */
  readonly tables: string;
  readonly known: readonly KnownAnswer[];
  readonly criteria: readonly string[];
  /** Passages that were read before, and may be cited. */
  readonly passages: readonly Passage[];
  /** The answer from these passages; empty if there is none. */
  readonly begunAnswer: string;
  /** The questions that these passages did not answer. */
  readonly missing: readonly string[];
  /** Maximum length of a prompt of `llm_query`, in characters. */
  readonly callCharacters: number;
  /** Maximum length of the shown part of a turn's output, in characters. */
  readonly outputCharacters: number;
  readonly steps: readonly ExploreStep[];
  /** Turns up to this number are shown with only the beginning of the output; 0 for no turn. */
  readonly shortTo: number;
  /** Turns up to this number are shown with only the beginnings of the code and of the output; 0 for no turn. */
  readonly lineTo: number;
  /** The variables that are set, with types and sizes; empty if there are none. */
  readonly set: string;
  /** The citation marks that the code has created for places in the text and for values. */
  readonly marks: readonly string[];
  /** What to do in the first turn. */
  readonly opening: string;
  /** What to do in a later turn. */
  readonly notice: string;
  readonly budget: {
    readonly turns: number;
    readonly calls: number;
    readonly turnsLeft: number;
    readonly callsLeft: number;
    /** How many more characters fit into the window before older output is shortened. */
    readonly characters: number;
  };
}

const fence = '```';
/** How many characters of the output are shown for turns up to `shortTo`. */
const shortOutput = 300;
/** How many characters of the code, and of the output, are shown for turns up to `lineTo`. */
const shortTurn = 150;
const mostMarks = 30;

const codeOf = ({ calls }: ExploreStep): string =>
  calls.map(({ arguments: given }) => (given as { readonly code: string }).code).join('\n');

const resultOf = ({ calls }: ExploreStep): string => calls.map(({ result }) => result).join('\n');

function beginning(text: string, most: number, more: (hidden: number) => string): string {
  if (text.length <= most + 150) return text;
  return `${text.slice(0, most).toWellFormed()}\n${more(text.length - most)}`;
}

type Shortened = Pick<ReplVariables, 'shortTo' | 'lineTo'>;

/** Renders the reply of a turn. Leaves out a reply without code, because a small model would repeat it. */
function said(step: ExploreStep, { lineTo }: Shortened): string {
  if (step.calls.length === 0) return '…';
  const whole = codeOf(step);
  const isShort = step.number <= lineTo;
  const code = isShort ? beginning(whole, shortTurn, (hidden) => `// … ${hidden} more characters of code`) : whole;
  const block = code === '' ? '' : `${fence}js\n${code}\n${fence}`;
  return [isShort ? '' : step.thought, block].filter(Boolean).join('\n\n') || '…';
}

const noCode = `There was no code in your reply, so nothing was looked at. Write one fenced block of JavaScript, such as

${fence}js
print(context.grep(/<a word that the text is likely to use>/i));
${fence}

or FINAL(answer) when you have seen what it rests on.`;

/** Renders the output of a turn between tags. Words of the output cannot close these tags. */
function shown(step: ExploreStep, { shortTo, lineTo }: Shortened): string {
  if (step.calls.length === 0) return noCode;
  const { number } = step;
  const again = (hidden: number) =>
    `[… ${hidden} characters that you have read are hidden for room: print(printed(${number})) …]`;
  const most = number <= lineTo ? shortTurn : shortOutput;
  const result = number <= shortTo ? beginning(resultOf(step), most, again) : resultOf(step);
  return `<output of="${number}">\n${result.replace(/<(\/?)output/gi, '<$1\u200boutput')}\n</output>`;
}

/** Renders a turn as a prompt shows it: the reply and its output. */
export const turnText = (step: ExploreStep, shortened: Shortened): string =>
  `${said(step, shortened)}\n\n${shown(step, shortened)}`;

function state({ set, marks, budget, question, notice }: ReplVariables): string[] {
  const { turnsLeft, callsLeft, characters } = budget;
  const room = `room for ${grouped(Math.floor(characters))} characters before older output is hidden`;
  const hidden = marks.length > mostMarks ? `\n(and ${marks.length - mostMarks} older ones)` : '';
  return [
    set === '' ? '' : `Variables: ${set}`,
    marks.length === 0 ? '' : `Marks that you have:\n${marks.slice(-mostMarks).join('\n')}${hidden}`,
    `Left: ${counted(turnsLeft, 'turn')}, ${counted(callsLeft, 'model call')}, ${room}.`,
    `The question was: ${question}`,
    notice,
  ];
}

function replTurns(variables: ReplVariables): Message[] {
  const { steps } = variables;
  const fresh = withoutRepeats(steps);
  const told = fresh.filter(({ calls }, index) => calls.length > 0 || index === fresh.length - 1);
  const repeat = fresh.at(-1) === steps.at(-1) ? '' : resultOf(steps.at(-1)!);
  return told.flatMap((step, index): Message[] => {
    const after = index === told.length - 1 ? [repeat, ...state(variables)].filter(Boolean) : [];
    return [
      { role: 'assistant', content: said(step, variables) },
      { role: 'user', content: [shown(step, variables), ...after].join('\n\n') },
    ];
  });
}

const notInTemplate = () => '';

/** Asks for one turn of code that explores the text. */
export const repl = definePrompt<ReplVariables>()({
  name: 'repl',
  render: {
    question: asIs,
    description: asIs,
    tables: asIs,
    opening: asIs,
    known: renderKnown,
    criteria: bullets,
    passages: (passages) => (passages.length === 0 ? '' : renderPassages(passages)),
    begunAnswer: asIs,
    missing: bullets,
    callCharacters: grouped,
    outputCharacters: grouped,
    steps: notInTemplate,
    shortTo: notInTemplate,
    lineTo: notInTemplate,
    set: notInTemplate,
    marks: notInTemplate,
    notice: notInTemplate,
    budget: ({ turns, calls }) =>
      `${counted(turns, 'turn')}, and about ${counted(calls, 'model call')}, those of your code included`,
  },
  required: ['question', 'description'],
  fields: { reply: field('text', 'REPLY', 'code, or the answer', true) },
  plain: { marks: null },
  longReply: true,
  turns: replTurns,
});
