import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { type Schema, type SchemaDraft, type ValidationResult, Validator } from '@cfworker/json-schema';
import { readOwnTextIfAny } from '../base/files/own-file.ts';
import { isObject } from '../base/is-object.ts';
import { isStackFull } from '../base/stack-full.ts';
import { RlmError } from '../errors.ts';
import { type AnswerSchema, atPointer, type JsonSchema } from './json-schema.ts';

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Keywords whose values map names to schemas, or to lists of names. The names are not keywords. */
const named = new Set(
  'properties patternProperties $defs definitions dependencies dependentSchemas dependentRequired'.split(' '),
);
const data = new Set(['enum', 'const', 'default', 'examples', 'example']);

const deepest = 64;

function patternProblem(pattern: unknown): string | null {
  try {
    new RegExp(String(pattern), 'u');
    return null;
  } catch {
    return `"pattern" is no regular expression: ${JSON.stringify(pattern)}`;
  }
}

const endless = 'it refers to itself without end';

/** Whether a chain of references never ends. Throws URIError if a reference has an invalid `%` escape. */
function isEndless(reference: string, root: JsonSchema): boolean {
  const seen = new Set<string>();
  let next: unknown = reference;
  while (typeof next === 'string') {
    if (seen.has(next)) return true;
    seen.add(next);
    const target = atPointer(root, next);
    next = isObject(target) ? target['$ref'] : null;
  }
  return false;
}

function referenceProblem(reference: unknown, root: JsonSchema): string | null {
  const shown = JSON.stringify(reference);
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    return `"$ref" may only name a part of the schema itself, such as "#/$defs/name", and not ${shown}`;
  try {
    if (isEndless(reference, root)) return endless;
    return atPointer(root, reference) === undefined ? `"$ref" names ${shown}, which is not there` : null;
  } catch {
    return `"$ref" is no reference: ${shown}`;
  }
}

function wordProblem(keyword: string, value: unknown, root: JsonSchema): string | null {
  switch (keyword) {
    case 'type': {
      const wrong = [value].flat().find((type) => !types.has(type as string));
      return wrong === undefined ? null : `there is no "type" ${JSON.stringify(wrong)}`;
    }
    case 'pattern':
      return patternProblem(value);
    case '$ref':
      return referenceProblem(value, root);
    case 'required':
      return Array.isArray(value) ? null : '"required" must be a list of names';
    case 'enum':
      return Array.isArray(value) ? null : '"enum" must be a list';
    default:
      return named.has(keyword) && !isObject(value) ? `"${keyword}" must be an object` : null;
  }
}

/** Yields the problems in a schema. Later problems may be consequences of the first, so only the first is reported. */
function* problemsIn(schema: unknown, root: JsonSchema, depth = 0): Generator<string> {
  if (depth > deepest) yield `it is more than ${deepest} levels deep`;
  else if (Array.isArray(schema)) for (const one of schema) yield* problemsIn(one, root, depth);
  else if (isObject(schema))
    for (const [keyword, value] of Object.entries(schema)) {
      const problem = wordProblem(keyword, value, root);
      if (problem !== null) yield problem;
      const inner = named.has(keyword) ? Object.values(value as object) : value;
      if (!data.has(keyword)) yield* problemsIn(inner, root, depth + 1);
    }
}

const unsound = (place: string, problem: string): RlmError =>
  new RlmError('config-invalid', `${place} cannot be used as a JSON Schema: ${problem}`, {
    hint: 'For example: --schema \'{"type": "object", "properties": {"owner": {"type": ["string", "null"]}}}\'',
  });

function checkSchema(json: unknown, place: string): JsonSchema {
  if (!isObject(json)) throw unsound(place, 'it is no object');
  for (const problem of problemsIn(json, json)) throw unsound(place, problem);
  return json;
}

const drafts: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft-0?4/, '4'],
  [/draft-0?[67]/, '7'],
  [/2019-09/, '2019-09'],
];

const draftOf = ({ $schema }: JsonSchema): SchemaDraft =>
  drafts.find(([name]) => typeof $schema === 'string' && name.test($schema))?.[1] ?? '2020-12';

/** Adjusts the references in a schema that is moved below `properties.value`. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isReference = key === '$ref' && typeof inner === 'string' && /^#(?:\/|$)/.test(inner);
    return [key, isReference ? `#/properties/value${inner.slice(1)}` : moved(inner)];
  });
  return Object.fromEntries(entries);
}

/** Returns the schema of a reply, which is always of type object, because servers accept nothing else. */
const replySchema = (json: JsonSchema): object =>
  json['type'] === 'object' ? json : { type: 'object', properties: { value: moved(json) }, required: ['value'] };

/** Keywords whose errors only report that a nested value is wrong. */
const outer = new Set('properties items additionalProperties $ref allOf anyOf oneOf prefixItems'.split(' '));

const mostProblems = 5;
/** The time limit of a validation, in ms. Without a limit, a `pattern` could backtrack forever. */
const validationMs = 1_000;

const samples: readonly unknown[] = [null, '', 0, true, [], {}];

/**
 * Creates a function that validates a value. The function returns null if a validation exceeds the time limit. It is
 * tried on samples first, because most unsound schemas fail on any value.
 */
function createValidator(json: JsonSchema, place: string): (value: unknown) => ValidationResult | null {
  const soundly = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw unsound(place, isStackFull(error) ? endless : (error as Error).message);
    }
  };
  const validator = soundly(() => new Validator(json as Schema, draftOf(json), false));
  const validate = (value: unknown) =>
    soundly(() => {
      const context = createContext({ work: () => validator.validate(value) });
      try {
        return runInContext('work()', context, { timeout: validationMs }) as ValidationResult;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
        throw error;
      }
    });
  for (const sample of samples) validate(sample);
  return validate;
}

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
 * @param place the schema's name in errors.
 * @throws RlmError `config-invalid` for an unsound schema, and for a reference to another document.
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

function readFile(path: string): string {
  const refused = (what: string) =>
    new RlmError('config-invalid', `${what} ${path} (setting schema)`, {
      hint: 'Name a file with a JSON Schema, or give the schema itself: --schema \'{"type": "object", …}\'',
    });
  const text = readOwnTextIfAny(path, (why) => refused(`the file cannot be read (${why}):`));
  if (text === null) throw refused('there is no file');
  return text.replace(/^\ufeff/, '');
}

/** Reads the setting `schema`: an object, JSON as text, or the path of a file. Throws RlmError `config-invalid`. */
export function readSchema(given: string | object, cwd: string): AnswerSchema {
  if (typeof given !== 'string') return createAnswerSchema(given, 'the setting schema');
  const isInline = given.trimStart().startsWith('{');
  const place = isInline ? 'the schema' : given;
  const text = isInline ? given : readFile(resolve(cwd, given));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new RlmError('config-invalid', `${place} is not JSON: ${(error as Error).message}`, {
      hint: 'Correct it, or give another file.',
    });
  }
  return createAnswerSchema(json, place);
}
