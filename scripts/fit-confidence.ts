/**
 * Fits the confidence on labelled answers of real models (scripts/confidence/answers.jsonl). One half of the texts is
 * used for the fit, the other for the figures. Prints a section for docs/confidence.md; --write stores the weights.
 *
 *   npm run fit:confidence [-- --write]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { confidenceKindOf, featuresOf, type Signals } from '../src/evidence/confidence.ts';
import { confidenceWeights } from '../src/evidence/confidence-weights.ts';
import type { StoredSignals } from './confidence/signals.ts';
import { auroc, calibrationError, fitOdds, sigmoid } from './fitting/logit.ts';

interface Row {
  readonly group: 'able' | 'small';
  readonly id: string;
  readonly half: 'fitted' | 'held out';
  readonly isChecked: boolean;
  readonly right: boolean;
  readonly signals: StoredSignals;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const rows: readonly Row[] = readFileSync(here('confidence/answers.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

type Kind = keyof typeof confidenceWeights;

/** Restores only the fields that the features read. */
const toSignals = ({ claims, citations, ...rest }: StoredSignals, group: Row['group']): Signals => ({
  ...rest,
  isSmall: group === 'small',
  claims: claims.map(({ hasReason, ...claim }) => ({
    ...claim,
    text: '',
    start: 0,
    end: 0,
    reason: hasReason ? 'a reason' : null,
  })),
  citations: Array.from({ length: citations }) as unknown as Signals['citations'],
});

const namesOf = (kind: Kind): string[] => Object.keys(confidenceWeights[kind]).filter((name) => name !== 'constant');
/** A kind with fewer examples for the fit keeps its weights. */
const fewest = 8;
const isGiven = ({ citations, tells }: Signals): boolean => citations.length > 0 || tells === 'nothing';

const read = rows
  .map((row) => ({ ...row, signals: toSignals(row.signals, row.group) }))
  .filter(({ signals }) => isGiven(signals))
  .map((row) => ({ ...row, kind: confidenceKindOf(row.signals), features: featuresOf(row.signals) }));

/** Features that may only lower the confidence; all others may only raise it. */
const against = new Set(['faults', 'tellsPart']);

/**
 * Fits the weights of a kind. With few examples and correlated features, a weight may get the wrong sign. Such features
 * are left out (0), the worst first.
 */
function fitKind(kind: Kind, left = new Set<string>()): Readonly<Record<string, number>> {
  const names = namesOf(kind).filter((name) => !left.has(name));
  const examples = read
    .filter((row) => row.kind === kind && row.half === 'fitted')
    .map(({ features, right }) => ({ values: names.map((name) => features[name]!), isRight: right }));
  if (examples.length < fewest) return confidenceWeights[kind];
  const [constant = 0, ...weights] = fitOdds(examples, names.length).map((one) => Math.round(100 * one) / 100);
  const wrong = names
    .map((name, at) => ({ name, by: against.has(name) ? weights[at]! : -weights[at]! }))
    .reduce((most, one) => (one.by > most.by ? one : most), { name: '', by: 0 });
  if (wrong.name !== '') return fitKind(kind, new Set([...left, wrong.name]));
  const byName = new Map(names.map((name, at) => [name, weights[at]!]));
  return { constant, ...Object.fromEntries(namesOf(kind).map((name) => [name, byName.get(name) ?? 0])) };
}

const kinds = Object.keys(confidenceWeights) as Kind[];
const fitted = Object.fromEntries(kinds.map((kind) => [kind, fitKind(kind)])) as Record<
  Kind,
  Readonly<Record<string, number>>
>;

const confidenceOf = ({ kind, features }: (typeof read)[number]): number => {
  const { constant = 0, ...weights } = fitted[kind];
  return sigmoid(Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * features[name]!, constant));
};

const two = (value: number): string => (Number.isFinite(value) ? value.toFixed(3).replace(/^0/, '') : '–');

function report(title: string, isOf: (row: (typeof read)[number]) => boolean): string {
  const held = read.filter((row) => row.half === 'held out' && isOf(row));
  if (held.length === 0) return `| ${title} | 0 | | | | |`;
  const said = held.map(confidenceOf);
  const right = held.map((row) => row.right);
  const meanOf = (wanted: boolean) => {
    const own = said.filter((_, at) => right[at] === wanted);
    return own.length === 0 ? '–' : String(Math.round((100 * own.reduce((sum, one) => sum + one, 0)) / own.length));
  };
  const share = Math.round((100 * right.filter(Boolean).length) / right.length);
  const error = held.length < 20 ? '–' : two(calibrationError(said, right));
  return `| ${title} | ${held.length} | ${share} % | ${two(auroc(said, right))} | ${error} | ${meanOf(true)}, ${meanOf(false)} |`;
}

console.log(
  '| answers of the half that was held out | number | right | AUROC | calibration error | mean of right, wrong |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
console.log(report('able, all', (row) => row.group === 'able'));
console.log(report('able, checked by code', (row) => row.group === 'able' && !row.isChecked));
console.log(report('able, judged by the critic', (row) => row.group === 'able' && row.isChecked));
console.log(report('small', (row) => row.group === 'small'));
for (const kind of kinds) {
  const own = read.filter((row) => row.kind === kind);
  console.log(
    `${kind}: ${own.length} answers, ${own.filter(({ right }) => right).length} right; ${JSON.stringify(fitted[kind])}`,
  );
}

if (process.argv.includes('--write')) {
  const table = kinds.map((kind) => `  ${kind}: ${JSON.stringify(fitted[kind])},`).join('\n');
  const text = `/** Weights of a logistic function for each kind of answer, fitted by \`npm run fit:confidence\`. */\nexport const confidenceWeights = {\n${table}\n} as const;\n`;
  writeFileSync(here('../src/evidence/confidence-weights.ts'), text);
}
