/** A question with what its answer is held against. */

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

/** What a right answer is; what a sample does not say is null. */
export interface Gold {
  /** The answer, or several that are each right. */
  readonly target: readonly string[] | null;
  /** A list: all of these, and nothing else. */
  readonly targets: readonly string[] | null;
  /** Words that all have to be in the reply. */
  readonly contains: readonly string[] | null;
  /** A regular expression without lookaround and backreferences. */
  readonly pattern: string | null;
  readonly number: number | null;
  /** How far a number may be off; 0 by default. */
  readonly tolerance: number;
  /** What each unit that a number is off leaves of the score, 0–1; null: nothing. */
  readonly decay: number | null;
  /** Documents that have to be cited. */
  readonly sources: readonly string[] | null;
  /** A JSON value that the reply has to hold; undefined: none. */
  readonly json: unknown;
  /** False: the text does not hold the answer, and the reply has to say so. */
  readonly answerable: boolean;
}

/** One question of an evaluation. */
export interface Sample extends Gold {
  readonly id: string;
  readonly question: string;
  /** Files, folders and globs, absolute or as the command line has them; null: those of the evaluation. */
  readonly paths: readonly string[] | null;
  readonly tags: readonly string[];
  readonly scorer: ScorerName;
  /** Of its text, in tokens, where whoever made it says so; null: as it is found. */
  readonly tokens: number | null;
}

/** What a right answer is, in a few words. */
export function wantedOf({ target, targets, contains, pattern, number, sources, json, answerable }: Gold): string {
  if (!answerable) return '(the text does not say)';
  const list = target ?? targets ?? contains ?? sources;
  return list?.join(' | ') ?? pattern ?? (number === null ? JSON.stringify(json) : String(number));
}

/** The scorer of a sample that names none: the first that what it says allows. */
export function scorerFor(gold: Gold): ScorerName {
  if (!gold.answerable) return 'absent';
  if (gold.json !== undefined) return 'json';
  if (gold.number !== null) return 'number';
  if (gold.targets !== null) return 'list';
  if (gold.target !== null || gold.contains !== null) return 'contains';
  return gold.pattern === null ? 'sources' : 'pattern';
}
