import { detached } from '../../base/memo.ts';
import type { Pacer } from '../../base/pacer.ts';
import { type DayOrder, needsDayOrder, readDay, tellDayOrder } from './cells/days.ts';
import { readClock } from './cells/moments.ts';
import { folded, stemsOf } from './cells/names.ts';
import { type DecimalMark, readAmount, tellMark } from './cells/numbers.ts';
import type { Table } from './rows/recognise.ts';
import { isBroken } from './rows/row.ts';

/** What a column holds. */
export interface TableColumn {
  readonly index: number;
  readonly name: string;
  /** number, day or clock (a time without its day) where nearly all filled cells can be read as one. */
  readonly kind: 'number' | 'day' | 'clock' | 'text';
  readonly filled: number;
  readonly mark: DecimalMark;
  /** Units in cells, the first few; '' for none. */
  readonly units: readonly string[];
  readonly dayOrder: DayOrder | null;
  /** Whether all numbers are whole. */
  readonly isWhole: boolean;
  /** Whether every row has a different cell, judged by the first rows. */
  readonly isUnique: boolean;
  /** The cells that mean yes, as written, where the column holds yes and no, or the like; else null. */
  readonly yes: readonly string[] | null;
}

/** Whether a column holds days or times of a day. */
export const isMoment = ({ kind }: TableColumn): boolean => kind === 'day' || kind === 'clock';

/** A cell that matches words of the question. */
interface ValueHit {
  readonly column: number;
  /** The cell as first written. */
  readonly value: string;
  /** How well they match: 3 exactly, 2 apart from case and accents, 1 apart from endings, 0 as a part of the cell. */
  readonly likeness: number;
}

/** What one pass over a table shows. */
export interface Profile {
  readonly table: Table;
  readonly rows: number;
  /** Rows that cannot be read. */
  readonly broken: number;
  readonly columns: readonly TableColumn[];
  /** Matching cells, by phrase of the question. */
  readonly hits: ReadonlyMap<string, readonly ValueHit[]>;
}

/** Distinct cells of a column that are counted, at most. */
const mostDistinct = 20_000;
const mostValueCharacters = 120;
const mostUnits = 5;
const mostHits = 50;
/** Share of the filled cells that decides a column's kind, at least. */
const fewestOfKind = 0.8;
const yesWords = new Set(['true', 'yes', 'y', 't', '1', 'ja', 'x']);
const noWords = new Set(['false', 'no', 'n', 'f', '0', 'nein']);

/** What one cell shows about its column. */
interface CellKind {
  readonly isDotted: boolean;
  readonly isComma: boolean;
  readonly isWhole: boolean;
  readonly unit: string;
  readonly mark: DecimalMark | undefined;
  readonly isDay: boolean;
  readonly isClock: boolean;
  readonly isSlashed: boolean;
  readonly order: DayOrder | undefined;
}

const whole = /^-?\d{1,15}$/;
const wholeNumber: CellKind = {
  isDotted: true,
  isComma: true,
  isWhole: true,
  unit: '',
  mark: undefined,
  isDay: false,
  isClock: false,
  isSlashed: false,
  order: undefined,
};

const cents = /^-?\d{1,12}\.(?:\d\d?|\d{4,6})$/;
const decimal: CellKind = { ...wholeNumber, isComma: false, isWhole: false, mark: '.' };
const words: CellKind = { ...wholeNumber, isDotted: false, isComma: false, isWhole: false };

function kindOfCell(cell: string): CellKind {
  if (whole.test(cell)) return wholeNumber;
  if (cents.test(cell)) return decimal;
  if (!/\d/.test(cell)) return words;
  const [dot, comma] = [readAmount(cell, '.'), readAmount(cell, ',')];
  const isNumber = dot !== null || comma !== null;
  const isDay = !isNumber && (readDay(cell, 'day first') ?? readDay(cell, 'month first')) !== null;
  return {
    isDotted: dot !== null,
    isComma: comma !== null,
    isWhole: dot !== null && dot.value.scale === 0,
    unit: (dot ?? comma)?.unit ?? '',
    mark: isNumber ? tellMark(cell) : undefined,
    isDay,
    isClock: !isNumber && readClock(cell) !== null,
    isSlashed: isDay && needsDayOrder(cell),
    order: isDay ? tellDayOrder(cell) : undefined,
  };
}

