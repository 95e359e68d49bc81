/** How probable the first token of a reply was, and others in its place. */
import type { TokenOdds } from '../provider.ts';
import type { LlamaModel, LlamaSequence, Token } from './interface.ts';

type LikelyToken = TokenOdds['alternatives'][number];

/** Likely tokens that are reported, at most. */
const mostAlternatives = 20;

/**
 * Reads the last token of a prompt, and returns the likeliest tokens to follow it, before temperature and grammar.
 * @param sequence has read the prompt but for `last`.
 */
export async function likelyNext(sequence: LlamaSequence, model: LlamaModel, last: Token): Promise<LikelyToken[]> {
  const wanted = { logits: { filter: { includeTop: mostAlternatives } }, totalLogitWeight: true } as const;
  const [output] = await sequence.controlledEvaluate([[last, { generateNext: wanted }]]);
  const { logits, totalLogitWeight } = output?.next ?? {};
  if (logits === undefined || totalLogitWeight === undefined) return [];
  const highest = Math.max(...logits.values());
  // The package's weight is the sum of exp(logit - highest).
  const logOfAll = highest + Math.log(totalLogitWeight);
  return [...logits].map(([token, logit]) => ({ token: model.detokenize([token]), logprob: logit - logOfAll }));
}

/** The odds of a reply's tokens: of the first with its alternatives; the rest is one token without. */
export function oddsOf(reply: string, likely: readonly LikelyToken[]): TokenOdds[] {
  const first = likely.find(({ token }) => token !== '' && reply.startsWith(token));
  if (first === undefined) return [];
  return [
    { ...first, alternatives: likely },
    { token: reply.slice(first.token.length), logprob: 0, alternatives: [] },
  ];
}
