import { answer, answerable, compose, conclude } from './answer.ts';
import { critic, form } from './critic.ts';
import { explore } from './explore.ts';
import type { Prompt, ReplyTo, VariablesOf } from './prompt.ts';
import { assess, decompose, hop, planner, query } from './questions.ts';
import { repl } from './repl.ts';
import type { Fields } from './reply/fields.ts';
import { classify, scan, transcribe } from './scan.ts';

/** Every prompt, by the name of its file in `prompts/`. */
export const prompts = {
  planner,
  assess,
  decompose,
  answer,
  answerable,
  scan,
  explore,
  repl,
  conclude,
  compose,
  form,
  critic,
  hop,
  query,
  classify,
  transcribe,
} as const;

export type PromptName = keyof typeof prompts;

/** Prompts whose reply is the answer to a question. */
export const answeringPrompts = ['answer', 'compose', 'conclude'] as const satisfies readonly PromptName[];

export type Variables<N extends PromptName> = VariablesOf<(typeof prompts)[N]>;

export type Reply<N extends PromptName> = ReplyTo<(typeof prompts)[N]>;

/** A reply. For a prompt with `probabilityOf`, also the probability of its option, 0–1; null if unknown. */
export type ReplyWithOdds<N extends PromptName> = Reply<N> &
  ((typeof prompts)[N] extends { readonly probabilityOf: object } ? { readonly probability: number | null } : unknown);

/** A prompt's name with its variables. */
export type PromptInput = {
  readonly [N in PromptName]: { readonly prompt: N; readonly variables: Variables<N> };
}[PromptName];

/** Returns the fields that the prompt requests with these variables. Its other fields are still parsed. */
export function askedFields({ prompt, variables }: PromptInput): Fields {
  const { fields, leavesOut } = prompts[prompt] as unknown as Prompt<unknown, Fields>;
  const out = leavesOut?.(variables) ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !out.includes(name)));
}

/** Returns the fields that a plain prompt requests below the text. */
export function belowFields(input: PromptInput): Fields {
  const { plain } = prompts[input.prompt] as unknown as Prompt<unknown, Fields>;
  return Object.fromEntries(Object.entries(askedFields(input)).filter(([name]) => plain?.below?.includes(name)));
}
