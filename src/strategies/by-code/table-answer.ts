import { listed } from '../../base/counted.ts';
import type { ContextStore } from '../../context/document.ts';
import type { TableAnswer } from '../../context/tables/answer-tables.ts';
import { divide, showDecimal } from '../../context/tables/cells/decimal.ts';
import type { GroupResult, RowPlace, TableQuery, TableResult } from '../../context/tables/compute.ts';
import { withoutMarks } from '../../evidence/marks.ts';
import { type CodeAnswer, exampleOf, showCount, showExample, showMany } from './code-answer.ts';
import { groupWords, nameOf, rowsWords, whatWords } from './rule-words.ts';

const mostExamples = 5;
const mostGroups = 50;
const mostDocuments = 20;
/** Further groups that are shown where only the first is asked for. */
const nextGroups = 4;

const withUnit = (number: string, unit: string): string => {
  if (unit === '') return number;
  return /^[$€£¥₹]$/.test(unit) ? `${unit}${number}` : `${number}${unit === '%' ? '' : ' '}${unit}`;
};

/** Formats the result of a group. */
function showValue({ rows, sum, unit, distinct, extremes }: GroupResult, { query }: TableQuery): string {
  if (query.aggregate === 'count') return showCount(rows);
  if (query.aggregate === 'distinct') return showCount(distinct);
  if (rows === 0) return 'nothing';
  if (query.aggregate === 'sum') return withUnit(showDecimal(sum), unit);
  if (query.aggregate !== 'mean') return extremes[0]!.cell;
  const { quotient, isExact } = divide(sum, rows);
  return `${isExact ? '' : 'about '}${withUnit(showDecimal(quotient), unit)}`;
}

const first = ({ tables }: TableResult): TableQuery => tables[0]!;

/** Says how many rows a number is computed from. */
const overRows = (rows: number): string => `over ${showMany(rows, 'row')}`;

function resultWords(group: GroupResult, asked: TableQuery): string {
  const value = showValue(group, asked);
  const { aggregate, ranking } = asked.query;
  const what = whatWords(asked);
  if (aggregate === 'count') return `${showMany(group.rows, 'row')} counted`;
  if (aggregate === 'distinct')
    return `${value} different values of ${nameOf(asked, asked.query.column!)}, in ${showMany(group.rows, 'row')}`;
  if (group.rows === 0) return `No row has a value to tell the ${what}`;
  if (aggregate === 'sum') return `${value} is the ${what}, ${overRows(group.rows)}`;
  if (aggregate === 'mean')
    return `${value} is the ${what}, ${overRows(group.rows)} (their total is ${withUnit(showDecimal(group.sum), group.unit)})`;
  const { ties, extremes } = group;
  if (ranking !== null) return `The ${showCount(extremes.length)} rows with the ${what}, ${overRows(group.rows)}`;
  const label = extremes[0]!.label;
  const row = label === null || label === value ? '' : `: ${withoutMarks(label.replace(/\s+/g, ' '))}`;
  return `${value} is the ${what}, ${overRows(group.rows)}${row}${ties > 1 ? `; ${showCount(ties)} rows have it` : ''}`;
}

const keyWords = ({ key }: GroupResult): string => withoutMarks(key!.replace(/\s+/g, ' '));

function groupLine(group: GroupResult, asked: TableQuery): string {
  const isCount = asked.query.aggregate === 'count';
  return `${keyWords(group)}: ${showValue(group, asked)}${isCount ? '' : ` (${showMany(group.rows, 'row')})`}`;
}

/** Writes the results of groups, one per line. */
function groupLines(result: TableResult): string[] {
  const asked = first(result);
  const { groups } = result;
  const { ranking } = asked.query;
  const what = `${whatWords(asked)}${groupWords(asked)}`;
  if (groups.length === 0) return [`No row counts, so there is no ${what}.`];
  const limit = ranking?.limit ?? mostGroups;
  const shown = groups.slice(0, Math.min(limit, mostGroups));
  const side = ranking?.order === 'least first' ? 'lowest' : 'highest';
  if (limit === 1) {
    const [top, ...rest] = groups;
    const alike = rest.filter((one) => showValue(one, asked) === showValue(top!, asked));
    const ties = alike.length > 0 ? ` The same: ${alike.slice(0, nextGroups).map(keyWords).join(', ')}.` : '';
    const next = rest.slice(alike.length, alike.length + nextGroups).map((one) => groupLine(one, asked));
    return [
      `${groupLine(top!, asked)}. That is the ${side} ${what}, of ${showMany(groups.length, 'group')}.${ties}`,
      ...(next.length > 0 ? [`Then: ${next.join('; ')}.`] : []),
    ];
  }
  const more = groups.length - shown.length;
  const head =
    ranking === null || ranking.limit === null
      ? ''
      : `, the ${side} ${showCount(shown.length)} of ${showMany(groups.length, 'group')}`;
  return [
    `The ${what}${head}:`,
    ...shown.map((group) => `- ${groupLine(group, asked)}`),
    ...(more > 0 && head === '' ? [`- … and ${showMany(more, 'more group')}`] : []),
  ];
}

