/** Questions with their right answers. */

/** How a reply is scored. */
export const scorerNames = [
  'contains',
  'exact',
  'f1',
  'list',
  'number',
  'pattern',
  'sources',
  'absent',
  'json',
] as const;

export type ScorerName = (typeof scorerNames)[number];

/** The right answer; fields that a sample lacks are null. */
export interface Gold {
  /** The answer, or several that are each right. */
  readonly target: readonly string[] | null;
  /** What the answer is chosen from; the first of these in the reply is its choice. Null: anything. */
  readonly choices: readonly string[] | null;
  /** A list: all of these, and nothing else. */
  readonly targets: readonly string[] | null;
  /** Words that the reply has to contain, all of them. */
  readonly contains: readonly string[] | null;
  /** A regular expression without lookaround and backreferences. */
  readonly pattern: string | null;
  readonly number: number | null;
  /** Allowed deviation of a number; 0 by default. */
  readonly tolerance: number;
  /** Factor on the score per unit of deviation, 0–1; null: a deviation scores 0. */
  readonly decay: number | null;
  /** Documents that have to be cited. */
  readonly sources: readonly string[] | null;
  /** A JSON value that the reply has to contain; undefined: none. */
  readonly json: unknown;
  /** False: the text does not contain the answer, and the reply has to say so. */
  readonly answerable: boolean;
}

/** One question of an evaluation. */
export interface Sample extends Gold {
  readonly id: string;
  readonly question: string;
  /** Files, folders and globs, absolute or as on the command line; null: those of the evaluation. */
  readonly paths: readonly string[] | null;
  readonly tags: readonly string[];
  readonly scorer: ScorerName;
  /** Length of its text in tokens, where the sample states it; null: measured. */
  readonly tokens: number | null;
}

/** Describes the right answer in a few words. */
export function wantedOf({ target, targets, contains, pattern, number, sources, json, answerable }: Gold): string {
  if (!answerable) return '(the text does not say)';
  const list = target ?? targets ?? contains ?? sources;
  return list?.join(' | ') ?? pattern ?? (number === null ? JSON.stringify(json) : String(number));
}

/** Returns the default scorer of a sample: the first that its fields allow. */
export function scorerFor(gold: Gold): ScorerName {
  if (!gold.answerable) return 'absent';
  if (gold.json !== undefined) return 'json';
  if (gold.number !== null) return 'number';
  if (gold.targets !== null) return 'list';
  if (gold.target !== null || gold.contains !== null) return 'contains';
  return gold.pattern === null ? 'sources' : 'pattern';
}
