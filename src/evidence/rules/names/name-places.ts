import { terms as termsOf } from '../../../context/words/terms.ts';
import type { EvidenceSentence } from '../../support/evidence-text.ts';
import { findMentions, type Mention, mentionsIn } from './mentions.ts';
import { type PlaceSigns, placeSigns } from './weights.ts';

/** Sentences that names are looked up in, with how much each term tells. */
export interface NameEvidence {
  readonly sentences: readonly EvidenceSentence[];
  having(term: string): readonly number[];
  rarity(term: string): number;
}

/** Two names of a claim, and how much better each fits its own place. */
interface NamePair {
  readonly one: string;
  readonly other: string;
  readonly signs: PlaceSigns;
}

/** The mentions of a name in the evidence, and the numbers of their sentences. */
interface Sightings {
  readonly mentions: readonly Mention[];
  readonly sentences: ReadonlySet<number>;
}

/** How many names of a claim are compared. */
const mostNames = 40;
/** The share of a name's terms that a mention of it must have: a last name is enough. */
const leastShared = 0.5;

const shareOf = (terms: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...terms].filter((term) => others.has(term)).length / terms.size;

function sight({ terms }: Mention, evidence: NameEvidence): Sightings {
  const numbers = [...new Set([...terms].flatMap((term) => evidence.having(term)))];
  const found = numbers.flatMap((number) =>
    mentionsIn(evidence.sentences[number]!)
      .filter((mention) => shareOf(terms, mention.terms) >= leastShared)
      .map((mention) => ({ mention, number })),
  );
  return { mentions: found.map(({ mention }) => mention), sentences: new Set(found.map(({ number }) => number)) };
}

/** Returns the share of mentions for which something holds; the prior counts as one more mention. */
const smoothed = (mentions: readonly Mention[], holds: (mention: Mention) => boolean, prior: number): number =>
  (mentions.filter(holds).length + prior) / (mentions.length + 1);

const priorOf = { hasArticle: 0.25, isQuoted: 0.1, kind: 0.15 } as const;

/** Returns the logarithm of the share of mentions that agree with a place about an article or quotation marks. */
function agreement(place: Mention, mentions: readonly Mention[], mark: 'hasArticle' | 'isQuoted'): number {
  const share = smoothed(mentions, (mention) => mention[mark], priorOf[mark]);
  return Math.log(place[mark] ? share : 1 - share);
}

/** Counts the terms of one side that a mention has on the same side, the nearest most. */
function commonBeside(place: readonly string[], sides: readonly (readonly string[])[]): number {
  return place.reduce((sum, term, at) => {
    const places = sides.map((side) => side.indexOf(term)).filter((found) => found >= 0);
    return places.length === 0 ? sum : sum + Math.min(1 / (at + 1), 1 / (Math.min(...places) + 1));
  }, 0);
}

function shareTogether(terms: readonly string[], sentences: ReadonlySet<number>, evidence: NameEvidence): number {
  let [found, all] = [0, 0];
  for (const term of terms) {
    const places = evidence.having(term);
    if (places.length === 0) continue;
    all += evidence.rarity(term);
    if (places.some((number) => sentences.has(number))) found += evidence.rarity(term);
  }
  return all === 0 ? 0.5 : found / all;
}

/** Measures how a name fits a place of the claim, by where the evidence has the name. */
function fitOf(seen: Sightings, place: Mention, both: ReadonlySet<string>, evidence: NameEvidence): PlaceSigns {
  const { mentions } = seen;
  const ofVoice = mentions.filter(({ isPassive }) => isPassive === place.isPassive);
  const without = (terms: readonly string[]) => terms.filter((term) => !both.has(term));
  const [left, right] = [without(place.left), without(place.right)];
  const kind = (side: 'before' | 'after') =>
    Math.log(smoothed(ofVoice, (mention) => mention[side] === place[side], priorOf.kind));
  return {
    article: agreement(place, mentions, 'hasArticle'),
    quotes: agreement(place, mentions, 'isQuoted'),
    before: kind('before'),
    after: kind('after'),
    wordBefore: ofVoice.some(({ wordBefore }) => wordBefore === place.wordBefore) ? 1 : 0,
    left: commonBeside(
      left,
      mentions.map((mention) => without(mention.left)),
    ),
    right: commonBeside(
      right,
      mentions.map((mention) => without(mention.right)),
    ),
    together: shareTogether([...left, ...right], seen.sentences, evidence),
    frequent: place.isFirst ? Math.log(1 + mentions.length) : 0,
  };
}

const listed = new Set(['and', 'or', 'the', 'a', 'an']);

/** Whether a claim only lists two names: they may change places without another meaning. */
const areListed = (one: Mention, other: Mention, text: string): boolean =>
  termsOf(text.slice(one.end, other.start)).every((word) => listed.has(word));

function pairOf(one: Mention, other: Mention, text: string, evidence: NameEvidence): NamePair | null {
  if (shareOf(one.terms, other.terms) > 0 || areListed(one, other, text)) return null;
  const [first, second] = [sight(one, evidence), sight(other, evidence)];
  if (first.mentions.length === 0 || second.mentions.length === 0) return null;
  const both = new Set([...one.terms, ...other.terms]);
  const own = [fitOf(first, one, both, evidence), fitOf(second, other, both, evidence)] as const;
  const swapped = [fitOf(second, one, both, evidence), fitOf(first, other, both, evidence)] as const;
  const gain = (sign: keyof PlaceSigns) => own[0][sign] + own[1][sign] - swapped[0][sign] - swapped[1][sign];
  const signs = Object.fromEntries(placeSigns.map((sign) => [sign, gain(sign)]));
  return { one: one.name, other: other.name, signs: signs as Record<keyof PlaceSigns, number> };
}

/**
 * Compares two names of a claim with how the evidence has them, for each two that follow each other. Names that are
 * only listed and names that the evidence does not have are left out.
 * @param farthest how many names apart the two may stand.
 */
export function compareNames(
  text: string,
  known: ReadonlySet<string>,
  evidence: NameEvidence,
  farthest = 1,
): NamePair[] {
  const names = findMentions(text, known).slice(0, mostNames);
  return names.flatMap((one, at) =>
    names.slice(at + 1, at + 1 + farthest).flatMap((other) => pairOf(one, other, text, evidence) ?? []),
  );
}