function leftOutLine({ leftOut }: TableResult): string[] {
  if (leftOut.length === 0) return [];
  const parts = leftOut.map(({ rows, why, example }) => {
    const such = example === null ? '' : ` (such as “${withoutMarks(example.slice(0, 40))}”)`;
    return `${showMany(rows, 'row')} ${why}${such}`;
  });
  return [`Left out: ${parts.join(', ')}.`];
}

function documentLine({ byDocument }: TableResult, { documents }: ContextStore): string {
  const ranked = [...byDocument].sort(([, a], [, b]) => b - a);
  const shown = ranked
    .slice(0, mostDocuments)
    .map(([document, rows]) => `${withoutMarks(documents[document]!.name)} ${showCount(rows)}`);
  return `Rows by document: ${listed(shown, byDocument.size - shown.length, 'document')}.`;
}

const resultLines = (result: TableResult): string[] =>
  first(result).query.group === null
    ? result.groups.map((group) => `${resultWords(group, first(result))}.`)
    : groupLines(result);

const shownOtherwise = 3;

/** Writes the result of a reading that is not the answer, in a line. */
function shortWords(result: TableResult): string {
  const asked = first(result);
  const [line] = resultLines(result);
  const isList = line!.endsWith(':');
  const groups = isList ? result.groups.slice(0, shownOtherwise).map((group) => groupLine(group, asked)) : [];
  return `${[line!.replace(/\.$/, ''), groups.join('; ')].filter(Boolean).join(' ')} (${rowsWords(asked)})`;
}

/** Lists other readings with other results. */
export function otherTables(readings: readonly TableAnswer[], told: readonly TableAnswer[]): string[] {
  const known = new Set(told.map(({ result }) => resultLines(result).join('\n')));
  return readings.flatMap(({ result }) => {
    const key = resultLines(result).join('\n');
    if (known.has(key)) return [];
    known.add(key);
    return [`Read otherwise: ${shortWords(result)}.`];
  });
}

function examplesOf(result: TableResult): readonly RowPlace[] {
  const { aggregate, group, ranking } = first(result).query;
  if (group === null && (aggregate === 'min' || aggregate === 'max')) {
    const most = Math.max(mostExamples, ranking?.limit ?? 0);
    return result.groups.flatMap(({ extremes }) => extremes.map(({ place }) => place)).slice(0, Math.min(20, most));
  }
  const shown = result.groups.slice(0, ranking?.limit ?? mostExamples);
  const each = Math.max(1, Math.floor(mostExamples / Math.max(1, shown.length)));
  return shown.flatMap(({ first: places }) => places.slice(0, each)).slice(0, mostExamples);
}

/** Says how many documents the computation left out, if any. */
function asideLine({ tables }: TableResult, { documents }: ContextStore): string[] {
  const others = documents.length - new Set(tables.map(({ profile }) => profile.table.document)).size;
  return others > 0 ? [`Not computed with: ${showMany(others, 'other document')}.`] : [];
}

/** Writes the answer from the computed readings of a question about tables. */
export function answerByTables(readings: readonly TableAnswer[], store: ContextStore): CodeAnswer {
  const [chosen] = readings;
  const { result, certainty, assumes, unused } = chosen!;
  const asked = first(result);
  const examples = examplesOf(result).map((place) => exampleOf(place, store));
  const counted = result.groups.reduce((sum, { rows }) => sum + rows, 0);
  const isSome = examples.length < counted;
  const others = otherTables(readings.slice(1), [chosen!]);
  const taken = assumes === null ? '' : ` Each row is taken for one of the “${withoutMarks(assumes)}”.`;
  const left = unused.map((word) => `“${withoutMarks(word)}”`).join(' and ');
  const leaves = left === '' ? '' : ` Not used, as no column or value explains it: ${left}.`;
  const answer = [
    ...resultLines(result),
    `Rule: the ${whatWords(asked)}${groupWords(asked)}, of ${rowsWords(asked)}; ${showMany(result.rowsSeen, 'row')} read by code.${taken}${leaves}`,
    documentLine(result, store),
    ...leftOutLine(result),
    ...asideLine(result, store),
    ...others,
    ...(examples.length > 0 ? [isSome ? 'Some of the rows:' : 'They are:'] : []),
    ...examples.map(showExample),
  ].join('\n');
  return { answer, examples, certainty };
}
