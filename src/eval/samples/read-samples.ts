import { dirname, isAbsolute, resolve } from 'node:path';
import { RE2JS } from 're2js';
import * as z from 'zod/mini';
import { expectation } from '../../base/expectation.ts';
import { readOwnText, stateBytes } from '../../base/files/own-file.ts';
import { compileGlob } from '../../base/glob.ts';
import { sha256 } from '../../base/sha256.ts';
import { RlmError } from '../../errors.ts';

const words = z.string().check(z.minLength(1));
const oneOrMore = z.union([words, z.array(words).check(z.minLength(1))]);

const goldFields = {
  /** The right answer, or several right answers. */
  target: z.optional(oneOrMore),
  /** The options. The first option that the reply names is its choice. */
  choices: z.optional(z.array(words).check(z.minLength(2))),
  /** The items that the reply has to give. It must give nothing else. */
  targets: z.optional(z.array(words).check(z.minLength(1))),
  /** The texts that the reply has to contain. */
  contains: z.optional(oneOrMore),
  /** A regular expression without lookaround and backreferences. */
  pattern: z.optional(words),
  number: z.optional(z.number()),
  /** Allowed deviation of `number`. */
  tolerance: z.optional(z.number().check(z.gte(0))),
  /** The factor by which each unit of deviation multiplies the score. */
  decay: z.optional(z.number().check(z.gt(0), z.lt(1))),
  /** Names or globs of documents that have to be cited. */
  sources: z.optional(oneOrMore),
  json: z.optional(z.unknown()),
  /** False: the reply has to say that the text does not contain the answer. */
  answerable: z.optional(z.boolean()),
};

const listOf = (value: string | readonly string[] | undefined): readonly string[] | null =>
  value === undefined ? null : typeof value === 'string' ? [value] : value;

const goldSchema = z.object(goldFields);

function goldOf(given: z.infer<typeof goldSchema>) {
  const { choices = null, targets = null, pattern = null, number = null, json } = given;
  const { tolerance = 0, decay = null, answerable = true } = given;
  const lists = { target: listOf(given.target), contains: listOf(given.contains), sources: listOf(given.sources) };
  return { ...lists, choices, targets, pattern, number, json, tolerance, decay, answerable };
}

/** The right answer. A field that a sample lacks is null or has its default; a missing `json` is undefined. */
export type Gold = Readonly<ReturnType<typeof goldOf>>;

export function wantedOf({ target, targets, contains, pattern, number, sources, json, answerable }: Gold): string {
  if (!answerable) return '(the text does not say)';
  const list = target ?? targets ?? contains ?? sources;
  return list?.join(' | ') ?? pattern ?? (number === null ? JSON.stringify(json) : String(number));
}

/** The default scorer of a sample is the first in this list whose needs the sample meets. */
const needs = {
  absent: ({ answerable }) => !answerable,
  json: ({ json }) => json !== undefined,
  number: ({ number }) => number !== null,
  list: ({ targets }) => targets !== null,
  contains: ({ target, contains, targets }) => (target ?? contains ?? targets) !== null,
  pattern: ({ pattern }) => pattern !== null,
  sources: ({ sources }) => sources !== null,
  exact: ({ target }) => target !== null,
  f1: ({ target }) => target !== null,
} as const satisfies Record<string, (gold: Gold) => boolean>;

export type ScorerName = keyof typeof needs;

const scorerNames = Object.keys(needs) as ScorerName[];

const line = z.strictObject({
  question: words,
  ...goldFields,
  scorer: z.optional(z.enum(scorerNames)),
  paths: z.optional(oneOrMore),
  id: z.optional(words),
  tags: z.optional(z.array(words)),
  tokens: z.optional(z.int().check(z.gte(0))),
});

export type SampleLine = z.infer<typeof line>;

const fields = 'target, targets, contains, pattern, number, sources, json, or "answerable": false';

function problemOf(gold: Gold, scorer: ScorerName): string | null {
  const { choices, target, pattern, sources } = gold;
  if (choices !== null && target?.every((one) => choices.includes(one)) !== true)
    return 'its "target" has to be among its "choices"';
  if (!needs[scorer](gold)) return `it does not say what a right answer is; it needs ${fields}`;
  let what = 'pattern';
  try {
    if (pattern !== null) RE2JS.compile(pattern);
    what = 'sources';
    for (const source of sources ?? []) compileGlob(`**/${source}`);
    return null;
  } catch (error) {
    return `its ${what} cannot be used: ${(error as Error).message}`;
  }
}

const invalid = (place: string, problem: string) =>
  new RlmError('usage', `${place}: ${problem}`, { hint: 'rlm eval init prints an example of each kind of line.' });

function complaint(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') return `it has an unknown field: ${issue.keys.join(', ')}`;
  const field = issue?.path.join('.') ?? '';
  return field === '' ? 'it is not an object with a "question"' : `"${field}" cannot be used: ${expectation(issue)}`;
}

function parseLine(text: string, place: string): SampleLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(place, 'it is not JSON');
  }
  const parsed = z.safeParse(line, value);
  if (!parsed.success) throw invalid(place, complaint(parsed.error));
  return parsed.data;
}

const idOf = (given: SampleLine): string => sha256(JSON.stringify(given), 10);

function toSample(text: string, place: string, folder: string) {
  const given = parseLine(text, place);
  const gold = goldOf(given);
  const scorer = given.scorer ?? scorerNames.find((name) => needs[name](gold)) ?? 'sources';
  const problem = problemOf(gold, scorer);
  if (problem !== null) throw invalid(place, problem);
  const paths = listOf(given.paths)?.map((path) => (isAbsolute(path) ? path : resolve(folder, path))) ?? null;
  const { question, id = idOf(given), tags = [], tokens = null } = given;
  return {
    ...{ ...gold, id, question },
    /** Absolute paths of files, folders and globs; null: the paths of the evaluation. */
    paths,
    ...{ tags, scorer },
    /** Length of the text in tokens, as the line states it; null: to be estimated from the size of the text. */
    tokens,
  };
}

/** One question of an evaluation. */
export type Sample = Readonly<ReturnType<typeof toSample>>;

/**
 * Parses samples from JSON lines.
 * @param name name of the file, for messages. Paths in the samples are relative to the file's folder.
 * @throws RlmError `usage` that names the line.
 */
export function parseSamples(text: string, name: string): readonly Sample[] {
  const folder = resolve(dirname(name));
  const ids = new Set<string>();
  const samples = text.split('\n').flatMap((content, index): Sample[] => {
    const trimmed = content.trim();
    if (trimmed === '' || trimmed.startsWith('//') || trimmed.startsWith('#')) return [];
    const place = `${name}:${index + 1}`;
    const sample = toSample(trimmed, place, folder);
    if (ids.has(sample.id)) throw invalid(place, `another line has the id ${sample.id}`);
    ids.add(sample.id);
    return [sample];
  });
  if (samples.length > 0) return samples;
  throw new RlmError('usage', `${name} holds no question`, { hint: 'rlm eval init prints an example.' });
}

/** Reads the samples of a file. Throws RlmError `input-missing`, `input-unreadable`, `usage`. */
export function readSamples(path: string): readonly Sample[] {
  let text: string;
  try {
    text = readOwnText(path, stateBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RlmError(code === 'ENOENT' ? 'input-missing' : 'input-unreadable', `${path} cannot be read (${code})`, {
      hint: 'Name a file of questions: rlm eval questions.jsonl docs/. rlm eval init prints an example.',
    });
  }
  return parseSamples(text.replace(/^\ufeff/, ''), path);
}
