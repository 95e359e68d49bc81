import { counted } from '../base/counted.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { Passage } from '../state.ts';
import type { Message, ToolSpec } from './message.ts';
import type { ChoiceOption } from './reply/choice-probability.ts';
import type { Fields, ReplyForm, ReplyOf } from './reply/fields.ts';

/** A question that was asked before, with its answer, or null when none was found. */
export interface KnownAnswer {
  readonly question: string;
  readonly answer: string | null;
}

/** One kind of request to a model: `prompts/<name>.md` holds its words, this its variables and its reply. */
export interface Prompt<V, F extends Fields> {
  readonly name: string;
  /** How each variable is written into the template. A template may use these names, and `format`, and no others. */
  readonly render: { readonly [K in keyof V]: (value: V[K]) => string };
  /** Variables that a template must use; without them the model could not do its work. */
  readonly required: readonly (keyof V & string)[];
  readonly fields: F;
  /**
   * No form is asked of the reply: it is the first field, as text. The other fields are read where a reply is JSON or
   * labelled text all the same. `marks` tells the model to mark what its statements rest on; a small model is not told,
   * since it then writes little but marks.
   */
  readonly plain?: { readonly marks: string | null };
  /** The reply is JSON of that form, and its text the only field. */
  readonly schemaOf?: (variables: V) => AnswerSchema;
  /** An option whose probability is wanted with the reply, where the provider tells those of tokens. */
  readonly probabilityOf?: ChoiceOption;
  /** Tools that the reply may call, for a prompt whose reply has actions. */
  readonly tools?: (variables: V) => readonly ToolSpec[];
  /** Ids of the passages that the reply may name; any where the prompt does not say. */
  readonly passageIds?: (variables: V) => readonly string[];
  /** Fields of which nothing can be said yet: they are not asked for, and stay readable. */
  readonly leavesOut?: (variables: V) => readonly (keyof F & string)[];
  /** Whether calls are to be written down, since the model does not make them in the server's own way. */
  readonly writesCalls?: (variables: V) => boolean;
  /** What was said since, as the messages that follow the prompt's own two. */
  readonly turns?: (variables: V, form: ReplyForm) => readonly Message[];
}

/** Declares a prompt; only ties the types together. */
export function definePrompt<V>() {
  return <const F extends Fields>(prompt: Prompt<V, F>): Prompt<V, F> => prompt;
}

/** The variables that a prompt takes. */
export type VariablesOf<P> = P extends Prompt<infer V, Fields> ? V : never;

/** The typed reply to a prompt. */
export type ReplyTo<P> = P extends { fields: infer F extends Fields } ? ReplyOf<F> : never;

export const asIs = (value: string): string => value;

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Passages with their ids, kept apart from the instructions by tags that their own text cannot close. */
export function renderPassages(passages: readonly Passage[]): string {
  if (passages.length === 0) return '(no text was given)';
  return passages
    .map(({ id, source, startLine, endLine, text, under = [] }) => {
      const name = source.replace(/["<>\n\r]/g, '_');
      const over = under.length === 0 ? '' : ` under="${under.join(' › ').replace(/["<>\n\r]/g, "'")}"`;
      const body = text.replace(/<(\/?)passage/gi, '<$1\u200bpassage');
      return `<passage id="${id}" source="${name}" lines="${startLine}-${endLine}"${over}>\n${body.trimEnd()}\n</passage>`;
    })
    .join('\n');
}

/** Earlier questions with their answers. */
export function renderKnown(known: readonly KnownAnswer[]): string {
  return known
    .map(({ question, answer }, index) => `${index + 1}. ${question}\n   Answer: ${answer ?? '(not answered)'}`)
    .join('\n');
}

/** What may still be spent on a question. */
export interface BudgetLeft {
  /** Model calls, those of its parts included. */
  readonly calls: number;
  /** Levels of parts below it. */
  readonly levels: number;
}

export const renderBudget = ({ calls, levels }: BudgetLeft): string =>
  `at most ${counted(calls, 'more model call')} and ${counted(levels, 'level')} of parts`;
