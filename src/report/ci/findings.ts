/** Findings for code reviews: claims at the lines that they cite. All formats in this folder use them. */
import { createHash } from 'node:crypto';
import type { Citation } from '../../state.ts';
import { type AnswerClaim, claimsOf, type Verdict, verdictAbout } from '../claims.ts';
import { visible } from '../html/markup.ts';
import type { ReportRun } from '../run.ts';

/** The severity of a finding. */
export type Level = 'error' | 'warning' | 'note';

const levels: Readonly<Record<Verdict, Level>> = {
  supported: 'note',
  cited: 'note',
  uncited: 'note',
  unchecked: 'note',
  partial: 'warning',
  unsupported: 'error',
  contradicted: 'error',
};

/** A claim of an answer, with the lines that it cites. */
export interface Finding {
  readonly verdict: Verdict;
  readonly level: Level;
  readonly text: string;
  /** The cited lines. */
  readonly places: readonly Citation[];
  /** Equal for the same claim with the same citations in another run. */
  readonly fingerprint: string;
}

const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);

function findingOf(claim: AnswerClaim, places: readonly Citation[]): Finding {
  const { verdict, reason } = claim;
  const words = visible(claim.text.replace(/\s*\[\d+\]/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
  const isChecked = verdict !== 'cited' && verdict !== 'uncited';
  const text = isChecked ? `${words} (${verdict}: ${visible(reason ?? verdictAbout[verdict])})` : words;
  const fingerprint = hashOf([words, ...places.map(({ source, hash }) => `${source} ${hash}`)]);
  return { verdict, level: levels[verdict], text, places, fingerprint };
}

const rank: Readonly<Record<Level, number>> = { error: 0, warning: 1, note: 2 };

/** Returns the checked claims of an answer, or its sentences with citations, the most severe first. */
export function findingsOf({ result }: ReportRun): Finding[] {
  const byNumber = new Map(result.citations.map((citation) => [citation.number, citation]));
  return claimsOf(result)
    .filter(({ verdict }) => verdict !== 'uncited')
    .map((claim) =>
      findingOf(
        claim,
        claim.citations.flatMap((number) => byNumber.get(number) ?? []),
      ),
    )
    .sort((a, b) => rank[a.level] - rank[b.level]);
}
