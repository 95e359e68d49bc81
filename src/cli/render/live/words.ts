/** What a run does, in words that need no knowledge of its stages and prompts. */
import type { RunEvent } from '../../../index.ts';

type NameOf<K extends RunEvent['type'], P extends string> =
  Extract<RunEvent, { type: K }> extends Record<P, infer N> ? N & string : never;

/** What the model is asked to do. */
export const promptWords: Readonly<Record<NameOf<'call.started', 'prompt'>, string>> = {
  planner: 'planning',
  assess: 'judging how hard it is',
  decompose: 'splitting into parts',
  answer: 'answering',
  scan: 'reading all of the text',
  explore: 'looking around',
  repl: 'working with code',
  conclude: 'concluding',
  compose: 'composing the answer',
  revise: 'revising the answer',
  form: 'bringing the answer into its form',
  check: 'checking claims',
  critic: 'checking the answer',
  rerank: 'putting passages in order',
  answerable: 'asking whether the passages tell',
  reword: 'putting the question in other words',
  search: 'searching further',
  query: 'wording the search',
};

/** What the run as a whole is doing. */
export const stageWords: Readonly<Record<NameOf<'stage.started', 'stage'>, string>> = {
  planner: 'planning',
  retriever: 'searching the text',
  reasoner: 'answering',
  toolExecutor: 'looking up what the answer asks for',
  form: 'bringing the answer into its form',
  critic: 'checking the answer',
};

/** What came of a question, with its colour and sign. */
export const finishedMarks = {
  answered: { color: 'green', sign: '✔' },
  partial: { color: 'yellow', sign: '◐' },
  unanswered: { color: 'red', sign: '✘' },
} as const;

/** What a question is marked with while it is worked on, in turns. */
export const workingSigns = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
