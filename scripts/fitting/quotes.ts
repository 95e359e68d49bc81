/** Fits how likely a quote holds the answer, and measures that beside the provider's own match. */

import { type QuoteSignals, readQuoteSignals } from '../../src/evidence/quoted/signals.ts';
import { quoteWeights, rightOf } from '../../src/evidence/quoted/weights.ts';
import { answerFromPassages } from '../../src/providers/extractive/prompts/answer.ts';
import { type Case, casesOf, holds, readArticles, readMusique, strayCases } from './cases.ts';
import { measured } from './evidence.ts';
import { answerOf } from './extractive.ts';
import { fitOdds } from './logit.ts';

interface QuoteCase {
  readonly match: number;
  /** Null where nothing was quoted. */
  readonly signals: QuoteSignals | null;
  readonly isRight: boolean;
}

const names = (Object.keys(quoteWeights) as (keyof typeof quoteWeights)[]).filter((name) => name !== 'constant');

function toQuoteCase(one: Case): QuoteCase {
  const { question, passages, answers } = one;
  const { lines, match } = answerOf(one);
  const [first] = answerFromPassages({ question, passages, known: [], criteria: [] }).citations;
  const signals = first === undefined ? null : readQuoteSignals(question, match, first, passages);
  return { match, signals, isRight: lines.length > 0 && holds(lines[0]!, answers) };
}

function fitQuotes(cases: readonly QuoteCase[]): number[] {
  const examples = cases.flatMap(({ signals, isRight }) =>
    signals === null ? [] : [{ values: names.map((name) => signals[name]), isRight }],
  );
  return fitOdds(examples, names.length);
}

const ten = 10;

/** A reliability diagram in lines: what was said, what was so, and of how many. */
function diagram(said: readonly number[], right: readonly boolean[]): string {
  const bins = Array.from({ length: ten }, (_, bin) =>
    said.flatMap((one, place) =>
      Math.min(ten - 1, Math.floor(one * ten)) === bin ? [{ one, isRight: right[place]! }] : [],
    ),
  );
  const shown = bins.flatMap((part) => {
    if (part.length === 0) return [];
    const mean = part.reduce((sum, { one }) => sum + one, 0) / part.length;
    const so = part.filter(({ isRight }) => isRight).length / part.length;
    return [`${(100 * mean).toFixed(0)}→${(100 * so).toFixed(0)} (${part.length})`];
  });
  return shown.join('  ');
}

function printCases(name: string, cases: readonly QuoteCase[]): void {
  const right = cases.map(({ isRight }) => isRight);
  const said = cases.map(({ signals }) => (signals === null ? 0 : rightOf(signals)));
  console.log(`${name}: ${cases.length} questions, ${right.filter(Boolean).length} first lines right`);
  console.log(`  confidence  ${measured(said, right)}`);
  console.log(
    `  match       ${measured(
      cases.map(({ match }) => match),
      right,
    )}`,
  );
  console.log(`  said→so     ${diagram(said, right)}`);
}

/** Fits on half of the articles and of MuSiQue, and prints what the shipped weights reach on the other half. */
export async function printQuotes(data: string): Promise<void> {
  const [own, held] = [readArticles(data, 'fitted'), readArticles(data, 'held out')];
  const all = [...own, ...held];
  const [fitted, others] = [await casesOf(own, all), await casesOf(held, all)].map((cases) => cases.map(toQuoteCase));
  const [strays, otherStrays] = [await strayCases(own), await strayCases(held)].map((cases) => cases.map(toQuoteCase));
  const musique = (await readMusique(data)).cases.map(toQuoteCase);
  const even = musique.filter((_, place) => place % 2 === 0);
  const weights = fitQuotes([...fitted!, ...strays!, ...even]);
  const show = (values: readonly number[]) =>
    ['constant', ...names].map((name, at) => `${name} ${values[at]!.toFixed(2)}`).join('  ');
  console.log(`quotes: shipped  ${show([quoteWeights.constant, ...names.map((name) => quoteWeights[name])])}`);
  console.log(`        refitted ${show(weights)}`);
  printCases('squad2, held out', others!);
  printCases('the same with questions on something else', [...others!, ...otherStrays!]);
  printCases(
    'MuSiQue, the half not fitted on',
    musique.filter((_, place) => place % 2 === 1),
  );
}
