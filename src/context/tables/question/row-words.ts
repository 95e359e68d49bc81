import { stemsOf } from '../cells/names.ts';
import type { Profile } from '../profile.ts';

/** Names of rows in any table. */
const rowWords = ['row', 'record', 'entri', 'item'];
const mostHeadingCharacters = 200;
/** Matches the end of the noun in a heading: the words after it qualify the rows. */
const endOfNoun =
  /[,:;.(–—]|\s(?:-|of|in|for|by|with|from|to|on|at|per|after|before|that|which|who|when|where|and how)\s/i;
/** Matches headings that describe an action instead of things. */
const noNoun = /^(?:how|what|why|when|where|who|which|if|is|are|do|does|can|should)\b/i;

const nounsOf = (name: string): readonly string[] =>
  stemsOf(name).filter((word) => !/^\d+$/.test(word) && word.length > 2);

/** Returns the nouns of a heading: deploys and changes for `Deploys and configuration changes, 17 March`. */
function nounsOfHeading(heading: string): readonly string[] {
  const text = heading.slice(0, mostHeadingCharacters);
  if (noNoun.test(text)) return [];
  const [noun = ''] = text.split(endOfNoun, 1);
  return noun.split(/\s+and\s+/i).flatMap((part) => nounsOf(part).slice(-1));
}

/**
 * Returns the stems of words for the rows of a table: from its name, the heading above it, and the general words for
 * rows.
 */
export function rowStems({ table: { name, heading } }: Pick<Profile, 'table'>): ReadonlySet<string> {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return new Set([...rowWords, ...nounsOf(base), ...nounsOfHeading(heading ?? '')]);
}

/** Returns the stems of all words in the heading above a table, which describe its rows and columns. */
export const headingStems = ({ table: { heading } }: Pick<Profile, 'table'>): ReadonlySet<string> =>
  new Set(nounsOf((heading ?? '').slice(0, mostHeadingCharacters)));