/** Creates the counts of a column, filled cell by cell. */
function createColumn(index: number, name: string) {
  const count = { filled: 0, dotted: 0, comma: 0, whole: 0, dots: 0, commas: 0, days: 0, slashed: 0, clocks: 0 };
  const orders = { 'day first': 0, 'month first': 0 };
  const kinds = new Map<string, CellKind>();
  const units = new Set<string>();
  let isUnique = true;

  /** @returns whether the cell may be a new one. */
  function see(cell: string): boolean {
    const known = kinds.get(cell);
    const kind = known ?? kindOfCell(cell);
    const { isDotted, isComma, isWhole, unit, mark, isDay, isClock, isSlashed, order } = kind;
    count.filled++;
    count.dotted += Number(isDotted);
    count.comma += Number(isComma);
    count.whole += Number(isWhole);
    count.dots += Number(mark === '.');
    count.commas += Number(mark === ',');
    count.days += Number(isDay);
    count.clocks += Number(isClock);
    count.slashed += Number(isSlashed);
    if ((isDotted || isComma) && units.size < mostUnits) units.add(unit);
    if (order !== undefined) orders[order]++;
    if (known !== undefined) isUnique = false;
    else if (kinds.size < mostDistinct) kinds.set(detached(cell), kind);
    return known === undefined;
  }

  function dayOrder(): DayOrder | null {
    if (orders['day first'] > 0) return orders['month first'] > 0 ? null : 'day first';
    return orders['month first'] > 0 ? 'month first' : null;
  }

  function kindBy(numbers: number, days: number): TableColumn['kind'] {
    const isOf = (many: number) => count.filled > 0 && many >= count.filled * fewestOfKind;
    if (isOf(numbers)) return 'number';
    return isOf(days) ? 'day' : isOf(count.clocks) ? 'clock' : 'text';
  }

  function column(rows: number): TableColumn {
    const { filled } = count;
    const mark = count.commas > count.dots ? ',' : '.';
    const days = dayOrder() === null ? count.days - count.slashed : count.days;
    return {
      index,
      name,
      kind: kindBy(mark === ',' ? count.comma : count.dotted, days),
      filled,
      mark,
      units: [...units],
      dayOrder: dayOrder(),
      isWhole: count.whole === filled,
      isUnique: isUnique && filled === rows,
      yes: yesOf([...kinds.keys()]),
    };
  }
  return { see, column };
}

function yesOf(cells: readonly string[]): readonly string[] | null {
  const isYesNo = cells.length > 0 && cells.length <= 2;
  if (!isYesNo || !cells.every((cell) => yesWords.has(folded(cell)) || noWords.has(folded(cell)))) return null;
  return cells.filter((cell) => yesWords.has(folded(cell)));
}

/** Characters at the start of a word that its forms have in common. */
const alikeCharacters = 3;

/** Creates a quick test that excludes most cells without a word of the phrases. */
function createHitFilter(phrases: readonly string[]): (cell: string) => boolean {
  const beginnings = phrases
    .flatMap((phrase) => folded(phrase).split(/[^\p{L}\p{N}]+/u))
    .map((word) => word.slice(0, alikeCharacters));
  const isPlain = /^[\x20-\x7e]*$/;
  const pattern = new RegExp([...new Set(beginnings)].filter((one) => one !== '').join('|') || '$^', 'i');
  return (cell) => pattern.test(cell) || !isPlain.test(cell);
}

/** Creates the search for cells that match phrases. */
function createHits(phrases: readonly string[]) {
  const byFolded = new Map<string, string[]>();
  const byStems = new Map<string, string[]>();
  const hits = new Map<string, Map<string, ValueHit>>();
  for (const phrase of phrases) {
    const stems = stemsOf(phrase).join(' ');
    byFolded.set(folded(phrase), [...(byFolded.get(folded(phrase)) ?? []), phrase]);
    if (stems !== '') byStems.set(stems, [...(byStems.get(stems) ?? []), phrase]);
  }
  const single = [...byStems.keys()];
  const mayHit = createHitFilter(phrases);

  function keep(phrase: string, column: number, value: string, likeness: number): void {
    const known = hits.get(phrase) ?? new Map<string, ValueHit>();
    hits.set(phrase, known);
    const key = `${column} ${value}`;
    if (known.size < mostHits && !known.has(key)) known.set(key, { column, value, likeness });
  }

  function see(column: number, cell: string): void {
    if (cell.length > mostValueCharacters || !mayHit(cell)) return;
    const fold = folded(cell);
    const same = byFolded.get(fold);
    for (const phrase of same ?? []) keep(phrase, column, cell, phrase === cell ? 3 : 2);
    const stems = stemsOf(cell).join(' ');
    if (same === undefined) for (const phrase of byStems.get(stems) ?? []) keep(phrase, column, cell, 1);
    const around = ` ${stems} `;
    for (const part of single) {
      if (part.length < stems.length && around.includes(` ${part} `))
        for (const phrase of byStems.get(part)!) keep(phrase, column, cell, 0);
    }
  }
  return { see, hits: () => new Map([...hits].map(([phrase, found]) => [phrase, [...found.values()]])) };
}

/**
 * Reads a table once, and returns what its columns hold and which cells match the phrases of a question. Rejects as
 * `pace` does.
 */
export async function profileTable(table: Table, phrases: readonly string[], pace: Pacer): Promise<Profile> {
  const columns: ReturnType<typeof createColumn>[] = [];
  const found = createHits(phrases);
  const nextColumn = () => columns.push(createColumn(columns.length, table.columns[columns.length]!));
  let [rows, broken] = [0, 0];
  for (const row of table.rows()) {
    const rest = pace();
    if (rest !== undefined) await rest;
    if (isBroken(row)) {
      broken++;
      continue;
    }
    rows++;
    for (let index = 0; index < row.cells.length; index++) {
      const cell = row.cells[index]!;
      if (cell === null) continue;
      while (columns.length <= index) nextColumn();
      if (columns[index]!.see(cell)) found.see(index, cell);
    }
  }
  while (columns.length < table.columns.length) nextColumn();
  return { table, rows, broken, columns: columns.map(({ column }) => column(rows)), hits: found.hits() };
}
