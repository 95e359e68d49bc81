/** Reads labelled questions about records, and scores translations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContextStore } from '../../src/context/store/store.ts';
import type { QueryLimits, Translation, Value } from '../../src/query/query-result.ts';
import type { Sqlite } from '../../src/query/sqlite/start.ts';
import { translate } from '../../src/query/translate/translate.ts';

/** A question about a text of `texts/`. */
export interface RecordsQuestion {
  readonly kind: string;
  readonly text: string;
  readonly ask: string;
  /** The values of a right answer; left out if the text has no answer, or the question is ambiguous. */
  readonly want?: readonly string[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const limits: QueryLimits = {
  megabytes: 250,
  timeoutMs: 60_000,
  memoryMb: 3_000,
  rows: 100,
  characters: 100_000,
};

export const readQuestions = (half: 'dev' | 'test'): RecordsQuestion[] =>
  readFileSync(join(folder, `${half}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Translates a question about documents in this thread. */
export function translateOver(
  sqlite: Sqlite,
  documents: readonly { readonly name: string; readonly bytes: Buffer }[],
  question: string,
): Translation {
  const source = createContextStore(documents, { chunkBytes: 1_500 });
  const origins = source.documents.map(({ name }) => ({ name, linesBefore: 0 }));
  return translate(sqlite, { source, origins }, question, limits);
}

export const readText = (name: string) => ({ name, bytes: readFileSync(join(folder, 'texts', name)) });

const plain = (text: string): string => text.toLowerCase().replace(/(?<=\d)t(?=\d)/g, ' ');

/** Whether a value is the wanted one. A fraction may be rounded, but not to a whole number. */
function states(value: Value, want: string): boolean {
  if (typeof value !== 'number') return plain(String(value)).includes(plain(want));
  const digits = String(value).split('.')[1]?.length ?? 0;
  return (
    Math.abs(Number(want) - value) < (Number.isInteger(Number(want)) ? 1e-9 : 0.5 * 10 ** -Math.max(1, digits) + 1e-9)
  );
}

export type Outcome = 'right' | 'wrong' | 'silent';

/** Scores a translation. A right one states every wanted value, and at most one other for each, such as a label. */
export function scoreOf({ want }: RecordsQuestion, { translated }: Translation): Outcome {
  if (translated === null) return 'silent';
  if (want === undefined) return 'wrong';
  const { values } = translated;
  const isStated = want.every((one) => values.some((value) => states(value, one)));
  return isStated && values.length <= 2 * want.length ? 'right' : 'wrong';
}
