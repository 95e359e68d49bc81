/** The tables of a report, which all of its forms show. */
import { grouped, money } from '../../base/text.ts';
import type { EvaluationReport } from './evaluation-report.ts';

/** Returns provider and model, or one of them where they are the same. */
export const shownModel = (model: EvaluationReport['asked'][number]['model']): string =>
  model === null ? 'recordings' : [...new Set([model.provider, model.model])].join(' ');

/** Formats a share in percent. */
export const percent = (share: number | null): string => (share === null ? '–' : String(Math.round(share * 100)));

/** Formats a difference in signed percentage points. */
const signed = (share: number): string => {
  const points = Math.round(share * 100);
  return points > 0 ? `+${points}` : String(points).replace('-', '−');
};

export const shownMoney = (usd: number | null): string => (usd === null ? '?' : usd === 0 ? '0' : money(usd));

const seconds = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));

/** Shortens untrusted text to one line. */
export function onOneLine(text: string, longest: number): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

const pValue = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));

type Rows = readonly (readonly string[])[];

const heads = ['arm', 'right %', '95 %', 'strict', 'failed', 'calls', 'tokens', 's', 'cost', 'conf. error'];

/**
 * Returns the table of arms: accuracy with its interval, strict score, cost, and the calibration error of confidences.
 */
function armRows({ arms, baseline }: EvaluationReport): Rows {
  const rows = arms.map((arm) => {
    const { interval, calibration } = arm;
    const tokens = arm.tokens.input + arm.tokens.output;
    return [
      arm.name + (arm.name === baseline && arms.length > 1 ? ' (baseline)' : ''),
      percent(arm.n === 0 ? null : arm.accuracy),
      arm.n === 0 ? '–' : `${percent(interval.low)}–${percent(interval.high)}`,
      percent(arm.n === 0 ? null : arm.strict),
      `${arm.failed}/${arm.n}`,
      grouped(arm.calls),
      grouped(tokens),
      seconds(arm.seconds),
      shownMoney(arm.cost),
      percent(calibration.error),
    ];
  });
  return [heads, ...rows];
}

/** Returns the table of comparisons with the baseline. */
export function comparisonRows({ comparisons }: Pick<EvaluationReport, 'comparisons'>): Rows {
  const rows = comparisons.map(({ arm, baseline, difference, low, high, p, wins, losses, ties, strict }) => [
    `${arm} − ${baseline}`,
    signed(difference),
    `${signed(low)} to ${signed(high)}`,
    pValue(p),
    `${wins}/${losses}/${ties}`,
    signed(strict.difference),
  ]);
  return [['pairs', 'points', '95 %', 'p', 'won/lost/same', 'strict'], ...rows];
}

/** Returns the table of calibrations; empty where no arm has confidences. */
function confidenceRows({ arms }: EvaluationReport): Rows {
  const known = arms.filter(({ calibration }) => calibration.n > 0);
  if (known.length === 0) return [];
  const rows = known.map(({ name, calibration: { n, unknown, bias, error, auroc, aurc, riskAt } }) => [
    name,
    String(n),
    percent(unknown),
    bias === null ? '–' : signed(bias),
    percent(error),
    auroc === null ? '–' : auroc.toFixed(2),
    aurc === null ? '–' : aurc.toFixed(2),
    riskAt.map(({ risk }) => percent(risk)).join(' / '),
  ]);
  const heads = ['confidence', 'n', 'unknown %', 'bias', 'error', 'AUROC', 'AURC', 'wrong % at ¼ / ½ / ¾ / all'];
  return [heads, ...rows];
}

/** Returns the table of the judge's verdicts; empty without a judge. */
function judgeRows({ arms, judge }: EvaluationReport): Rows {
  const rows = arms.flatMap(({ name, judged }) =>
    judged === null
      ? []
      : [[name, String(judged.n), percent(judged.accuracy), percent(judged.agreed), judged.kappa?.toFixed(2) ?? '–']],
  );
  return rows.length === 0 ? [] : [[`judge ${judge}`, 'n', 'right %', 'agrees %', 'kappa'], ...rows];
}

/** Returns the table of groups of samples: their size, and each arm's accuracy. */
function groupRows({ groups, arms }: EvaluationReport): Rows {
  if (groups.length === 0) return [];
  const rows = groups.map(({ by, name, arms: shares }) => [
    `${by} ${onOneLine(name, 30)}`,
    ...arms.map((arm) => {
      const share = shares.find((one) => one.name === arm.name);
      return share === undefined ? '–' : `${percent(share.accuracy)} (${share.n})`;
    }),
  ]);
  return [['right % (n)', ...arms.map(({ name }) => name)], ...rows];
}

/** A table, with its head as the first row. */
export interface ReportTable {
  readonly name: string;
  readonly rows: Rows;
}

/** Returns the tables that have rows. */
export const tablesOf = (report: EvaluationReport): readonly ReportTable[] =>
  [
    { name: 'Arms', rows: armRows(report) },
    { name: 'Comparisons', rows: comparisonRows(report) },
    { name: 'Confidence', rows: confidenceRows(report) },
    { name: 'Judge', rows: judgeRows(report) },
    { name: 'Parts', rows: groupRows(report) },
  ].filter(({ rows }) => rows.length > 1);

/**
 * Returns the table of the worst cases.
 * @param longest of a cell, in characters.
 */
export function worstTable({ worst }: EvaluationReport, longest: number): ReportTable {
  const rows = worst.map(({ sample, arm, score, baseline, question, wanted, answer, error, runId }) =>
    [
      sample,
      `${arm} ${percent(score)}${baseline === null ? '' : `, baseline ${percent(baseline)}`}`,
      question,
      wanted,
      answer ?? `failed: ${error}`,
      runId === null ? '' : `rlm runs show ${runId}`,
    ].map((cell) => onOneLine(cell, longest)),
  );
  return { name: 'Worst cases', rows: [['sample', 'arm', 'question', 'wanted', 'got', 'run'], ...rows] };
}
