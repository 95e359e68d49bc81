import type { ReadClaim } from '../../support/counterparts.ts';
import { namesOf } from '../../support/names.ts';
import type { Fault } from '../rule.ts';
import { compareNames, type NameEvidence } from './name-places.ts';
import { placeOdds } from './weights.ts';

/** Names with lower odds are in each other's place, as a logarithm; chosen on claims of WiCE. */
const leastOdds = -1.25;

/** Finds two names of the claim that the evidence has in each other's place: who bought whom. */
export function namesInPlace({ text, near }: Pick<ReadClaim, 'text' | 'near'>, evidence: NameEvidence): Fault | null {
  const known = new Set(near.flatMap((sentence) => namesOf(sentence.text)));
  let worst: Fault | null = null;
  let least = leastOdds;
  for (const { one, other, signs } of compareNames(text, known, evidence)) {
    const odds = placeOdds(signs);
    if (odds >= least) continue;
    least = odds;
    worst = { verdict: 'contradicted', reason: `the passage has ${one} and ${other} in each other's place` };
  }
  return worst;
}
