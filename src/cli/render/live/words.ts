/** Texts for the activities of a run, for users who do not know its stages and prompts. */
import type { RunEvent } from '../../../index.ts';

type NameOf<K extends RunEvent['type'], P extends string> =
  Extract<RunEvent, { type: K }> extends Record<P, infer N> ? N & string : never;

/** The activity of each prompt. */
export const promptWords: Readonly<Record<NameOf<'call.started', 'prompt'>, string>> = {
  planner: 'planning',
  assess: 'assessing the difficulty',
  decompose: 'splitting into parts',
  answer: 'answering',
  scan: 'reading all of the text',
  explore: 'looking around',
  repl: 'working with code',
  conclude: 'concluding',
  compose: 'composing the answer',
  form: 'converting the answer to JSON',
  critic: 'checking the answer',
  answerable: 'checking whether the passages suffice',
  hop: 'naming what is missing',
  search: 'searching further',
  query: 'answering a prompt of code',
  classify: 'sorting by meaning',
};

/** The activity of each stage. */
export const stageWords: Readonly<Record<NameOf<'stage.started', 'stage'>, string>> = {
  planner: 'planning',
  retriever: 'searching the text',
  reasoner: 'answering',
  form: 'converting the answer to JSON',
  critic: 'checking the answer',
};

/** The colour and the sign of each final state of a question. */
export const finishedMarks = {
  answered: { color: 'green', sign: '✔' },
  partial: { color: 'yellow', sign: '◐' },
  unanswered: { color: 'red', sign: '✘' },
} as const;

/** The frames of the sign of a question in progress. */
export const workingSigns = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
