/**
 * Describes replies as data. The JSON Schema, the instructions to the model and the parsers are derived from these
 * descriptions.
 */
import type { SubQuestion, Verdict } from '../../state.ts';

/** A citation in a reply, not yet checked. */
export interface CitedPassage {
  /** Id of the passage, such as `P12`. */
  readonly passage: string;
  readonly quote: string | null;
}

/** A finding that a reply reports from a passage, not yet checked. */
export interface Finding extends CitedPassage {
  readonly finding: string;
  /** What distinguishes the finding from others; empty if the reply does not say. */
  readonly key: string;
}

/** A finding of a reply with its place in the text, not yet checked. */
export interface Fact {
  readonly description: string;
  /** The words that the reply quotes from this place as evidence; may be empty. */
  readonly evidence: string;
  /** A document's name, or a passage's id. */
  readonly source: string;
  /** Number of the line, from 1; 0 if the reply does not state it. */
  readonly startLine: number;
  readonly endLine: number;
  /** 0–100. */
  readonly confidence: number;
}

/** A model's judgement of one claim, not yet checked. */
export interface ClaimVerdict {
  /** Number of the claim in the prompt, from 1. */
  readonly claim: number;
  readonly verdict: Exclude<Verdict, 'unchecked'>;
  /** The words of a passage that justify the verdict; null if the reply quotes none. */
  readonly quote: string | null;
  /** What is wrong with the claim; empty if nothing is. */
  readonly wrong: string;
}

/** Two places that contradict each other, not yet checked. */
export type Conflict = readonly [CitedPassage, CitedPassage];

/** A tool call that a reply requests. */
export interface Action {
  readonly tool: string;
  /** The arguments as the model wrote them: an object, JSON as text, or anything else. */
  readonly arguments: unknown;
}

/**
 * json: constrained by a schema. labelled: text with labels. tools: tools are called through the server's interface,
 * and the rest is labelled text. plain: the text itself, such as an answer or code.
 */
export type ReplyForm = 'json' | 'labelled' | 'tools' | 'plain';

interface Base {
  /** Label of the field in labelled text, in upper case. */
  readonly label: string;
  /** What to write in the field; shown to the model. */
  readonly about: string;
  /** A reply without a required field is unusable. A missing optional field gets its `emptyValue`. */
  readonly required: boolean;
}

export type Field =
  | (Base & {
      readonly kind: Exclude<keyof ValueOfKind, 'choice'>;
    })
  | (Base & {
      readonly kind: 'choice';
      readonly options: readonly string[];
      /** The value of an optional choice if the reply lacks the field; default: the last option. */
      readonly otherwise?: string;
    });

/** Describes a field; optional unless `required` is set. */
export const field = <const K extends Exclude<Field['kind'], 'choice'>>(
  kind: K,
  label: string,
  about: string,
  required = false,
) => ({ kind, label, about, required });

export const choice = <const O extends readonly string[]>(
  options: O,
  label: string,
  about: string,
  required = false,
) => ({ kind: 'choice' as const, options, label, about, required });

/** The fields of a reply by name; the names are the JSON keys. */
export type Fields = Readonly<Record<string, Field>>;

interface ValueOfKind {
  readonly text: string;
  readonly list: readonly string[];
  readonly questions: readonly SubQuestion[];
  readonly score: number;
  readonly citations: readonly CitedPassage[];
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly verdicts: readonly ClaimVerdict[];
  readonly conflicts: readonly Conflict[];
  readonly actions: readonly Action[];
  readonly choice: string;
}

/** The typed reply that a set of fields describes. */
export type ReplyOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { kind: 'choice'; options: readonly (infer O)[] }
    ? O | (F[K] extends { otherwise: infer D } ? D : never)
    : ValueOfKind[F[K]['kind']];
};
