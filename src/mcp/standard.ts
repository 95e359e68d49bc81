import * as z from 'zod/mini';
import type { StandardSchemaWithJSON } from './protocol.ts';

type JsonSchema = Record<string, unknown>;

/** Some clients know no list of types: what may be null, too, becomes a choice of two. */
function withoutTypeLists({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  const { type, ...rest } = jsonSchema;
  if (!Array.isArray(type)) return;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const { description, ...shape } = rest;
  jsonSchema['anyOf'] = type.map((one) => (one === 'null' ? { type: one } : { ...shape, type: one }));
  if (description !== undefined) jsonSchema['description'] = description;
}

/** A schema as JSON Schema: of what is given, where a default fills in what is not. */
function jsonOf(schema: z.ZodMiniType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', override: withoutTypeLists });
  return json;
}

/**
 * A schema in the form that the protocol library takes (Standard Schema with JSON Schema): it validates, and tells
 * itself as JSON Schema.
 */
export function standard<T>(
  schema: z.ZodMiniType<T>,
  json: Record<string, unknown> = jsonOf(schema),
): StandardSchemaWithJSON<T, T> {
  const own = schema['~standard'];
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'rlm',
      validate: own.validate,
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
