/** Questions with computed targets, and checks that compute the targets again from the written texts. */
import { readFileSync } from 'node:fs';
import { fill, type Slots } from './phrases.ts';

/** The kinds, in the order in which the questions are listed. */
export const kinds = ['look-up', 'hops', 'meaning', 'records', 'order', 'code', 'change', 'absent'] as const;

export type Half = 'dev' | 'test';

/** The right answer, in the fields of a sample of `rlm eval`. */
export type Gold =
  | { readonly target: string; readonly choices?: readonly string[] }
  | { readonly targets: readonly string[] }
  | { readonly contains: readonly string[] }
  | { readonly number: number; readonly tolerance: number }
  | { readonly pattern: string }
  | { readonly answerable: false };

/** Written texts by path. */
export type Texts = ReadonlyMap<string, string>;

/** A question about the texts of one half. */
export interface Draft {
  /** Its kind and its number in the kind, from 0 to 4, such as hops-3. */
  readonly id: string;
  readonly question: string;
  /** Files or folders, relative to the folder of the texts. */
  readonly paths: readonly string[];
  readonly gold: Gold;
  /** Computes the right answer from the written texts; for a question without one, whether the answer is absent. */
  readonly check: (texts: Texts) => unknown;
}

/** The result of a maker of texts: the texts by path, and questions about them. */
export interface Made {
  readonly texts: Texts;
  readonly drafts: readonly Draft[];
}

const wordings = new Map(
  readFileSync(new URL('data/questions.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
);

/** A right answer in short form: a target, a number without tolerance, parts that are all required, or null. */
type Right = Gold | string | number | readonly string[] | null;

function goldOf(right: Right): Gold {
  if (right === null) return { answerable: false };
  if (typeof right === 'string') return { target: right };
  if (typeof right === 'number') return { number: right, tolerance: 0 };
  return Array.isArray(right) ? { contains: right } : (right as Gold);
}

/** Returns the wording of a question in data/questions.txt. */
export const wordingOf = (id: string): string => wordings.get(id)!;

/** Creates the function that makes questions about a path. */
export function createAsk(path: string, wording = wordingOf) {
  return (id: string, slots: Slots, right: Right, check: Draft['check']): Draft => {
    return { id, question: fill(wording(id), slots), paths: [path], gold: goldOf(right), check };
  };
}

/** Returns the number of a question's kind, and its number in the kind. */
export function placeOf({ id }: Draft): readonly [kind: number, place: number] {
  const at = id.lastIndexOf('-');
  return [kinds.indexOf(id.slice(0, at) as (typeof kinds)[number]), Number(id.slice(at + 1))];
}

/** Returns the right answer as a check computes it. */
export function wanted({ gold }: Draft): unknown {
  if ('answerable' in gold) return true;
  return 'number' in gold ? gold.number : Object.values(gold)[0];
}
