import * as z from 'zod/mini';
import type { StandardSchemaWithJSON } from './protocol.ts';

type JsonSchema = Record<string, unknown>;

/** Some clients know no list of types: what may be null, too, becomes a choice of two. */
function withoutTypeLists(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTypeLists);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, description, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'type' ? value : withoutTypeLists(value)]),
  );
  const about = description === undefined ? {} : { description };
  if (!Array.isArray(type)) return { ...(type === undefined ? {} : { type }), ...about, ...rest };
  return { ...about, anyOf: type.map((one) => (one === 'null' ? { type: one } : { ...rest, type: one })) };
}

/** A schema as JSON Schema: of what is given, where a default fills in what is not. */
function jsonOf(schema: z.ZodMiniType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return withoutTypeLists(json) as JsonSchema;
}

/**
 * A schema in the form that the protocol library takes (Standard Schema with JSON Schema): it validates, and tells
 * itself as JSON Schema, which is made when a client first asks for it.
 * @param toJson default: what the schema itself comes to.
 */
export function standard<T>(
  schema: z.ZodMiniType<T>,
  toJson: () => JsonSchema = () => jsonOf(schema),
): StandardSchemaWithJSON<T, T> {
  const { validate } = schema['~standard'];
  let made: JsonSchema | null = null;
  const json = () => {
    made ??= toJson();
    return made;
  };
  return { '~standard': { version: 1, vendor: 'rlm', validate, jsonSchema: { input: json, output: json } } };
}
