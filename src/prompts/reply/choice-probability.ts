import type { Field, Fields } from './fields.ts';

/** A candidate token at a position of a reply, with the natural logarithm of its probability. */
interface LikelyToken {
  readonly token: string;
  readonly logprob: number;
}

/** A token of a reply, and the likeliest candidates at its position. The candidates may include the token. */
export interface TokenOdds extends LikelyToken {
  readonly alternatives: readonly LikelyToken[];
}

export interface ChoiceOption {
  readonly field: string;
  readonly option: string;
}

/**
 * A server lists only the likeliest candidates. If the unlisted options may have more than this share of the
 * probability, no probability is returned.
 */
const mostDoubt = 0.05;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Returns the offset of the field's value, which follows the last occurrence of the field's name or label. If there is
 * neither, returns the offset of the first letter. Null if there is no letter, or if a brace or a colon precedes it.
 */
function valueStart(text: string, name: string, { label }: Field): number | null {
  const key = new RegExp(`"${escaped(name)}"\\s{0,20}:\\s{0,20}"`, 'g');
  const labelled = new RegExp(`^[^\\w\\n]{0,20}${escaped(label)}[^\\w\\n:]{0,8}:[^\\w\\n]{0,8}`, 'gim');
  const last = [...text.matchAll(key)].at(-1) ?? [...text.matchAll(labelled)].at(-1);
  if (last) return last.index + last[0].length;
  const first = text.search(/\p{L}/u);
  return first < 0 || /[{:]/.test(text.slice(0, first)) ? null : first;
}

function tokenAt(tokens: readonly TokenOdds[], place: number) {
  let start = 0;
  for (const token of tokens) {
    const end = start + token.token.length;
    if (place < end) return { token, skip: place - start };
    start = end;
  }
  return null;
}

function optionBegunBy(text: string, options: readonly string[]): string | null {
  const begun = text.toUpperCase();
  const isBegun = (whole: string) => begun !== '' && (whole.startsWith(begun) || begun.startsWith(whole));
  const [found = null, ...others] = options.filter((option) => isBegun(option.toUpperCase()));
  return others.length === 0 ? found : null;
}

const candidatesOf = ({ token, logprob, alternatives }: TokenOdds): readonly LikelyToken[] =>
  alternatives.some((other) => other.token === token) ? alternatives : [...alternatives, { token, logprob }];

/**
 * Returns the share of an option in the probability of all options, 0–1. Computes it from the candidates for the first
 * token of the field's value. Returns null if the candidates do not determine the share.
 */
export function choiceProbability(
  fields: Fields,
  { field, option }: ChoiceOption,
  tokens: readonly TokenOdds[],
): number | null {
  const choice = fields[field];
  if (choice?.kind !== 'choice') return null;
  const start = valueStart(tokens.map(({ token }) => token).join(''), field, choice);
  const found = start === null ? null : tokenAt(tokens, start);
  if (found === null || found.token.alternatives.length === 0) return null;
  const before = found.token.token.slice(0, found.skip);
  const weights = new Map<string, number>();
  for (const { token, logprob } of candidatesOf(found.token)) {
    const begun = token.startsWith(before) ? optionBegunBy(token.slice(found.skip), choice.options) : null;
    if (begun !== null) weights.set(begun, (weights.get(begun) ?? 0) + Math.exp(logprob));
  }
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const least = Math.exp(Math.min(...found.token.alternatives.map(({ logprob }) => logprob)));
  const untold = (choice.options.length - weights.size) * least;
  return all > 0 && untold / (all + untold) <= mostDoubt ? (weights.get(option) ?? 0) / all : null;
}
