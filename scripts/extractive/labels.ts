/**
 * The labelled questions of the extraction bench. `data/dev` and `data/test` have one file for each text or folder. Its
 * first line names the kind of text and the files. Each further line is a question with the content of a right answer.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

export const halves = ['dev', 'test'] as const;
export type Half = (typeof halves)[number];

const kinds = ['changelog', 'manual', 'source', 'chat', 'log', 'table', 'events'] as const;
/** Types whose answer is a line of the text. */
export const lineTypes = ['lookup', 'list', 'definition', 'why', 'reply'] as const;
export const types = [...lineTypes, 'order', 'count', 'duration', 'aggregate', 'unanswerable'] as const;

const headSchema = z.strictObject({ kind: z.enum(kinds), paths: z.array(z.string()).min(1) });

const aggregateSchema = z.strictObject({
  op: z.enum(['sum', 'mean', 'min', 'max', 'distinct', 'top']),
  column: z.string(),
  where: z.record(z.string(), z.string()).default({}),
});

const questionSchema = z.strictObject({
  type: z.enum(types),
  ask: z.string(),
  /** Excerpts of the text; a right answer quotes all of them. */
  all: z.array(z.string()).default([]),
  /** Excerpts of the text; a right answer quotes one of them. */
  any: z.array(z.string()).default([]),
  /** An excerpt of the heading or lead-in of `all`, which may come first. */
  under: z.string().optional(),
  /** The number that a right answer states. */
  number: z.number().optional(),
  /** A pattern; `number` is the number of lines that it matches. */
  counts: z.string().optional(),
  /** The name that a right answer states. */
  value: z.string().optional(),
  /** How `number` or `value` follows from the rows. */
  of: aggregateSchema.optional(),
  /** The duration that a right answer states, with a tolerance of `within` seconds. */
  seconds: z.number().optional(),
  within: z.number().default(1),
  /** Excerpts of the two lines whose time stamps are `seconds` apart. */
  between: z.tuple([z.string(), z.string()]).optional(),
  /** The text does not answer the question; a right answer quotes nothing. */
  none: z.literal(true).optional(),
});

export type Aggregate = z.infer<typeof aggregateSchema>;

export interface Label extends z.infer<typeof questionSchema> {
  /** The label's file and line, such as `handbook:4`. */
  readonly id: string;
  readonly half: Half;
  readonly kind: (typeof kinds)[number];
  /** Relative to the root of the repository. */
  readonly paths: readonly string[];
}

const hasTarget = ({ all, any, number, value, seconds, none }: Label): boolean =>
  all.length + any.length > 0 || [number, value, seconds, none].some((target) => target !== undefined);

async function readFileOfLabels(path: string, half: Half): Promise<Label[]> {
  const [head, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const { kind, paths } = headSchema.parse(JSON.parse(head!));
  return lines.map((line, index) => {
    const id = `${basename(path, '.jsonl')}:${index + 2}`;
    const question = questionSchema.safeParse(JSON.parse(line));
    if (!question.success) throw new Error(`${id}: ${z.prettifyError(question.error)}`);
    const label = { id, half, kind, paths, ...question.data };
    if (!hasTarget(label)) throw new Error(`${id}: no target`);
    return label;
  });
}

/**
 * Reads all labels, sorted by file name.
 * @throws Error with the name of a label that has a wrong shape or no target.
 */
export async function readLabels(): Promise<Label[]> {
  const labels: Label[] = [];
  for (const half of halves) {
    const folder = join(import.meta.dirname, 'data', half);
    for (const name of (await readdir(folder)).sort())
      labels.push(...(await readFileOfLabels(join(folder, name), half)));
  }
  return labels;
}
