/**
 * `npm run bench:evidence -- [--half dev] [--data ../shared/data]`: how often a true claim loses its verdict or 20
 * points of support when one thing in it is made wrong, compared with the share of words. Developers may look at the
 * `dev` half while they improve rules.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Half, paraphrased, retoldSentences, type SupportedClaim } from './evidence/claims.ts';
import { articlePairs, noticed } from './evidence/contradictions.ts';
import { fallsOf, flagged, measures } from './evidence/falls.ts';
import { ownPairs } from './evidence/pairs.ts';

const { values } = parseArgs({
  options: { half: { type: 'string', default: 'test' }, data: { type: 'string', default: '../shared/data' } },
});
const data = resolve(values.data);
const half: Half = values.half === 'dev' ? 'dev' : 'test';

function printFalls(name: string, claims: readonly SupportedClaim[]): void {
  console.log(
    `${name}: ${claims.length} true claims; a rule reports an error in ${flagged(claims).toFixed(2)} of them`,
  );
  for (const [measure, of] of Object.entries(measures)) {
    const shown = [...fallsOf(claims, of)].map(
      ([change, [share, count]]) => `${change} ${share.toFixed(2)} of ${count}`,
    );
    console.log(`  ${measure.padEnd(15)} ${shown.join('  ')}`);
  }
}

if (existsSync(resolve(data, 'wice')) && existsSync(resolve(data, 'squad2'))) {
  printFalls(`squad2, sentences retold, ${half}`, retoldSentences(data, half));
  printFalls(`WiCE, supported, ${half}`, paraphrased(data, half));
  console.log(['Contradictions, our own pairs', ...noticed(ownPairs())].join('\n'));
  console.log([`Contradictions, squad2, ${half}`, ...noticed(articlePairs(data, half))].join('\n'));
} else {
  console.log(`Skipped: ${data} has no wice/ and squad2/; name the folder with --data.`);
}
