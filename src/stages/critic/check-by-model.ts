import { isForgivable } from '../../errors.ts';
import type { Run } from '../../run/run.ts';
import { fitInTurns } from '../../run/text/fit-passages.ts';
import type { Citation, Claim, Passage } from '../../state.ts';

/** Claims of an answer that are checked, at most, with one call each. */
export const mostChecked = 8;

/** Support for a YES or a NO where the model returns no token probabilities. */
const sureYes = 0.9;
const sureNo = 0.1;

/**
 * Whether a model's check can change the verdict: not where the text contains the claim verbatim, nor where a rule
 * found a contradiction.
 */
const isOpen = ({ verdict, support }: Claim): boolean =>
  verdict !== 'contradicted' && !(verdict === 'supported' && support === 1);

function judged(claim: Claim, isYes: boolean, probability: number | null): Claim {
  const support = Math.round(100 * (probability ?? (isYes ? sureYes : sureNo))) / 100;
  if (support >= 0.5) return { ...claim, support, verdict: 'supported', reason: null };
  return {
    ...claim,
    support,
    verdict: 'unsupported',
    reason: 'the checking model says that the passages do not support it',
  };
}

/** Returns the passages that a claim cites, or all that were read where it cites none, as far as they fit. */
function passagesFor(
  { citations: numbers }: Claim,
  citations: readonly Citation[],
  passages: readonly Passage[],
  run: Run,
) {
  const ids = new Set(citations.flatMap(({ number, passage }) => (numbers.includes(number) ? [passage] : [])));
  const own = passages.filter(({ id }) => ids.has(id));
  return fitInTurns([own.length > 0 ? own : passages], run.models.roomFor('check', 'critic'));
}

/**
 * Asks a model about each of the first eight claims whether its passages support it, one call each. A claim whose call
 * fails keeps the verdict by its words.
 * @throws RlmError a limit, an interruption, or a failure of the provider.
 */
export async function checkByModel(
  question: string,
  claims: readonly Claim[],
  citations: readonly Citation[],
  passages: readonly Passage[],
  run: Run,
): Promise<Claim[]> {
  const open = new Set(claims.filter(isOpen).slice(0, Math.min(mostChecked, run.budget.callsLeft('ordinary'))));
  const checking = claims.map(async (claim, at) => {
    if (!open.has(claim)) return claim;
    const variables = { claim: claim.text, question, passages: passagesFor(claim, citations, passages, run) };
    try {
      const place = { path: 'critic', share: 'ordinary', part: `claim-${at + 1}` } as const;
      const { verdict, probability } = await run.ask('check', variables, place);
      return judged(claim, verdict === 'YES', probability);
    } catch (error) {
      if (!isForgivable(error)) throw error;
      run.events.warn(`a claim was not checked by the model: ${error.message}`);
      return claim;
    }
  });
  return Promise.all(checking);
}
