import type { PassedBy } from './walk.ts';

const kinds: readonly (readonly [Exclude<keyof PassedBy, 'isCut'>, string])[] = [
  ['ignored', 'that ignore files name'],
  ['secret', 'that commonly hold secrets'],
  ['hidden', 'whose names begin with a dot (a glob such as .* asks for them)'],
  ['links', 'that are links'],
  ['special', 'that are no regular files'],
  ['unreadable', 'that cannot be read'],
];

/** Describes what a walk passed by; empty when that is nothing. */
export function passedByNotes(passedBy: PassedBy): string[] {
  const parts = kinds.filter(([key]) => passedBy[key] > 0).map(([key, words]) => `${passedBy[key]} ${words}`);
  const notes = parts.length === 0 ? [] : [`Passed by: ${parts.join(', ')}`];
  return passedBy.isCut ? [...notes, 'There are more files than can be gone through: name a folder'] : notes;
}
