import type { ToolSpec } from '../prompt.ts';
import type { Field, Fields, ReplyForm } from './fields.ts';

const numberMark = '\0number';

/** Renders the form of arguments without the values of the example: a small model would search for these values. */
export const argumentForm = (example: unknown): string =>
  JSON.stringify(example ?? {}, (_, value: unknown) => {
    if (typeof value === 'number') return numberMark;
    return typeof value === 'string' && value !== 'text' && value !== numberMark ? '…' : value;
  }).replaceAll(JSON.stringify(numberMark), '<number>');

/** The notation of a field in each form of a reply. */
interface Shapes {
  readonly schema: object;
  readonly json: string;
  readonly labelled: string;
}

const text = { type: 'string' };
const percent = { type: 'integer', minimum: 0, maximum: 100 };

const listOf = (items: object) => ({ type: 'array', items });

const recordOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** What the fields of a reply may refer to. */
export interface Nameable {
  readonly tools?: readonly ToolSpec[];
  /** Ids of the given passages; empty: any id is valid. */
  readonly passages?: readonly string[];
}

/** Maximum number of ids in an enumeration, because servers refuse a very long one. */
const mostIds = 200;

const idOf = (ids: readonly string[]): object =>
  ids.length === 0 || ids.length > mostIds ? text : { type: 'string', enum: [...new Set(ids)] };

const copied = '<words of that passage, copied exactly>';

const factSchema = {
  description: text,
  evidence: text,
  source: text,
  startLine: { type: 'integer' },
  endLine: { type: 'integer' },
  confidence: percent,
};

const verdicts = ['supported', 'partial', 'unsupported', 'contradicted'];

const verdictShapes = (label: string): Shapes => ({
  schema: listOf(
    recordOf({ claim: { type: 'integer' }, verdict: { type: 'string', enum: verdicts }, quote: text, wrong: text }),
  ),
  json: `[{"claim": <its number>, "verdict": ${verdicts.map((one) => `"${one}"`).join(' | ')}, "quote": "${copied}", "wrong": "<what is wrong, or empty>"}]`,
  labelled: `${label}:\n- <number of the claim> | <${verdicts.join(' or ')}> | "${copied}" | <what is wrong, or nothing>`,
});

const actionSchema = ({ name, schema }: ToolSpec): object =>
  recordOf({ tool: { type: 'string', enum: [name] }, arguments: { ...schema, additionalProperties: false } });

/** Returns a field's notations. Values to fill in are between < and >, because a small model would copy an example. */
function shapesOf(field: Field, { tools = [], passages = [] }: Nameable = {}): Shapes {
  const { label, about } = field;
  if (field.kind === 'choice')
    return {
      schema: { type: 'string', enum: field.options },
      json: field.options.map((option) => `"${option}"`).join(' | '),
      labelled: `${label}: <${field.options.join(' or ')}>`,
    };
  const shapes: Readonly<Record<Exclude<Field['kind'], 'choice'>, Shapes>> = {
    text: { schema: text, json: '"…"', labelled: `${label}: <${about}>` },
    list: { schema: listOf(text), json: '["…"]', labelled: `${label}:\n- <${about}>` },
    score: { schema: percent, json: '<0 to 100>', labelled: `${label}: <a number from 0 to 100: ${about}>` },
    questions: {
      schema: listOf(recordOf({ question: text, needs: listOf({ type: 'integer' }) })),
      json: '[{"question": "…", "needs": [<numbers of earlier questions whose answers this one needs>]}]',
      labelled: `${label} 1: <${about}>\n${label} 2 (needs <number>): <one that needs the answer to an earlier one>`,
    },
    citations: {
      schema: listOf(recordOf({ passage: idOf(passages), quote: text })),
      json: `[{"passage": "<id>", "quote": "${copied}"}]`,
      labelled: `${label}:\n- [<id>] "${copied}"`,
    },
    findings: {
      schema: listOf(recordOf({ passage: idOf(passages), quote: text, key: text, finding: text })),
      json: `[{"passage": "<id>", "quote": "${copied}", "key": "<key>", "finding": "<a sentence>"}]`,
      labelled: `${label}:\n- [<id>] "${copied}" | <key> | <${about}>`,
    },
    facts: {
      schema: listOf(recordOf(factSchema)),
      json: '[{"description": "…", "evidence": "<words copied exactly from the text>", "source": "<name of the document>", "startLine": <number>, "endLine": <number>, "confidence": <0 to 100>}]',
      labelled: `${label}:\n- [<document>:<first line>-<last line>] "<words copied exactly from there>" | <confidence, 0 to 100> | <${about}>`,
    },
    verdicts: verdictShapes(label),
    conflicts: {
      schema: listOf(
        recordOf({ passage: idOf(passages), quote: text, otherPassage: idOf(passages), otherQuote: text }),
      ),
      json: `[{"passage": "<id>", "quote": "${copied}", "otherPassage": "<id>", "otherQuote": "${copied}"}]`,
      labelled: `${label}:\n- [<id>] "${copied}" against [<id>] "${copied}"`,
    },
    actions: {
      // If calls are optional, a small model often makes none and invents its findings.
      schema: { ...listOf({ anyOf: tools.map(actionSchema) }), minItems: 1 },
      json: '[{"tool": "<name of a tool>", "arguments": {…}}]',
      labelled: `${label} 1: <name of a tool> {"<argument>": <value>}`,
    },
  };
  return shapes[field.kind];
}

