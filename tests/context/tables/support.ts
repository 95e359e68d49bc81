import { createContextStore } from '../../../src/context/store/store.ts';
import { computeAnswers, type TableAnswer } from '../../../src/context/tables/answer-tables.ts';
import type { TableResult } from '../../../src/context/tables/compute.ts';

type Texts = Readonly<Record<string, string | Uint8Array>>;

export const storeOf = (texts: Texts) =>
  createContextStore(Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text as string) })));

/** The readings of a question, the most likely one first. */
export function compute(question: string, texts: Texts): Promise<readonly TableAnswer[]> {
  const store = storeOf(texts);
  return computeAnswers(store, question, [...store.documents.keys()], new AbortController().signal);
}

/** What is understood, in a line: `sum amount where customer by month of date, most first 3`. */
export function shownQuery({ tables }: TableResult): string {
  const { query, profile } = tables[0]!;
  const { aggregate, column, filters, group, ranking } = query;
  const name = (index: number) => profile.columns[index]!.name;
  const values = filters.map((one) => {
    if (one.kind === 'is') return `${name(one.column)} ${one.isNot ? 'not ' : ''}${one.values.join('|')}`;
    if (one.kind === 'number') return `${name(one.column)} ${one.is} ${one.than.units}/${one.than.scale}${one.unit}`;
    return `${name(one.column)} ${one.says}`;
  });
  return [
    aggregate,
    ...(column === null ? [] : [name(column)]),
    ...(values.length === 0 ? [] : [`where ${values.join(' & ')}`]),
    ...(group === null ? [] : [`by ${group.part === null ? '' : `${group.part} of `}${name(group.column)}`]),
    ...(ranking === null ? [] : [ranking.order, ...(ranking.limit === null ? [] : [String(ranking.limit)])]),
  ].join(' ');
}
