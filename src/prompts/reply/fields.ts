/**
 * A reply is described as data: its fields, each of a kind. From that description come the JSON Schema that constrains
 * a model and the words that tell a model what to write (`reply-form.ts`), and the readers for JSON and for labelled
 * text.
 */
import type { SubQuestion } from '../../state.ts';

/** A passage as a reply cites it; not yet checked. */
export interface CitedPassage {
  /** `P12`. */
  readonly passage: string;
  readonly quote: string | null;
}

/** Something that a reply found in a passage; not yet checked. */
export interface Finding extends CitedPassage {
  readonly finding: string;
  /** What tells it from other findings; empty where the reply does not say. */
  readonly key: string;
}

/** Something that a reply has found in the text, with its place there; not yet checked. */
export interface Fact {
  readonly description: string;
  /** Words that are said to stand there; may be empty. */
  readonly evidence: string;
  /** A document's name, or a passage's id. */
  readonly source: string;
  /** From 1; 0 where the reply does not say. */
  readonly startLine: number;
  readonly endLine: number;
  /** 0–100, as the model says. */
  readonly confidence: number;
}

/** A tool that a reply wants to have run. */
export interface Action {
  readonly tool: string;
  /** As the model wrote them: an object, or JSON as text, or neither. */
  readonly arguments: unknown;
}

/**
 * json: constrained by a schema. labelled: text with labels. tools: tools are called in the server's own way, and the
 * rest is labelled text. plain: the text itself, such as an answer or code.
 */
export type ReplyForm = 'json' | 'labelled' | 'tools' | 'plain';

interface Base {
  /** The label in labelled text, in upper case. */
  readonly label: string;
  /** What to write there, in a few words; shown to the model. */
  readonly about: string;
  /** A reply without a required field is unusable; an optional one becomes an empty list or an empty text. */
  readonly required: boolean;
}

/** One field of a reply. */
export type Field =
  | (Base & {
      readonly kind:
        | 'text'
        | 'list'
        /** Ids of passages. */
        | 'ids'
        | 'queries'
        | 'questions'
        | 'score'
        | 'citations'
        | 'findings'
        | 'facts'
        | 'actions';
    })
  | (Base & {
      readonly kind: 'choice';
      /** Of an optional choice, the last one stands where the reply does not say. */
      readonly options: readonly string[];
    });

/** The fields of a reply by name; the names are the JSON keys. */
export type Fields = Readonly<Record<string, Field>>;

interface ValueOfKind {
  readonly text: string;
  readonly list: readonly string[];
  readonly ids: readonly string[];
  readonly queries: readonly string[];
  readonly questions: readonly SubQuestion[];
  readonly score: number;
  readonly citations: readonly CitedPassage[];
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly actions: readonly Action[];
  readonly choice: string;
}

/** The typed reply that a set of fields describes. */
export type ReplyOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { kind: 'choice'; options: readonly (infer O)[] }
    ? O
    : ValueOfKind[F[K]['kind']];
};
