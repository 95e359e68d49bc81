/**
 * `npm run fit:evidence -- --data ../shared/data`: fits the weights in src/evidence/support/weights.ts on WiCE, and
 * measures them by cross-validation and on a split by articles, compared with the share of words. Then it fits the
 * weights for swapped names and for values in forms, and measures the match of quotes on squad2 and MuSiQue. With
 * `--pictures docs/pictures` it also draws the reliability diagrams of the match into that folder.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oddsOf } from '../src/evidence/support/weights.ts';
import { crossValidated, fitCurve, heads, measured, showCurve, toExample } from './fitting/evidence.ts';
import { printFields } from './fitting/fields.ts';
import { printNames } from './fitting/names.ts';
import { reportQuotes } from './fitting/quotes.ts';
import { readWice } from './fitting/wice.ts';

const { values } = parseArgs({
  options: { data: { type: 'string', default: '../shared/data' }, pictures: { type: 'string' } },
});
const data = resolve(values.data);

if (existsSync(resolve(data, 'wice'))) {
  const examples = readWice(data).map(toExample);
  const articles = [...new Set(examples.map(({ article }) => article))];
  const isOwn = new Set(articles.filter((_, place) => place % 2 === 0));
  const own = examples.filter(({ article }) => isOwn.has(article));
  const held = examples.filter(({ article }) => !isOwn.has(article));
  console.log(`WiCE: ${examples.length} claims of ${articles.length} articles`);
  for (const head of heads) {
    const right = examples.map(head.isRight);
    const curve = fitCurve(head, own);
    console.log(`${head.name}: shipped  ${showCurve(head.shipped)}`);
    console.log(`  refitted         ${showCurve(fitCurve(head, examples))}`);
    console.log(`  cross-validated  ${measured(crossValidated(head, examples), right)}`);
    const heldScores = held.map(({ signals }) => oddsOf(curve, signals));
    console.log(`  own split        ${measured(heldScores, held.map(head.isRight))} (fitted on ${own.length})`);
    const words = examples.map((one) => one.words);
    console.log(`  share of words   ${measured(words, right)}`);
  }
  printNames(data);
  await printFields(data);
  await reportQuotes(data, values.pictures);
} else {
  console.log(`Skipped: ${data} has no wice/ to fit on; name the folder with --data.`);
}
