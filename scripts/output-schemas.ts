/** Generates the JSON Schemas of the program's output from its types. */
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The file of each schema, and its type in output-shapes.ts. */
const shapes = {
  result: 'Result',
  event: 'OutputEvent',
  'dry-run': 'DryRun',
  query: 'QueryResult',
  tables: 'TablesDescription',
} as const;

/** Fields that may hold fractions or negative numbers, in addition to model prices and query values. */
const fractions = [
  'score',
  'support',
  'probability',
  'answerable',
  'certainty',
  'confidence',
  'cost',
  'usd',
  'timeout',
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** TypeScript has one number type. A number is an integer of at least 0, unless its name is among `fractions`. */
function withIntegers(schema: Json, name: string): Json {
  if (Array.isArray(schema)) return schema.map((one) => withIntegers(one, name));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (name === 'price' || fractions.includes(name)) return schema;
  const { type } = schema as { readonly type?: Json };
  const whole = (one: Json): Json => (one === 'number' ? 'integer' : one);
  const isNumber = type === 'number' || (Array.isArray(type) && type.includes('number') && !type.includes('string'));
  const fields = Object.entries(schema).map(([key, value]) => {
    if (['properties', 'definitions'].includes(key) && typeof value === 'object' && value !== null)
      return [
        key,
        Object.fromEntries(
          Object.entries(value).map(([inner, one]) => [inner, withIntegers(one, inner.toLowerCase())]),
        ),
      ];
    if (key === 'type' && isNumber) return [key, Array.isArray(type) ? type.map(whole) : whole(type!)];
    return [key, withIntegers(value, name)];
  });
  return { ...Object.fromEntries(fields), ...(isNumber && { minimum: 0 }) };
}

type Schema = { readonly [name: string]: Json };

/** Moves all events into one list. */
function flat({ anyOf, ...schema }: Schema): Schema {
  if (!Array.isArray(anyOf)) return schema;
  const { RunEvent: event, ...definitions } = schema['definitions'] as Schema;
  return { ...schema, anyOf: [...((event as Schema)['anyOf'] as Json[]), ...anyOf.slice(1)], definitions };
}

/** Returns the text of each schema by file name. */
export function outputSchemas(): ReadonlyMap<string, string> {
  const generator = createGenerator({
    path: fileURLToPath(new URL('output-shapes.ts', import.meta.url)),
    tsconfig: `${root}tsconfig.json`,
    skipTypeCheck: true,
    functions: 'hide',
    topRef: false,
  });
  return new Map(
    Object.entries(shapes).map(([name, type]) => {
      const schema: Schema = JSON.parse(JSON.stringify(generator.createSchema(type)));
      return [`${name}.schema.json`, `${JSON.stringify(withIntegers(flat(schema), ''), null, 2)}\n`];
    }),
  );
}
