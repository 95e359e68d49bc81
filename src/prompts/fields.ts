/**
 * A reply is described as data: its fields, each of a kind. From that description come the JSON Schema that constrains
 * a model, the words that tell a model what to write, and the readers for JSON and for labelled text.
 */
import type { SubQuestion } from '../state.ts';
import type { ToolSpec } from './message.ts';

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
 * json: constrained by a schema. labelled: text with labels. tools: tools are called in the server's own way, and the rest
 * is labelled text. plain: the text itself, such as code.
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
      /** plain: all of the reply, the only field of its prompt. */
      readonly kind:
        | 'text'
        | 'plain'
        | 'list'
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
  readonly plain: string;
  readonly list: readonly string[];
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

const strings = { type: 'array', items: { type: 'string' } };

const findingParts = ['passage', 'quote', 'key', 'finding'];

const factTypes = {
  description: { type: 'string' },
  evidence: { type: 'string' },
  source: { type: 'string' },
  startLine: { type: 'integer' },
  endLine: { type: 'integer' },
  confidence: { type: 'integer', minimum: 0, maximum: 100 },
};

/** A tool's name with arguments of its own form. */
const actionSchema = ({ name, schema }: ToolSpec): object => ({
  type: 'object',
  properties: { tool: { type: 'string', enum: [name] }, arguments: schema },
  required: ['tool', 'arguments'],
});

function fieldSchema(field: Field, tools: readonly ToolSpec[]): object {
  switch (field.kind) {
    case 'text':
    case 'plain':
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
    case 'facts':
      return {
        type: 'array',
        items: { type: 'object', properties: factTypes, required: Object.keys(factTypes) },
      };
    case 'actions':
      return { type: 'array', items: { anyOf: tools.map(actionSchema) } };
  }
}

/**
 * The JSON Schema of a reply; every field is required there, since a model that may leave one out often does.
 * @param tools those that its actions may name.
 */
export function replySchema(fields: Fields, tools: readonly ToolSpec[] = []): object {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, fieldSchema(fields[name]!, tools)])),
    required: names,
  };
}

function jsonShape(field: Field): string {
  switch (field.kind) {
    case 'text':
    case 'plain':
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
    case 'facts':
      return '[{"description": "…", "evidence": "words copied exactly from the text", "source": "name of the document", "startLine": 12, "endLine": 14, "confidence": 0-100}]';
    case 'actions':
      return '[{"tool": "name of a tool", "arguments": {…}}]';
  }
}

function labelledShape(field: Field): string {
  switch (field.kind) {
    case 'text':
    case 'plain':
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
    case 'facts':
      return `${field.label}:\n- [document:12-14] "<words copied exactly from there>" | <confidence, 0 to 100> | <${field.about}>`;
    case 'actions':
      return `${field.label} 1: <name of a tool> {"<argument>": <value>}`;
  }
}

/** Whether the reply is all one text, of which no form is asked. */
export const isPlain = (fields: Fields): boolean => Object.values(fields).some(({ kind }) => kind === 'plain');

/** The form in which a reply is asked for, by what the model can do. */
export function replyForm(
  fields: Fields,
  tools: readonly ToolSpec[],
  can: { readonly structuredOutput: boolean; readonly tools: boolean },
): ReplyForm {
  if (isPlain(fields)) return 'plain';
  if (tools.length > 0 && can.tools) return 'tools';
  return can.structuredOutput ? 'json' : 'labelled';
}

const labelledShapes = (fields: readonly Field[]): string => fields.map(labelledShape).join('\n');

/** What the tools are, for a model to which they are not offered in the server's own way. */
function describeTools(fields: readonly Field[], tools: readonly ToolSpec[]): string {
  if (tools.length === 0 || !fields.some(({ kind }) => kind === 'actions')) return '';
  const lines = tools.map(({ name, about, example }) => `- ${name} ${JSON.stringify(example ?? {})}: ${about}`);
  return `The tools, each with arguments as they may look:\n\n${lines.join('\n')}\n\n`;
}

/**
 * Tells the model the form of its reply; nothing where that is plain.
 * @param tools those that its actions may name.
 */
export function describeReply(fields: Fields, form: ReplyForm, tools: readonly ToolSpec[] = []): string {
  const all = Object.values(fields);
  switch (form) {
    case 'plain':
      return '';
    case 'labelled':
      return `${describeTools(all, tools)}Reply in exactly this form, with these labels:\n\n${labelledShapes(all)}`;
    case 'tools': {
      const said = all.filter(({ kind }) => kind !== 'actions');
      return `Call the tools you need. In the text beside the calls write, with these labels:\n\n${labelledShapes(said)}`;
    }
    case 'json': {
      const lines = Object.entries(fields).map(
        ([name, field]) => `  "${name}": ${jsonShape(field)}   // ${field.about}`,
      );
      return `${describeTools(all, tools)}Reply with one JSON object and nothing else:\n\n{\n${lines.join(',\n')}\n}`;
    }
  }
}
