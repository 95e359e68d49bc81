/** `Setting` is in another file, so that the declarations of the package do not need zod. */
import * as z from 'zod/mini';
import { expectation } from '../../base/expectation.ts';
import type { Setting } from './setting.ts';

type Names = Partial<Omit<Setting<unknown>, 'check' | 'about'>>;

/** Creates a setting. Without `names`, only files (project files included) and the calling program can set it. */
export function setting<T>(makeSchema: () => z.ZodMiniType<T>, about: string, names: Names = {}): Setting<T> {
  // The schema is created on first use, because most settings are never given.
  let schema: z.ZodMiniType<T> | undefined;
  function check(value: unknown) {
    schema ??= makeSchema();
    const parsed = z.safeParse(schema, value);
    return parsed.success ? { value: parsed.data } : { expected: expectation(parsed.error.issues[0]) };
  }
  const defaults = { env: [], flag: null, flagAbout: null, from: 'project', mayChange: false, needs: null } as const;
  return { check, about, ...defaults, holds: 'value', ...names };
}

/** Creates a setting that a resumed run may change. */
export const free = <T>(schema: () => z.ZodMiniType<T>, about: string, names: Names = {}): Setting<T> =>
  setting(schema, about, { ...names, mayChange: true });

export const onOff = () => z.boolean();

export const text = () => z.string().check(z.minLength(1));

/** Creates the schema of an integer from `min` to `max`, both included. */
export const whole = (min: number, max: number) => () => z.int().check(z.gte(min), z.lte(max));

/** Creates the schema of a time in seconds, at most one day. */
export const seconds = () => z.number().check(z.gt(0), z.lte(86_400));

export const orNull =
  <T>(schema: () => z.ZodMiniType<T>) =>
  () =>
    z.nullable(schema());
