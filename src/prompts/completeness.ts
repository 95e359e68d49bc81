import type { Completeness, Tells } from '../state.ts';
import { type Field, field } from './reply/fields.ts';

/** The fields by which a reply says how much its answer tells, and what is missing. */
export const completenessFields = {
  tells: {
    kind: 'choice',
    options: ['all', 'part', 'nothing'],
    otherwise: 'unsaid',
    label: 'TELLS',
    about:
      'all when the question is answered, also by showing that it rests on something the text denies; part when only a part of it or a step towards it is; nothing when what was read does not tell, also when you are sure that the text does not say it',
    required: false,
  },
  missing: field(
    'list',
    'MISSING',
    'a short question for something that has to be looked up elsewhere in the text to complete the answer; it stands by itself, with names instead of "it"; none when the answer tells all',
  ),
} as const satisfies Readonly<Record<string, Field>>;

/** The completeness as a reply gives it. */
interface Said {
  readonly tells: Tells | 'unsaid';
  readonly missing: readonly string[];
}

/** Returns the completeness that a reply says; what is missing from a whole answer is nothing. */
export function completenessOf({ tells, missing }: Said): Completeness {
  if (tells === 'unsaid') return { tells: missing.length > 0 ? 'part' : null, missing };
  return { tells, missing: tells === 'all' ? [] : missing };
}
