/** Renders the tables and the picture of a measurement. */
import { readFileSync } from 'node:fs';
import { grouped } from '../../src/base/text.ts';
import { comparisonRows, percent } from '../../src/eval/report/render.ts';
import type { Evaluation } from '../../src/eval/run/evaluate.ts';
import type { SampleOutcome } from '../../src/eval/run/evaluation-journal.ts';
import { accuracyOf, compareArms } from '../../src/eval/summary/summarise.ts';
import type { Markup } from '../../src/report/html/markup.ts';
import { type BarGroup, barsMarkup } from '../../src/report/html/plot.ts';
import { markdownTable } from '../../src/report/markdown.ts';
import { costOf, type Price } from '../../src/run/door/prices.ts';
import { countCitations } from './citations.ts';
import { beyondOnePassage, confidencesOf, type Goal } from './goals.ts';
import { kindOf } from './measure.ts';
import { kinds, type Texts } from './question.ts';

type Rows = readonly (readonly string[])[];

const tableText = (rows: Rows): string => `${markdownTable(rows).join('\n')}\n\n`;

/** Reads the price of a model in prices.json. Throws for a model that is not listed. */
function priceOf(model: string): Price {
  const file = new URL('../../prices.json', import.meta.url);
  const { usdPerMillionTokens } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly usdPerMillionTokens: Readonly<Record<string, Price>>;
  };
  const price = usdPerMillionTokens[model];
  if (price === undefined) throw new Error(`prices.json has no price of ${model}`);
  return price;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const outcomesOf = ({ outcomes }: Evaluation, arm: string) => outcomes.filter((one) => one.arm === arm);
const two = (value: number | null): string => value?.toFixed(2) ?? '–';

const rightOf = (own: readonly SampleOutcome[]): string =>
  `${sum(own.map(({ score }) => score.lenient))
    .toFixed(1)
    .replace(/\.0$/, '')} of ${own.length}`;

function armRow(
  name: string,
  own: readonly SampleOutcome[],
  texts: Texts,
  prices: readonly Price[],
): readonly string[] {
  const { accuracy, interval } = accuracyOf(own);
  const { auroc, error, ofRight } = confidencesOf(own);
  const { ofText, leading, computed } = countCitations(own, texts);
  const tokens = { input: sum(own.map((one) => one.tokens.input)), output: sum(own.map((one) => one.tokens.output)) };
  return [
    name,
    rightOf(own),
    `${percent(accuracy)} (${percent(interval.low)}–${percent(interval.high)})`,
    String(sum(own.map(({ calls }) => calls))),
    grouped(tokens.input),
    grouped(tokens.output),
    ...prices.map((price) => `$${sum(own.map((one) => costOf(one.tokens, price))).toFixed(2)}`),
    two(auroc),
    two(error),
    ofRight?.toFixed(0) ?? '–',
    ofText + computed === 0 ? '–' : `${leading} of ${ofText}, ${computed} computed`,
  ];
}

/** Returns the table of arms. */
export function armTable(evaluation: Evaluation, texts: Texts, models: readonly string[]): string {
  const prices = models.map(priceOf);
  const head = ['arm', 'right', '% (95 %)', 'calls', 'tokens in', 'out', ...models.map((name) => `at ${name}`)];
  const rows = evaluation.arms.map(({ name }) => armRow(name, outcomesOf(evaluation, name), texts, prices));
  return tableText([[...head, 'AUROC', 'cal. error', 'mean of right', 'citations that lead to their words'], ...rows]);
}

/** Returns the table of right answers by kind. */
export function kindTable(evaluation: Evaluation): string {
  const kind = new Map(evaluation.samples.map((sample) => [sample.id, kindOf(sample)]));
  const names = evaluation.arms.map(({ name }) => name);
  const cell = (one: string, arm: string) => {
    const own = outcomesOf(evaluation, arm).filter(({ sample }) => kind.get(sample) === one);
    return own.length === 0 ? '–' : rightOf(own);
  };
  const rows: Rows = kinds.map((one) => [one, ...names.map((arm) => cell(one, arm))]);
  return tableText([['right', ...names], ...rows]);
}

/** Returns the paired differences of `auto` and each other arm. */
export function differenceTable(evaluation: Evaluation): string {
  const byId = new Map(evaluation.samples.map((sample) => [sample.id, sample]));
  const byArm = new Map(evaluation.arms.map(({ name }) => [name, outcomesOf(evaluation, name)]));
  if (!byArm.has('auto')) return '';
  const others = [...byArm.keys()].filter((name) => name !== 'auto');
  const comparisons = others.flatMap((name) => compareArms('auto', name, byArm, byId) ?? []);
  return tableText(comparisonRows({ comparisons }));
}

/** Returns the table of goals. */
export function goalTable(goals: readonly Goal[]): string {
  const said = ({ isReached }: Goal) => (isReached === null ? '–' : isReached ? 'reached' : 'not reached');
  return tableText([
    ['', 'goal', 'found', ''],
    ...goals.map((goal) => [goal.about, goal.goal, goal.found, said(goal)]),
  ]);
}

const shownGroups: readonly (readonly [string, readonly string[]])[] = [
  ['all questions', kinds],
  ['look-ups', ['look-up']],
  ['beyond one passage', beyondOnePassage],
  ['not in the text', ['absent']],
];

/** Draws the arms that answered all questions. */
export function picture(evaluation: Evaluation): Markup | null {
  const kind = new Map(evaluation.samples.map((sample) => [sample.id, kindOf(sample)]));
  const whole = evaluation.arms.filter(({ name }) => outcomesOf(evaluation, name).length === evaluation.samples.length);
  const groups = shownGroups.map(([name, some]): BarGroup => {
    const bars = whole.map((arm) => {
      const own = outcomesOf(evaluation, arm.name).filter(({ sample }) => some.includes(kind.get(sample)!));
      const { accuracy: share, interval, n } = accuracyOf(own);
      return { name: arm.name, share, ...interval, n, title: `${arm.name}, ${name}: ${percent(share)} % of ${n}` };
    });
    return { name, bars: bars.filter(({ n }) => n > 0) };
  });
  return barsMarkup(groups.filter(({ bars }) => bars.length > 0));
}
