/** Fits the weights by which swapped names are noticed, on true claims. */
import { compareNames } from '../../src/evidence/rules/names/name-places.ts';
import { type PlaceSigns, placeOdds, placeSigns, placeWeights } from '../../src/evidence/rules/names/weights.ts';
import { readClaim } from '../../src/evidence/support/counterparts.ts';
import { readEvidence } from '../../src/evidence/support/evidence-text.ts';
import { namesOf } from '../../src/evidence/support/names.ts';
import { isInHalf, retoldSentences, type SupportedClaim } from '../evidence/claims.ts';
import { fitOdds } from './logit.ts';
import { readWice } from './wice.ts';

function pairsOf({ text, passages }: SupportedClaim): PlaceSigns[] {
  const evidence = readEvidence(passages);
  const known = new Set(readClaim(text, evidence).near.flatMap((sentence) => namesOf(sentence.text)));
  return compareNames(text, known, evidence, Number.POSITIVE_INFINITY).map(({ signs }) => signs);
}

/** Returns claims of WiCE without those of the bench's test half and their articles. */
function wiceClaims(data: string): SupportedClaim[] {
  const all = readWice(data);
  const supported = all.filter(({ label }) => label === 'supported');
  const held = new Set(supported.filter((_, place) => isInHalf(place, 'test')).map(({ article }) => article));
  return all
    .filter(({ label, article }) => label !== 'not_supported' && !held.has(article))
    .map(({ claim, passages }) => ({ text: claim, passages }));
}

/** Fits the weights again on all pairs of names, each once in its order and once exchanged. */
export function printNames(data: string): void {
  const pairs = [...wiceClaims(data), ...retoldSentences(data, 'dev')].flatMap(pairsOf);
  const examples = pairs.flatMap((signs) => {
    const values = placeSigns.map((sign) => signs[sign]);
    return [
      { values, isRight: true },
      { values: values.map((value) => -value), isRight: false },
    ];
  });
  const [, ...weights] = fitOdds(examples, placeSigns.length);
  const right = pairs.filter((signs) => placeOdds(signs) > 0).length / pairs.length;
  console.log(`Names: ${pairs.length} pairs, ${right.toFixed(3)} of them more likely in their own order`);
  console.log(`  shipped   ${placeSigns.map((sign) => `${sign} ${placeWeights[sign]}`).join('  ')}`);
  console.log(`  refitted  ${placeSigns.map((sign, place) => `${sign} ${weights[place]!.toFixed(2)}`).join('  ')}`);
}
