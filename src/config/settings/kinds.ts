/**
 * The kinds of values that settings have. `Setting` is in another file, so that the declarations of the package do not
 * need zod.
 */
import * as z from 'zod/mini';
import { checkBy } from '../zod-check.ts';
import type { Setting } from './setting.ts';

type Names = Partial<Omit<Setting<unknown>, 'check' | 'about'>>;

/** Creates a setting. Without `names` it can only be set in a file, including a project file. */
export function setting<T>(schema: () => z.ZodMiniType<T>, about: string, names: Names = {}): Setting<T> {
  return {
    check: checkBy(schema),
    about,
    env: names.env ?? [],
    flag: names.flag ?? null,
    flagAbout: names.flagAbout ?? null,
    from: names.from ?? 'project',
    holds: names.holds ?? 'value',
    mayChange: names.mayChange ?? false,
  };
}

/** A boolean. */
export const onOff = () => z.boolean();

/** Text that is not empty. */
export const text = () => z.string().check(z.minLength(1));

/** An integer from `min` to `max`, both included. */
export const whole = (min: number, max: number) => () => z.int().check(z.gte(min), z.lte(max));

/** A time in seconds, at most one day. */
export const seconds = () => z.number().check(z.gt(0), z.lte(86_400));

/** A value of another kind, or null. */
export const orNull =
  <T>(schema: () => z.ZodMiniType<T>) =>
  () =>
    z.nullable(schema());
