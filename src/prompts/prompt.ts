import { counted } from '../base/text.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { Excerpt, Passage } from '../state.ts';
import type { ChoiceOption } from './reply/choice-probability.ts';
import type { Fields, ReplyForm, ReplyOf } from './reply/fields.ts';

/** The description of a tool for a model that can call tools. */
export interface ToolSpec {
  readonly name: string;
  readonly about: string;
  /** The JSON Schema of its arguments. */
  readonly schema: object;
  readonly example?: unknown;
}

/** A tool call of a model. */
export interface ToolCall {
  /** The id that the call's result refers to. The provider creates it if the server gives none. */
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: an object, JSON as text, or anything else. */
  readonly arguments: unknown;
}

/** A picture that is sent with a message. */
export interface Picture {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Identifies the content of the picture: the SHA-256 of the file, and the number of the page in the file. */
  readonly hash: string;
  /** Estimated number of tokens. */
  readonly tokens: number;
  /** Its bytes in base64. Present in requests to providers. */
  readonly data?: string;
  /** Returns its bytes in base64. Throws RlmError `input-unreadable`. */
  load(): Promise<string>;
}

/** One message of a rendered prompt. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly pictures?: readonly Picture[] }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  /** The result of a call in an earlier message. Every call has a result, in the order of the calls. */
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string };

/** A question that was asked before, and its answer; null when no answer was found. */
export interface KnownAnswer {
  readonly question: string;
  readonly answer: string | null;
}

/** One kind of request to a model: its variables and its reply. `prompts/<name>.md` contains its text. */
export interface Prompt<V, F extends Fields> {
  readonly name: string;
  /**
   * Renders each variable as text. A template may use only these names. If the model has to be told the form of its
   * reply, the template also contains `format`.
   */
  readonly render: { readonly [K in keyof V]: (value: V[K]) => string };
  /** Variables that a template must use. */
  readonly required: readonly (keyof V & string)[];
  readonly fields: F;
  /**
   * Present if the reply may be plain text. The text is then the value of the first field. Other fields are parsed if
   * the reply contains them.
   */
  readonly plain?: {
    /** The instruction to cite passages; null for none. Small models do not get it: they would write mostly marks. */
    readonly marks: string | null;
    /** Fields that the prompt requests as labelled lines below the text. A small model is not asked for them. */
    readonly below?: readonly (keyof F & string)[];
  };
  /** Present when the reply is JSON of the returned schema. The JSON text is the value of the only field. */
  readonly schemaOf?: (variables: V) => AnswerSchema;
  /** The option whose probability is requested if the provider returns token probabilities. */
  readonly probabilityOf?: ChoiceOption;
  readonly tools?: (variables: V) => readonly ToolSpec[];
  /** Ids of the passages that the reply may name; absent if it may name any passage. */
  readonly passageIds?: (variables: V) => readonly string[];
  /** Fields that are not requested with these variables. They are still parsed. */
  readonly leavesOut?: (variables: V) => readonly (keyof F & string)[];
  /** Whether the model has to write calls as text, because it does not use the server's interface for them. */
  readonly writesCalls?: (variables: V) => boolean;
  /** Whether the reply, such as code or a transcript, may take twice `reply.maxTokens` if the window has room. */
  readonly longReply?: boolean;
  readonly pictures?: (variables: V) => readonly Picture[];
  /** Whether the reply is cached even if the settings turn the cache off, and is reused with any window size. */
  readonly isLasting?: true;
  /** Whether the model can reply without thinking, because it only repeats or judges what the prompt contains. */
  readonly isQuick?: true;
  /** Returns the later conversation: the messages after the two messages of the prompt itself. */
  readonly turns?: (variables: V, form: ReplyForm) => readonly Message[];
}

/** Returns a function that returns a prompt unchanged. Lets the compiler check the types of the prompt. */
export function definePrompt<V>() {
  return <const F extends Fields>(prompt: Prompt<V, F>): Prompt<V, F> => prompt;
}

export type VariablesOf<P> = P extends Prompt<infer V, Fields> ? V : never;

export type ReplyTo<P> = P extends { fields: infer F extends Fields } ? ReplyOf<F> : never;

export const asIs = (value: string): string => value;

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Returns the numbers of the shown lines, such as `3-9`; for an excerpt with a gap, such as `3-9,14-20`. */
function linesOf(passage: Passage | Excerpt): string {
  const spans: { startLine: number; endLine: number }[] = [];
  for (const { startLine, endLine } of 'spans' in passage ? passage.spans : [passage]) {
    const last = spans.at(-1);
    if (last !== undefined && startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, endLine);
    else spans.push({ startLine, endLine });
  }
  return spans.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(',');
}

const withoutTags = (text: string): string => text.replace(/<(\/?)passage/gi, '<$1\u200bpassage');

/** Renders passages with their ids, separated from the instructions by tags that their own text cannot close. */
export function renderPassages(passages: readonly (Passage | Excerpt)[]): string {
  if (passages.length === 0) return '(no text was given)';
  return passages
    .map((passage) => {
      const { id, source, text, under = [] } = passage;
      const name = source.replace(/["<>\n\r]/g, '_');
      const headings = withoutTags(under.join(' › '))
        .replace(/"/g, "'")
        .replace(/[\n\r]/g, ' ');
      const over = headings === '' ? '' : ` under="${headings}"`;
      return `<passage id="${id}" source="${name}" lines="${linesOf(passage)}"${over}>\n${withoutTags(text).trimEnd()}\n</passage>`;
    })
    .join('\n');
}

/** Renders earlier questions with their answers. */
export function renderKnown(known: readonly KnownAnswer[]): string {
  return known
    .map(({ question, answer }, index) => `${index + 1}. ${question}\n   Answer: ${answer ?? '(not answered)'}`)
    .join('\n');
}

/** The remaining budget of a question. */
export interface BudgetLeft {
  /** Number of model calls, including the calls for parts of the question. */
  readonly calls: number;
  /** Number of levels of parts below the question. */
  readonly levels: number;
}

export const renderBudget = ({ calls, levels }: BudgetLeft): string =>
  `at most ${counted(calls, 'more model call')} and ${counted(levels, 'level')} of parts`;
