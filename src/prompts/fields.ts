/**
 * A reply is described as data: its fields, each of a kind. From that description come the JSON Schema that constrains
 * a model, the words that tell a model what to write, and the readers for JSON and for labelled text.
 */
import type { SubQuestion } from '../state.ts';

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
  | (Base & { readonly kind: 'text' | 'list' | 'queries' | 'questions' | 'score' | 'citations' | 'findings' })
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
  readonly queries: readonly string[];
  readonly questions: readonly SubQuestion[];
  readonly score: number;
  readonly citations: readonly CitedPassage[];
  readonly findings: readonly Finding[];
  readonly choice: string;
}

/** The typed reply that a set of fields describes. */
export type ReplyOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { kind: 'choice'; options: readonly (infer O)[] }
    ? O
    : ValueOfKind[F[K]['kind']];
};

const strings = { type: 'array', items: { type: 'string' } };

const findingParts = ['passage', 'quote', 'key', 'finding'];

function fieldSchema(field: Field): object {
  switch (field.kind) {
    case 'text':
      return { type: 'string' };
    case 'list':
    case 'queries':
      return strings;
    case 'score':
      return { type: 'integer', minimum: 0, maximum: 100 };
    case 'choice':
      return { type: 'string', enum: field.options };
    case 'questions':
      return {
        type: 'array',
        items: {
          type: 'object',
          properties: { question: { type: 'string' }, needs: { type: 'array', items: { type: 'integer' } } },
          required: ['question', 'needs'],
        },
      };
    case 'citations':
      return {
        type: 'array',
        items: {
          type: 'object',
          properties: { passage: { type: 'string' }, quote: { type: 'string' } },
          required: ['passage', 'quote'],
        },
      };
    case 'findings':
      return {
        type: 'array',
        items: {
          type: 'object',
          properties: Object.fromEntries(findingParts.map((part) => [part, { type: 'string' }])),
          required: findingParts,
        },
      };
  }
}

/** The JSON Schema of a reply; every field is required there, since a model that may leave one out often does. */
export function replySchema(fields: Fields): object {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, fieldSchema(fields[name]!)])),
    required: names,
  };
}

function jsonShape(field: Field): string {
  switch (field.kind) {
    case 'text':
      return '"…"';
    case 'list':
    case 'queries':
      return '["…"]';
    case 'score':
      return '0-100';
    case 'choice':
      return field.options.map((option) => `"${option}"`).join(' | ');
    case 'questions':
      return '[{"question": "…", "needs": [numbers of earlier questions whose answers this one needs]}]';
    case 'citations':
      return '[{"passage": "P12", "quote": "words copied exactly from that passage"}]';
    case 'findings':
      return '[{"passage": "P12", "quote": "words copied exactly from that passage", "key": "…", "finding": "…"}]';
  }
}

function labelledShape(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `${field.label}: <${field.about}>`;
    case 'list':
      return `${field.label}:\n- <${field.about}>`;
    case 'queries':
      return `${field.label} 1: <${field.about}>`;
    case 'score':
      return `${field.label}: <a number from 0 to 100: ${field.about}>`;
    case 'choice':
      return `${field.label}: <${field.options.join(' or ')}>`;
    case 'questions':
      return `${field.label} 1: <${field.about}>\n${field.label} 2 (needs 1): <one that needs the answer to number 1>`;
    case 'citations':
      return `${field.label}:\n- [P12] "<words copied exactly from that passage>"`;
    case 'findings':
      return `${field.label}:\n- [P12] "<words copied exactly from that passage>" | <key> | <${field.about}>`;
  }
}

/** Tells the model the form of its reply: one JSON object, or labelled text for models that cannot be constrained. */
export function describeReply(fields: Fields, form: 'json' | 'labelled'): string {
  const all = Object.entries(fields);
  if (form === 'labelled') {
    return `Reply in exactly this form, with these labels:\n\n${all.map(([, field]) => labelledShape(field)).join('\n')}`;
  }
  const lines = all.map(([name, field]) => `  "${name}": ${jsonShape(field)}   // ${field.about}`);
  return `Reply with one JSON object and nothing else:\n\n{\n${lines.join(',\n')}\n}`;
}
