import { parse } from 'yaml';
import * as z from 'zod/mini';
import { readOwnText } from '../../../base/files/own-file.ts';
import { RlmError } from '../../../errors.ts';

const text = z.string().check(z.regex(/\S/, 'is empty'));
const texts = z.array(text);
const oneOrMore = z.union([text, texts]);

const check = z.strictObject({
  question: text,
  name: z.optional(text),
  paths: z.optional(texts),
  minConfidence: z.optional(z.number().check(z.gte(0), z.lte(100))),
  begins: z.optional(text),
  contains: z.optional(oneOrMore),
  excludes: z.optional(oneOrMore),
  cites: z.optional(oneOrMore),
});

const file = z.strictObject({ paths: z.optional(texts), checks: z.array(check).check(z.minLength(1)) });

/** A question, with the expectations for its answer. */
export type CheckSpec = z.infer<typeof check>;

/** The checks of a file, and the paths for checks that have none. */
export type ChecksFile = z.infer<typeof file>;

const invalid = (path: string, why: string): RlmError =>
  new RlmError('usage', `${path} is not a valid checks file: ${why}`, {
    hint: 'For example:\npaths: [CHANGELOG.md]\nchecks:\n  - question: Which breaking changes does 2.0 have?\n    contains: config format',
  });

function readText(path: string): string {
  try {
    return readOwnText(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RlmError('input-missing', `${path} cannot be read (${code})`, {
      hint: 'Give the path of a checks file.',
    });
  }
}

/** Describes the place and the message of zod's first issue. */
function complaint({ issues: [issue] }: z.core.$ZodError): string {
  const place = issue!.path.map(String).join('.') || 'the file';
  return issue!.code === 'unrecognized_keys'
    ? `${place} has an unknown "${issue!.keys[0]}"`
    : `${place}: ${issue!.message}`;
}

/**
 * Reads a file of checks in YAML or JSON.
 * @throws RlmError `input-missing` when the file cannot be read; `usage` when its content is invalid.
 */
export function readChecks(path: string): ChecksFile {
  const text = readText(path);
  let value: unknown;
  try {
    // The limit guards against aliases that expand a short file enormously.
    value = parse(text, { prettyErrors: true, maxAliasCount: 100 });
  } catch (failure) {
    const isDeep = failure instanceof RangeError;
    throw invalid(path, isDeep ? 'it is nested too deeply' : (failure as Error).message.split('\n')[0]!);
  }
  const parsed = z.safeParse(file, value);
  if (!parsed.success) throw invalid(path, complaint(parsed.error));
  return parsed.data;
}
