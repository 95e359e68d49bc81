import type * as z from 'zod/mini';
import { nearest } from '../base/nearest.ts';
import { ToolFailure } from './tool-failure.ts';

const failed = (message: string) => new ToolFailure('invalid_arguments', message);

/** Describes the first problem of the arguments, and names the argument. */
function problemOf({ issues: [issue] }: z.core.$ZodError, given: Readonly<Record<string, unknown>>): string {
  const [name, ...inner] = issue!.path.map(String);
  if (name !== undefined && given[name] === undefined) return `The argument "${name}" is missing.`;
  return `The argument "${[name, ...inner].join('.')}" cannot be used: ${issue!.message}.`;
}

/**
 * Reads the arguments of a tool call.
 * @param schema the tool's input, an object.
 * @throws ToolFailure `invalid_arguments` for an unknown, missing or wrong argument.
 */
export function readArguments<T>(schema: z.ZodMiniType<T>, given: unknown): T {
  const known = Object.keys((schema as unknown as z.ZodMiniObject).shape);
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const hint = near === null ? `The arguments are ${known.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
    throw failed(`There is no argument "${unknown.slice(0, 100)}". ${hint}`);
  }
  const read = schema.safeParse(values);
  if (!read.success) throw failed(problemOf(read.error, values));
  return read.data;
}
