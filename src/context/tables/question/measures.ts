import type { Column, Profile } from '../profile.ts';

/** A column that is meant, perhaps, and how surely: above 0, at most 1. */
export interface Candidate {
  readonly column: Column;
  readonly weight: number;
}

/** Columns by what rows are worth, the likeliest first: the only one with numbers, or the only one that says so. */
export function measures({ columns }: Profile): readonly Candidate[] {
  const numbers = columns.filter(({ kind, name, isUnique, isWhole }) => {
    const isName = /(?:^|[\s_.-])(?:id|no|nr|number|code|zip|year|port|phone|index|key|line|status)$|Id$/i.test(name);
    return kind === 'number' && !isName && !(isUnique && isWhole);
  });
  if (numbers.length === 1) return [{ column: numbers[0]!, weight: 0.9 }];
  const worth = numbers.filter(({ name }) =>
    /(?:^|[\s_.-])(?:amount|total|revenue|sales|sum|value)(?:$|[\s_.-])/i.test(name),
  );
  if (worth.length === 1) return [{ column: worth[0]!, weight: 0.8 }];
  return (worth.length > 0 ? worth : numbers).map((column) => ({ column, weight: 0.45 }));
}
