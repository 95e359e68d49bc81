import * as z from 'zod/mini';
import type { StandardSchemaWithJSON } from './protocol.ts';

/** A schema as JSON Schema: of what is given, where a default fills in what is not. */
function jsonOf(schema: z.ZodMiniType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
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
