/** Arguments that several tools take. */
import * as z from 'zod/mini';

export const textParameter = (about: string) => z.string().check(z.minLength(1), z.describe(about));

export const optionalText = (about?: string) =>
  z.optional(about === undefined ? z.string() : z.string().check(z.describe(about)));

/** A whole number that may be left out. */
export const optionalWhole = (least: number, about?: string) =>
  z.optional(about === undefined ? z.int().check(z.gte(least)) : z.int().check(z.gte(least), z.describe(about)));

/** Which documents and files a call is about. */
export const somewhere = optionalText('file, folder or glob');
