import { stemsOf } from '../cells/names.ts';
import type { Profile } from '../profile.ts';

/** What rows are called in any table. */
const rowWords = ['row', 'record', 'entri', 'item'];
const mostHeadingCharacters = 200;
/** What stands behind one of these, or behind a comma, says more of the rows, and not what they are. */
const endOfNoun =
  /[,:;.(–—]|\s(?:-|of|in|for|by|with|from|to|on|at|per|after|before|that|which|who|when|where|and how)\s/i;
/** A heading that begins like this says what is done, and not what there is. */
const noNoun = /^(?:how|what|why|when|where|who|which|if|is|are|do|does|can|should)\b/i;

const nounsOf = (name: string): readonly string[] =>
  stemsOf(name).filter((word) => !/^\d+$/.test(word) && word.length > 2);

/** `Deploys and configuration changes, 17 March` are deploys and changes. */
function nounsOfHeading(heading: string): readonly string[] {
  const text = heading.slice(0, mostHeadingCharacters);
  if (noNoun.test(text)) return [];
  const [noun = ''] = text.split(endOfNoun, 1);
  return noun.split(/\s+and\s+/i).flatMap((part) => nounsOf(part).slice(-1));
}

/**
 * Words that stand for the rows of a table, without endings: what its name says, the heading above it, and what a row
 * is called.
 */
export function rowStems({ table: { name, heading } }: Pick<Profile, 'table'>): ReadonlySet<string> {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return new Set([...rowWords, ...nounsOf(base), ...nounsOfHeading(heading ?? '')]);
}

/** All words of the heading above a table, without endings: they say of what its rows and columns are. */
export const headingStems = ({ table: { heading } }: Pick<Profile, 'table'>): ReadonlySet<string> =>
  new Set(nounsOf((heading ?? '').slice(0, mostHeadingCharacters)));
