import * as z from 'zod/mini';
import type { StandardSchemaWithJSON } from './protocol.ts';

type JsonSchema = Record<string, unknown>;

/** Replaces lists of types (`["string", "null"]`) with `anyOf`, because some clients do not support such lists. */
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

function jsonOf(schema: z.ZodMiniType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return withoutTypeLists(json) as JsonSchema;
}

/** Shows a tool's input schema to clients, but accepts any arguments, because `readArguments` checks them. */
export const anyArguments = <T>(schema: z.ZodMiniType<T>): StandardSchemaWithJSON<unknown, unknown> =>
  standard(z.record(z.string(), z.unknown()) as z.ZodMiniType<unknown>, () => ({
    ...jsonOf(schema),
    additionalProperties: false,
  }));

/** Wraps a schema in the form that the protocol library takes. `toJson` is called once, on demand. */
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
