/**
 * Writes texts and forty questions for able models into a folder, reads them back, and prints a table of the
 * questions. Prints targets of the test half only with --show-test.
 *
 *   tsx scripts/able/make.ts DIR [--seed 7] [--show-test]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { readSamples } from '../../src/eval/samples/read-samples.ts';
import { wanted } from './question.ts';
import { makeSuite } from './suite.ts';
import { writeSuite } from './write-suite.ts';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '7' }, 'show-test': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder to write to: tsx scripts/able/make.ts DIR');

const suite = makeSuite(Number(values.seed));
const { texts, questions } = suite;
const list = writeSuite(suite, folder);

const written = new Map([...texts.keys()].map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
const kilobytes = (path: string) =>
  Math.round(
    [...written].reduce((sum, [name, text]) => sum + (name.startsWith(path) ? Buffer.byteLength(text) : 0), 0) / 1000,
  );
for (const one of questions) {
  const again = one.check(written);
  if (!isDeepStrictEqual(again, wanted(one))) throw new Error(`${one.id}: the texts say ${JSON.stringify(again)}`);
  const target = one.half === 'test' && !values['show-test'] ? '…' : JSON.stringify(one.gold);
  const sizes = one.paths.map((path) => `${path} ${kilobytes(path)} kB`).join(', ');
  console.log(`${one.id.padEnd(11)} ${one.half.padEnd(5)} ${sizes.padEnd(28)} ${target}`);
}
console.log(`\n${readSamples(list).length} questions: ${list}`);
