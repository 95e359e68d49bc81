/** What a superlative ranks rows by when the question names no column. */
export type Domain = 'day' | 'length' | 'worth' | 'grade' | RegExp;

interface Superlative {
  readonly order: 'max' | 'min';
  readonly by: Domain;
}

const listed: readonly (readonly [order: 'max' | 'min', by: Domain, words: string])[] = [
  ['max', 'day', 'last latest newest youngest'],
  ['min', 'day', 'first earliest oldest'],
  ['max', 'length', 'longest slowest'],
  ['min', 'length', 'shortest fastest quickest'],
  ['max', 'worth', 'dearest'],
  ['min', 'worth', 'cheapest'],
  ['max', 'grade', 'best'],
  ['min', 'grade', 'worst'],
  ['max', /temp/i, 'hottest warmest'],
  ['min', /temp/i, 'coldest coolest'],
  ['max', /weight|mass/i, 'heaviest'],
  ['min', /weight|mass/i, 'lightest'],
  ['max', /height/i, 'tallest'],
  ['max', /distance/i, 'farthest furthest'],
  ['min', /distance/i, 'nearest closest'],
];

export const superlatives: ReadonlyMap<string, Superlative> = new Map<string, Superlative>(
  listed.flatMap(([order, by, words]) => words.split(' ').map((word) => [word, { order, by }] as const)),
);

/** Alternatives of a regular expression that matches superlatives. */
export const superlativeWords = [...superlatives.keys()].join('|');

export const isSuperlative = (word: string): boolean => superlatives.has(word);
