/** Measures how well the match of quotes separates right from wrong on questions that it was not fitted on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, casesOf, holds, readArticles, readMusique, strayCases } from './cases.ts';
import { measured } from './evidence.ts';
import { answerOf } from './extractive.ts';
import { auroc, calibrationError } from './logit.ts';
import { type ReliabilityBin, reliabilityBins, renderReliability } from './reliability.ts';

/** A set of questions that the match was not fitted on. */
interface QuestionSet {
  readonly title: string;
  /** The name of its picture, without the extension. */
  readonly name: string;
  readonly cases: readonly Case[];
}

/** The predicted share, the observed share, and the number of questions of each bin. */
const showBins = (bins: readonly ReliabilityBin[]): string =>
  bins.map(({ said, right, questions }) => `${points(said)}→${points(right)} (${questions})`).join('  ');

const points = (share: number): string => (100 * share).toFixed(0);

/** Without the zero before the point, as in docs/confidence.md. */
const share = (value: number): string => value.toFixed(3).replace(/^0/, '');

function reportSet({ title, name, cases }: QuestionSet, pictures: string | undefined): void {
  const answers = cases.map((one) => ({ ...answerOf(one), answers: one.answers }));
  const right = answers.map(({ lines, answers: known }) => lines.length > 0 && holds(lines[0]!, known));
  const said = answers.map(({ match }) => match);
  const bins = reliabilityBins(said, right);
  console.log(`${title}: ${cases.length} questions, ${right.filter(Boolean).length} first lines right`);
  console.log(`  match  ${measured(said, right)}`);
  console.log(`  predicted→observed  ${showBins(bins)}`);
  if (pictures === undefined) return;
  const [tells, errs] = [share(auroc(said, right)), share(calibrationError(said, right))];
  const figures = `${cases.length.toLocaleString('en')} questions, AUROC ${tells}, calibration error ${errs}`;
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, `reliability-${name}.svg`), renderReliability({ title, figures, bins }));
}

/**
 * Prints how the shipped match does on articles that it was not fitted on, and on MuSiQue.
 * @param pictures folder for a reliability diagram of each as SVG; undefined: none is drawn.
 */
export async function reportQuotes(data: string, pictures: string | undefined): Promise<void> {
  const [own, held] = [readArticles(data, 'fitted'), readArticles(data, 'held out')];
  const cases = await casesOf(held, [...own, ...held]);
  const withOthers = [...cases, ...(await strayCases(held))];
  reportSet({ title: 'squad2, held-out articles', name: 'squad2', cases }, pictures);
  reportSet({ title: 'squad2, with questions on something else', name: 'something-else', cases: withOthers }, pictures);
  reportSet({ title: 'MuSiQue', name: 'musique', cases: (await readMusique(data)).cases }, pictures);
}
