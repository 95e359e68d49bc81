/**
 * `npm run bench:retrieval -- --data ../shared/data [--embedding-model NAME] [--large]`: measures retrieval on public
 * test sets and trees of code, the gain of each choice in it, and its cost. Parameters were chosen with all queries of
 * both sets in view, and no query was held out: the columns `odd` and `even` show whether the halves agree. Only the
 * fusion of words and meaning was chosen on half of each set. Without an embedding model, measurements with vectors
 * are left out.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { printFusions } from './retrieval/fusions.ts';
import { printHops } from './retrieval/hops.ts';
import { vectorsOf } from './retrieval/meanings.ts';
import { printRankings } from './retrieval/rankings.ts';
import { printSpeed } from './retrieval/speed.ts';
import { readCranfield, readMusique, readSquad } from './retrieval/test-sets.ts';
import { printTrees } from './retrieval/trees.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    'embedding-model': { type: 'string' },
    large: { type: 'boolean', default: false },
  },
});
const data = resolve(values.data);

const model = values['embedding-model'];
const vectors = model === undefined ? null : await vectorsOf(model);

if (['cranfield', 'musique'].every((name) => existsSync(resolve(data, name)))) {
  const [cranfield, musique] = await Promise.all([readCranfield(data), readMusique(data)]);
  await printRankings(cranfield, musique);
  if (vectors === null) console.log('\nSkipped: words and meaning; name a model with --embedding-model.');
  else await printFusions({ cranfield, musique, squad2: await readSquad(data) }, vectors);
  await printHops(musique);
} else {
  console.log(`Skipped: ${data} has no cranfield/ and musique/ to measure on; name the folder with --data.`);
}

await printTrees(vectors);

const sizes = [{ bytes: 19_000_000, rounds: 5 }];
if (values.large) sizes.push({ bytes: 100_000_000, rounds: 3 });
await printSpeed(sizes);
