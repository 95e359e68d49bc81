import { RlmError } from '../errors.ts';
import { atPointer, isSchema, type JsonSchema } from './json-schema.ts';

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Keywords whose values are schemas by name, and not words of a schema themselves. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose values are data. */
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

function referenceProblem(reference: unknown, root: JsonSchema): string | null {
  const shown = JSON.stringify(reference);
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    return `"$ref" may only name a part of the schema itself, such as "#/$defs/name", and not ${shown}`;
  try {
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
      return named.has(keyword) && !isSchema(value) ? `"${keyword}" must be an object` : null;
  }
}

/** The first thing that is wrong in a schema; null: nothing. */
function problemIn(schema: unknown, root: JsonSchema, depth: number): string | null {
  if (depth > deepest) return `it is more than ${deepest} levels deep`;
  if (Array.isArray(schema)) return firstProblem(schema, root, depth);
  if (!isSchema(schema)) return null;
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = wordProblem(keyword, value, root);
    if (problem !== null) return problem;
    if (data.has(keyword)) continue;
    const inner = named.has(keyword) ? Object.values(value as object) : [value];
    const found = firstProblem(inner, root, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function firstProblem(schemas: readonly unknown[], root: JsonSchema, depth: number): string | null {
  for (const schema of schemas) {
    const problem = problemIn(schema, root, depth);
    if (problem !== null) return problem;
  }
  return null;
}

/** The error for a schema that cannot be used. */
export const unsound = (place: string, problem: string): RlmError =>
  new RlmError('config-invalid', `${place} cannot be used as a JSON Schema: ${problem}`, {
    hint: 'For example: --schema \'{"type": "object", "properties": {"owner": {"type": ["string", "null"]}}}\'',
  });

/** A schema that is sound as far as that is looked at. Throws RlmError `config-invalid`. */
export function checkSchema(json: unknown, place: string): JsonSchema {
  const problem = isSchema(json) ? problemIn(json, json, 0) : 'it is no object';
  if (problem !== null) throw unsound(place, problem);
  return json as JsonSchema;
}
