/** The form of an answer, as a JSON Schema that the user gives. Loaded only where there is one. */
import { type Schema, type SchemaDraft, type ValidationResult, Validator } from '@cfworker/json-schema';
import { checkSchema, unsound } from './check-schema.ts';
import { type AnswerSchema, atPointer, type JsonSchema } from './json-schema.ts';
import { runBounded } from './run-bounded.ts';

const drafts: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft-0?4/, '4'],
  [/draft-0?[67]/, '7'],
  [/2019-09/, '2019-09'],
];

const draftOf = ({ $schema }: JsonSchema): SchemaDraft =>
  drafts.find(([name]) => typeof $schema === 'string' && name.test($schema))?.[1] ?? '2020-12';

/** References of a schema that moves below `properties.value`. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isReference = key === '$ref' && typeof inner === 'string' && /^#(?:\/|$)/.test(inner);
    return [key, isReference ? `#/properties/value${inner.slice(1)}` : moved(inner)];
  });
  return Object.fromEntries(entries);
}

/** What a reply is held to: servers take only schemas of objects. */
const replySchema = (json: JsonSchema): object =>
  json['type'] === 'object' ? json : { type: 'object', properties: { value: moved(json) }, required: ['value'] };

/** Keywords whose errors only say that something within is wrong. */
const outer = new Set([
  'properties',
  'items',
  'additionalProperties',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
]);

const mostProblems = 5;
/** A `pattern` may backtrack forever. */
const validationMs = 1_000;

const samples: readonly unknown[] = [null, '', 0, true, [], {}];

/**
 * The validator takes a schema to be sound: what is not fails there in many ways, mostly with the first values.
 * @returns null for a value that takes too long.
 */
function createValidator(json: JsonSchema, place: string): (value: unknown) => ValidationResult | null {
  const soundly = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw unsound(place, (error as Error).message);
    }
  };
  const validator = soundly(() => new Validator(json as Schema, draftOf(json), false));
  const validate = (value: unknown) =>
    soundly(() => runBounded(validationMs, () => validator.validate(value))?.value ?? null);
  for (const sample of samples) validate(sample);
  return validate;
}

/** What is wrong with a value, in words; null: nothing. */
function createCheck(json: JsonSchema, place: string): AnswerSchema['problemOf'] {
  const validate = createValidator(json, place);
  return (value) => {
    const result = validate(value);
    if (result === null) return `a "pattern" was not matched within ${validationMs / 1000} s`;
    const { valid, errors } = result;
    if (valid) return null;
    const inner = errors.filter(({ keyword }) => !outer.has(keyword));
    const shown = (inner.length > 0 ? inner : errors).map(({ instanceLocation, keyword, error }) => {
      const isNull = keyword === 'type' && atPointer(value, instanceLocation) === null;
      const why = isNull ? 'the text was not found to tell it, and null is not allowed' : error.replace(/\.$/, '');
      return `${instanceLocation.slice(1) || 'the answer'}: ${why}`;
    });
    return [...new Set(shown)].slice(0, mostProblems).join('; ');
  };
}

/**
 * Reads a JSON Schema.
 * @param place what it is called in errors.
 * @throws RlmError `config-invalid` for one that is not sound, or that refers to something outside of itself.
 */
export function createAnswerSchema(json: unknown, place: string): AnswerSchema {
  const schema = checkSchema(json, place);
  const reply = replySchema(schema);
  const isWrapped = reply !== schema;
  const holdsValue = (value: unknown): value is { value: unknown } =>
    typeof value === 'object' && value !== null && Object.keys(value).join() === 'value';
  return {
    json: schema,
    reply,
    unwrap: (value) => (isWrapped && holdsValue(value) ? value.value : value),
    problemOf: createCheck(schema, place),
  };
}
