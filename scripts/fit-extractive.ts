/**
 * `npm run fit:extractive -- --data ../shared/data`: fits the weights of src/providers/extractive/features.ts again on
 * half of the articles of `squad2`, and measures the shipped weights on the other half and on MuSiQue. The baselines
 * quote the best sentence, or the two best, by BM25. With `--check`, only fits, and exits with 1 if a shipped weight is
 * not the fitted one.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bytesOf } from '../src/context/text-size.ts';
import { compressPassages } from '../src/providers/compress-passages.ts';
import { matchWeights, rankWeights } from '../src/providers/extractive/features.ts';
import { type Case, casesOf, holds, readArticles, readMusique, strayCases } from './fitting/cases.ts';
import {
  answerOf,
  createSimpleQuoter,
  features,
  fitMatch,
  fitRank,
  matchFeatures,
  readCase,
} from './fitting/extractive.ts';
import { auroc, calibrationError } from './fitting/logit.ts';
import { mean } from './retrieval/measures.ts';

const { values } = parseArgs({
  options: { data: { type: 'string', default: '../shared/data' }, check: { type: 'boolean', default: false } },
});
const data = resolve(values.data);

const shown = (names: readonly string[], weights: readonly number[]): string =>
  names.map((name, place) => `${name} ${weights[place]!.toFixed(2)}`).join('  ');

function printQuotes(name: string, cases: readonly Case[], texts: readonly string[]): void {
  const simple = createSimpleQuoter(texts);
  const asked = cases.filter(({ answers }) => answers.length > 0);
  const share = (isRight: (one: Case) => boolean) => (asked.filter(isRight).length / asked.length).toFixed(3);
  const answers = new Map(asked.map((one) => [one, answerOf(one).lines]));
  const length = [...answers.values()].reduce((sum, lines) => sum + lines.join('\n').length, 0) / asked.length;
  const simply = new Map(asked.map((one) => [one, simple(one.question, 2)]));
  const simpleLength = [...simply.values()].reduce((sum, lines) => sum + lines.join('\n').length, 0) / asked.length;
  console.log(`${name}: ${asked.length} answerable questions`);
  console.log(
    `  first line ${share((one) => holds(answers.get(one)![0] ?? '', one.answers))}`,
    `whole answer ${share((one) => holds(answers.get(one)!.join('\n'), one.answers))}`,
    `first 350 characters ${share((one) => holds(answers.get(one)!.join('\n').slice(0, 350), one.answers))}`,
    `length ${length.toFixed(0)}  not found ${share((one) => answers.get(one)!.length === 0)}`,
  );
  console.log(
    `  BM25: best sentence ${share((one) => holds(simply.get(one)![0]!, one.answers))}`,
    `two best ${share((one) => holds(simply.get(one)!.join('\n'), one.answers))}  length ${simpleLength.toFixed(0)}`,
  );
  printCompressed(cases);
}

/**
 * Measures how often the excerpts for a model hold the answer, compared with whole passages of the same total length.
 */
function printCompressed(cases: readonly Case[]): void {
  const asked = cases.filter(({ answers }) => answers.length > 0);
  const share = (read: (one: Case) => string) =>
    mean(asked.map((one) => Number(holds(read(one), one.answers)))).toFixed(3);
  for (const tokens of [200, 400, 800, 1_000, 2_000]) {
    const bytes = bytesOf(tokens);
    const compressed = ({ question, passages }: Case) =>
      compressPassages(question, passages, tokens)
        .map(({ text }) => text)
        .join('\n');
    const whole = ({ passages }: Case) =>
      passages
        .map(({ text }) => text)
        .join('\n')
        .slice(0, bytes);
    console.log(`  in ${tokens} tokens for a model: compressed ${share(compressed)}  whole passages ${share(whole)}`);
  }
}

function printMatch(name: string, cases: readonly Case[]): void {
  const answers = cases.map((one) => {
    const { lines, match } = answerOf(one);
    return { match, isRight: holds(lines[0] ?? '', one.answers), isFound: lines.length > 0 };
  });
  const said = answers.map(({ match }) => match);
  const right = answers.map(({ isRight }) => isRight);
  const found = answers.filter(({ isFound }) => isFound).length / answers.length;
  console.log(
    `${name}: ${cases.length} questions, ${(100 * found).toFixed(0)} % answered; match: AUROC`,
    `${auroc(said, right).toFixed(3)}  calibration error ${calibrationError(said, right).toFixed(3)}`,
    `highest ${Math.max(...said).toFixed(2)}`,
  );
}

const mostApart = 0.1;

/** Fits on the first half of the articles, and prints the shipped weights with the fitted ones. */
function printWeights(readings: ReturnType<typeof readCase>[], stray: ReturnType<typeof readCase>[]): void {
  const names = ['constant', ...matchFeatures] as const;
  const fits = [
    { of: 'rank', names: features, shipped: features.map((name) => rankWeights[name]), fitted: fitRank(readings) },
    {
      ...{ of: 'match', names, shipped: names.map((name) => matchWeights[name]) },
      fitted: fitMatch([...readings, ...stray]),
    },
  ];
  for (const { of, names: own, shipped, fitted } of fits) {
    console.log(`${of.padEnd(8)} shipped  ${shown(own, shipped)}`);
    console.log(`         refitted ${shown(own, fitted)}`);
    if (values.check && shipped.some((weight, at) => Math.abs(weight - fitted[at]!) >= mostApart)) {
      console.error(`${of}: a shipped weight differs from the fitted one by ${mostApart} or more`);
      process.exitCode = 1;
    }
  }
}

if (existsSync(resolve(data, 'squad2'))) {
  const [fitted, held] = [readArticles(data, 'fitted'), readArticles(data, 'held out')];
  const everything = [...fitted, ...held];
  const own = await casesOf(fitted, everything);
  printWeights(own.map(readCase), (await strayCases(fitted)).map(readCase));
  if (!values.check) {
    const textsOf = (of: typeof fitted) => of.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text));
    const [others, otherStray] = [await casesOf(held, everything), await strayCases(held)];
    printQuotes('squad2, fitted', own, textsOf(everything));
    printQuotes('squad2, held out', others, textsOf(everything));
    printMatch('squad2, held out', others);
    printMatch('the same, with questions about other articles', [...others, ...otherStray]);
    const stray = otherStray.filter((one) => answerOf(one).lines.length > 0).length / otherStray.length;
    console.log(`  of the questions about other articles, ${(100 * stray).toFixed(0)} % are answered`);
    if (existsSync(resolve(data, 'musique'))) {
      const musique = await readMusique(data);
      printQuotes('MuSiQue', musique.cases, musique.texts);
    }
  }
} else {
  console.log(`Skipped: ${data} has no squad2/ to fit on; name the folder with --data.`);
}
