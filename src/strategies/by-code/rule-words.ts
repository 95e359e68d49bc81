import { showDecimal } from '../../context/tables/cells/decimal.ts';
import type { TableQuery } from '../../context/tables/compute.ts';
import type { Aggregate, Comparison, Filter } from '../../context/tables/query.ts';

/** Returns the name of a column for an answer. */
export const nameOf = ({ profile }: TableQuery, column: number): string => profile.columns[column]!.name;

const comparisons: Readonly<Record<Comparison, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '=': 'exactly',
};

const mostValues = 8;

function listOf(values: readonly string[]): string {
  const unique = [...new Map(values.map((value) => [value.toLowerCase(), value])).values()];
  const shown = unique.slice(0, mostValues).map((value) => `“${value}”`);
  const more = unique.length - shown.length;
  return `${shown.join(' or ')}${more > 0 ? ` or ${more} more` : ''}`;
}

function filterWords(asked: TableQuery, filter: Filter): string {
  const name = nameOf(asked, filter.column);
  if (filter.kind === 'is') return `${name} is ${filter.isNot ? 'not ' : ''}${listOf(filter.values)}`;
  if (filter.kind === 'number')
    return `${name} is ${comparisons[filter.is]} ${showDecimal(filter.than)}${filter.unit === '' ? '' : ` ${filter.unit}`}`;
  const year = filter.kind === 'month' ? ' of any year' : '';
  return `${name} is ${filter.says}${year}`;
}

/** Describes the counted rows: `rows in which customer is “Acme”`, `all rows`. */
export function rowsWords(asked: TableQuery): string {
  const { filters } = asked.query;
  if (filters.length === 0) return 'all rows';
  return `rows in which ${filters.map((filter) => filterWords(asked, filter)).join(' and ')}`;
}

/** Names of aggregates, to precede the name of a column. */
const aggregateWords: Readonly<Record<Aggregate, string>> = {
  count: 'number of rows',
  distinct: 'number of different values of',
  sum: 'total of',
  mean: 'mean of',
  min: 'lowest',
  max: 'highest',
};

/** Describes what is computed: `total of amount`, `number of rows`. */
export function whatWords(asked: TableQuery): string {
  const { aggregate, column } = asked.query;
  const isMoment = column !== null && /day|clock/.test(asked.profile.columns[column]!.kind);
  if (isMoment && aggregate !== 'distinct')
    return `${aggregate === 'max' ? 'latest' : 'earliest'} ${nameOf(asked, column)}`;
  return column === null ? aggregateWords[aggregate] : `${aggregateWords[aggregate]} ${nameOf(asked, column)}`;
}

/** Describes the grouping: `by customer`, `by month of date`; empty without groups. */
export function groupWords(asked: TableQuery): string {
  const { group } = asked.query;
  if (group === null) return '';
  return ` by ${group.part === null ? '' : `${group.part} of `}${nameOf(asked, group.column)}`;
}