/** Returns the JSON Schema of a reply. Every field is required, since models often omit an optional one. */
export function replySchema(fields: Fields, nameable: Nameable = {}): object {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, shapesOf(fields[name]!, nameable).schema])),
    required: names,
  };
}

/** Chooses the form of a reply by the model's abilities; `isPlain`: the prompt requests no form. */
export function replyForm(
  isPlain: boolean,
  tools: readonly ToolSpec[],
  can: { readonly structuredOutput: boolean; readonly tools: boolean },
): ReplyForm {
  if (isPlain) return 'plain';
  if (tools.length > 0 && can.tools) return 'tools';
  return can.structuredOutput ? 'json' : 'labelled';
}

const labelledShapes = (fields: readonly Field[]): string => fields.map((field) => shapesOf(field).labelled).join('\n');

const labelledBelow = (field: Field): string =>
  field.kind === 'choice'
    ? `${field.label}: <${field.options.join(' or ')}: ${field.about}>`
    : shapesOf(field).labelled;

/** Describes the labels that are to be written below a text; empty for none. */
export function describeBelow(fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  return `Below the answer, on lines of their own, write these labels with their values:\n\n${fields.map(labelledBelow).join('\n')}`;
}

/** Describes the tools to a model that does not get them through the server's interface. */
function describeTools(fields: readonly Field[], tools: readonly ToolSpec[]): string {
  if (tools.length === 0 || !fields.some(({ kind }) => kind === 'actions')) return '';
  const lines = tools.map(({ name, about, example }) => `- ${name} ${argumentForm(example)}: ${about}`);
  return `The tools, each with the form of its arguments:\n\n${lines.join('\n')}\n\n`;
}

/** Describes the form of the reply, and the tools that its actions may call; empty for the form `plain`. */
export function describeReply(fields: Fields, form: ReplyForm, tools: readonly ToolSpec[] = []): string {
  const all = Object.values(fields);
  switch (form) {
    case 'plain':
      return '';
    case 'labelled':
      return `${describeTools(all, tools)}Reply in exactly this form, with these labels:\n\n${labelledShapes(all)}`;
    case 'tools': {
      const said = all.filter(({ kind }) => kind !== 'actions');
      return `Call at least one of the tools now: nothing happens without a call. Before the calls you may write, with these labels:\n\n${labelledShapes(said)}`;
    }
    case 'json': {
      const lines = Object.entries(fields).map(
        ([name, field]) => `  "${name}": ${shapesOf(field).json}   // ${field.about}`,
      );
      return `${describeTools(all, tools)}Reply with one JSON object and nothing else:\n\n{\n${lines.join(',\n')}\n}`;
    }
  }
}
