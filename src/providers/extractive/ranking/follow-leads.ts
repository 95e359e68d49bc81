import { needsSign } from '../question/answer-type.ts';
import type { ClauseQuery } from '../question/query.ts';
import { saysUnknown } from '../question/unknowns.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import type { Candidate } from './candidate.ts';

const behindLead = 0.01;

/**
 * Passes the score of a lead-in, which is no answer itself, on to the sentences that it introduces, the first one
 * best. A list stays below its lead-in.
 */
export function followLeads(
  rated: readonly Candidate[],
  query: ClauseQuery,
  { sentences, leads }: SentenceIndex,
): Candidate[] {
  const best = new Map(rated.map((candidate) => [candidate.index, candidate]));
  const leading = rated.filter(({ index }) => leads.has(index)).sort((one, other) => other.score - one.score);
  for (const lead of leading) {
    const { kind, members } = leads.get(lead.index)!;
    best.set(lead.index, { ...lead, also: kind === 'list' ? members : [] });
    if (kind === 'list' || (kind === 'text' && lead.sentence.kind === 'code' && needsSign(query))) continue;
    for (const [place, index] of members.entries()) {
      const score = lead.score - behindLead * place;
      if (score > (best.get(index)?.score ?? 0))
        best.set(index, { ...lead, index, sentence: sentences[index]!, score });
    }
    best.delete(lead.index);
  }
  return [...best.values()].filter(
    ({ sentence, also }) => also.length > 0 || query.intents.has('unknown') || !saysUnknown(sentence),
  );
}
