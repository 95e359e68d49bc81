import { isObject } from '../base/is-object.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface AnswerSchema {
  readonly json: JsonSchema;
  /** The schema of a reply. A reply is an object: the answer itself, or an object with the answer under `value`. */
  readonly reply: object;
  unwrap(reply: unknown): unknown;
  /** Returns what is wrong with a value; null if it conforms to the schema. */
  problemOf(value: unknown): string | null;
}

const unescaped = (token: string): string => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the target of a reference such as `#/$defs/name`; undefined if none. Throws URIError for a wrong escape. */
export function atPointer(root: unknown, reference: string): unknown {
  const tokens = reference.slice(1).split('/').slice(1).map(unescaped);
  return tokens.reduce<unknown>((place, token) => {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, token)) return undefined;
    return (place as Record<string, unknown>)[token];
  }, root);
}

const typesOf = ({ type }: JsonSchema): readonly string[] => [type ?? []].flat() as string[];

const isNull = (schema: unknown): boolean => isObject(schema) && typesOf(schema).join() === 'null';

const mostSteps = 16;

/** Follows references, and takes the first of several variants (`anyOf`, …) that is not of type null. */
export function variantOf(given: unknown, root: JsonSchema): JsonSchema | null {
  let schema = given;
  for (let step = 0; step < mostSteps && isObject(schema); step++) {
    const reference = schema['$ref'];
    const variants = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray);
    if (typeof reference === 'string') schema = atPointer(root, reference);
    else if (variants !== undefined) schema = variants.find((variant) => !isNull(variant));
    else return schema;
  }
  return null;
}

function schemaOf({ properties, items, additionalProperties }: JsonSchema, token: string): unknown {
  const own = isObject(properties) && Object.hasOwn(properties, token) ? properties[token] : undefined;
  return own ?? (/^\d+$/.test(token) ? items : undefined) ?? additionalProperties;
}

/** Returns the schema of the value at a path in a document; null if the schema does not define this value. */
export function schemaAt(root: JsonSchema, path: readonly string[]): JsonSchema | null {
  return path.reduce<JsonSchema | null>(
    (schema, token) => schema && variantOf(schemaOf(schema, token), root),
    variantOf(root, root),
  );
}

/** Returns the titles and descriptions of the value at a path and of its parents, except the root. */
export function wordsAbout(root: JsonSchema, path: readonly string[]): string {
  const schemas = path.flatMap((token, depth) => {
    const parent = schemaAt(root, path.slice(0, depth));
    const given = parent && schemaOf(parent, token);
    return [given, variantOf(given, root)].filter(isObject);
  });
  const words = schemas.flatMap(({ title, description }) => [title, description]);
  return [...new Set(words.filter((one) => typeof one === 'string'))].join('\n');
}
