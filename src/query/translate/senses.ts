/** Finds the senses of the words of a question for a table: a column, a cell, the rows, a number, or a known word. */
import type { Database } from '../sqlite/database.ts';
import { cellsOfTexts, cellsWith } from '../tables/cells.ts';
import type { Moment } from '../tables/moment.ts';
import type { ProfiledColumn, ProfiledTable } from './profile.ts';
import { isYear, momentAt, momentsAt, numberOf, type QuestionToken, type Words } from './tokens.ts';
import {
  failureLevels,
  levelNames,
  negated,
  rolesOf,
  stemOf,
  unitOf,
  type WordRole,
  type WordUnit,
  wordFormsOf,
} from './words.ts';

export type Item =
  | WordRole
  /** `isNumber`: the words also name a column of numbers, such as `stock` in `stock.csv`. */
  | { readonly role: 'rows'; readonly isPlural: boolean; readonly isNumber: boolean }
  | { readonly role: 'column'; readonly column: ProfiledColumn; readonly isPlural: boolean }
  | {
      readonly role: 'value';
      readonly column: ProfiledColumn;
      readonly values: readonly (string | number)[];
      /** Whether the word is in lower case and not a plural, so that it may be a state that began at some time. */
      readonly isState: boolean;
      /** Whether "to" or "from" precedes the word, and is not in the name of the column, such as `origin`. */
      readonly isOfWay: boolean;
    }
  | { readonly role: 'number'; readonly value: number; readonly unit: WordUnit | null }
  | { readonly role: 'moment'; readonly moment: Moment };

export interface Sense {
  readonly item: Item;
  readonly words: number;
  /** How well the words match: 2 if equal, or singular and plural of one word; 1 if inflected in another way. */
  readonly level: number;
}

/** Levels. `same`: "payment" is the cell `payment`, although another cell is `payments`. */
const [same, exact, inflected, mostWords] = [3, 2, 1, 6];

const pluralOf = (word: string): string =>
  word
    .replace(/y$/, 'ie')
    .replace(/(?<=[sxzo]|[cs]h)$/, 'e')
    .concat('s');

const isPlural = (word: string, other: string): boolean =>
  [`${other}s`, pluralOf(other)].includes(word) || [`${word}s`, pluralOf(word)].includes(other);

const fitsName = (words: readonly string[], name: readonly string[]): boolean =>
  words.length === name.length && words.every((word, at) => word === name[at] || isPlural(word, name[at]!));

const isWord = /^\p{Ll}+$/u;
export const isLevel = ({ name }: ProfiledColumn): boolean => /^(?:level|severity)$/i.test(name);
const isRole = /(?:er|or|ee|ent|ant|ian|person|clerk|by)$/i;

const fitsOne = (words: readonly string[], names: readonly (readonly string[])[]): boolean =>
  names.some((name) => fitsName(words, name));

interface Span {
  readonly start: number;
  readonly words: number;
  readonly text: string;
  readonly lower: readonly string[];
  readonly isQuoted: boolean;
  readonly roles: readonly WordRole[];
  /** Whether it begins with a capital within a sentence, so that "Per" and "Line" are people, not words. */
  readonly isProper: boolean;
  /** Whether it may be a name, which has no other forms: "Peters" is not `Peter`, but "the Boxers" are `Boxer`. */
  readonly isName: boolean;
  /** Whether the span is the last word of "When did …?". This word is the verb. */
  readonly isOfDid: boolean;
}

/** Whether a word is in capitals. `US`, `IT` and `A` are cells, not words of the sentence. */
const isInCapitals = (text: string): boolean => /^\p{Lu}+$/u.test(text);

const beginsSentence = (question: string, { start }: QuestionToken): boolean =>
  /(?:^|[.?!:])[^\p{L}\p{N}]*$/u.test(question.slice(0, start));

function spansOf(question: string, tokens: Words): Span[] {
  return tokens.flatMap((first, start) =>
    tokens.slice(start, start + mostWords).map((last, more): Span => {
      const own = tokens.slice(start, start + more + 1);
      const text = more === 0 ? first.text : question.slice(first.start, last.end);
      const lower = own.map((token) => token.text.toLowerCase());
      const isQuoted = own.some((token) => token.isQuoted);
      const hasCapital = /^\p{Lu}/u.test(text) && !isInCapitals(text);
      const isProper = hasCapital && !beginsSentence(question, first);
      const roles = isQuoted || isInCapitals(text) || isProper ? [] : rolesOf(lower.join(' '));
      const isName = hasCapital && !/^(?:the|are)$/i.test(tokens[start - 1]?.text ?? '');
      const isOfDid = last === tokens.at(-1) && more === 0 && /^\W*when did\b/i.test(question);
      return { start, words: more + 1, text, lower, isQuoted, roles, isProper, isName, isOfDid };
    }),
  );
}

function cellsFor({ text, lower, words, roles, isName }: Span, column: ProfiledColumn) {
  const whole = text.toLowerCase();
  if (words > 1 || isName || roles.some(({ role }) => role !== 'measure')) return [[whole, same] as const];
  const all = wordFormsOf(whole).map((form) => [form, isPlural(whole, form) ? exact : inflected] as const);
  // "One" is no form of `on`.
  const forms = all.filter(([form, level]) => level === exact || form.length > 3);
  const levels = (levelNames.get(stemOf(lower[0]!)) ?? []).map((name) => [name, same] as const);
  const failures = isLevel(column) && stemOf(whole) === 'fail' ? failureLevels : [];
  return [[whole, same] as const, ...forms, ...levels, ...failures.map((name) => [name, inflected] as const)];
}

function findCells(database: Database, column: ProfiledColumn, spans: readonly Span[]) {
  const wanted = new Map<string, { span: Span; level: number }[]>();
  for (const span of spans)
    for (const [text, level] of cellsFor(span, column))
      wanted.set(text, [...(wanted.get(text) ?? []), { span, level }]);
  const found = new Map<Span, { level: number; values: (string | number)[] }>();
  for (const [text, value] of cellsOfTexts(database, column, [...wanted.keys()]))
    for (const { span, level } of wanted.get(text) ?? []) {
      const known = found.get(span);
      if (known === undefined || known.level < level) found.set(span, { level, values: [value] });
      else if (known.level === level && !known.values.includes(value)) known.values.push(value);
    }
  return found;
}

function flagSense(database: Database, column: ProfiledColumn, { lower, words }: Span): Sense[] {
  const isNot = words === 1 && !fitsOne(lower, column.names) && negated.test(lower[0]!);
  if (!fitsOne(isNot ? [lower[0]!.replace(negated, '')] : lower, column.names)) return [];
  const found = cellsOfTexts(database, column, isNot ? ['no', 'false', 'n', '0'] : ['yes', 'true', 'y', '1']);
  const values = found.map(([, cell]) => cell);
  return [{ item: { role: 'value', column, values, isState: true, isOfWay: false }, words, level: exact }];
}

function namedSenses(database: Database, table: ProfiledTable, span: Span): Sense[] {
  const { lower, words, roles } = span;
  if (!table.isOwn && span.isProper) return [];
  // "Cost" may be the column `costs`, but not `monthly costs`.
  const isMeasure = table.isOwn && roles.some(({ role }) => role === 'measure');
  // "Since 2018" is a period, not a cell of a column `since`.
  const isPeriod = roles.some(({ role }) => role === 'compare');
  const ofColumns = table.columns.flatMap((column): Sense[] => {
    const flags = column.isFlag ? flagSense(database, column, span) : [];
    const names = isPeriod ? [] : isMeasure ? column.names.slice(0, 1) : column.names;
    const isNamed = column.kind !== 'flag' && fitsOne(lower, names);
    // "When did she join?" asks for a column `joined`. Other inflected words name no column: "Tim" is no `time`.
    const isVerb = column.kind === 'time' && span.isOfDid && stemOf(column.name) === stemOf(lower[0]!);
    if (!isNamed && !isVerb) return flags;
    const isMany = !column.names.some((name) => name.at(-1) === lower.at(-1));
    const item = { role: 'column', column, isPlural: isNamed && isMany } as const;
    return [...flags, { item, words, level: isNamed ? exact : inflected }];
  });
  // A whole name wins: "cooks" is `Cook`, not `Cook min`. But for times, "start" may be `start` or `planned_start`.
  const isWhole = ({ item }: Sense) =>
    item.role !== 'column' || item.column.kind === 'time' || fitsName(lower, item.column.names[0]!);
  const best = ofColumns.some((one) => one.item.role === 'column' && isWhole(one))
    ? ofColumns.filter(isWhole)
    : ofColumns;
  // Words that name a column of amounts as text, such as `39,020`, do not mean the rows.
  const isOfAmounts = ofColumns.some(({ item }) => item.role === 'column' && item.column.isAmount);
  if (isOfAmounts || !fitsOne(lower, table.nouns)) return best;
  const isOfNumber = ({ kind, names }: ProfiledColumn) =>
    kind === 'number' && (fitsOne(lower, names) || fitsName(lower, names[0]!.slice(0, words)));
  const isNumber = table.columns.some(isOfNumber);
  const rows = { role: 'rows', isPlural: /[^s]s$/.test(lower.at(-1)!), isNumber } as const;
  return [{ item: rows, words, level: exact }, ...best];
}

function countedSenses(tokens: Words, at: number): Sense[] {
  const found: Sense[] = [];
  const add = (item: Item, words: number) => found.push({ item, words, level: exact });
  const [token, next] = [tokens[at]!, tokens[at + 1]];
  const [sign, value] = [unitOf(token.text), numberOf(token)];
  const [unit, amount] = next === undefined ? [null, null] : [unitOf(next.text), numberOf(next)];
  if (value !== null && unit !== null) add({ role: 'number', value, unit }, 2);
  if (value !== null) add({ role: 'number', value, unit: null }, 1);
  if (/^[€$£]$/.test(token.text) && amount !== null) add({ role: 'number', value: amount, unit: sign }, 2);
  // "A second" and "an hour" contain the number 1.
  if (sign !== null && /^an?$/i.test(tokens[at - 1]?.text ?? '')) add({ role: 'number', value: 1, unit: sign }, 1);
  for (const { moment, words } of momentsAt(tokens, at)) add({ role: 'moment', moment }, words);
  return found;
}

/** Returns other cells that the words may mean: lists with a value, `paid late` for `paid`, worse levels, `purge`. */
function othersOf(database: Database, column: ProfiledColumn, { text }: Span, values: readonly (string | number)[]) {
  const isError = isLevel(column) && stemOf(text) === 'error' && !isInCapitals(text);
  // Apt purges a package in place of removing it.
  const wider = isError ? failureLevels : values.includes('remove') ? ['purge'] : [];
  const worse = cellsOfTexts(database, column, wider).map(([, cell]) => cell);
  const withValue = (value: unknown) => cellsWith(database, column, String(value), !column.isUnique);
  const lists = column.people ? [] : values.flatMap(withValue);
  return [...worse, ...lists].filter((cell) => !values.includes(cell));
}

/** Whether words for a cell may also mean the rows, another column (`rain_mm` for "rain"), or one of its cells. */
const areOfTwo = (senses: readonly Sense[], { lower }: Span, { isOwn, columns }: ProfiledTable): boolean =>
  senses.some(({ item: cell }) => {
    if (cell.role !== 'value') return false;
    const isOther = (one: ProfiledColumn) => one !== cell.column;
    const isPart = (one: ProfiledColumn) => isOwn && isOther(one) && one.names[0]!.includes(lower.join(' '));
    const isMore = ({ item }: Sense) => 'column' in item && isOther(item.column) && (isOwn || item.role === 'column');
    return columns.some(isPart) || senses.some((one) => isMore(one) || (isOwn && one.item.role === 'rows'));
  });

/** Keeps the best senses for each number of words: a cell `failed` beats the inflected name of a column. */
const bestOf = (senses: readonly Sense[]): Sense[] =>
  senses.filter((one) => senses.every(({ words, level }) => words !== one.words || level <= one.level));

/** Returns, for each word of a question, the senses that begin at this word. */
export function findSenses(database: Database, table: ProfiledTable, question: string, tokens: Words) {
  const spans = spansOf(question, tokens);
  // "How many books?" means the elements of a list `books`, not rows.
  if (spans.some(({ lower }) => fitsOne(lower, table.unread))) return tokens.map(() => []);
  const times = table.columns.filter(({ isOfTime }) => isOfTime);
  const areReadable = times.every(({ hasDay, written }) => hasDay && written !== null) && times.length < 2;
  // A time after "in" is no cell ("in May" means a month). No time is a cell if the rows' times are unreliable.
  const mayBeTime = ({ start }: Span) =>
    momentAt(tokens, start) !== null && (!areReadable || /^in$/i.test(tokens[start - 1]?.text ?? ''));
  const named = new Map(spans.map((span) => [span, namedSenses(database, table, span)]));
  const namedAt = new Set(spans.flatMap((span) => (named.get(span)!.length > 0 ? [span.start] : [])));
  // "Long cases" are perhaps not the cases of a judge Long.
  const isAdjective = ({ start, words, text }: Span, values: readonly unknown[]) =>
    table.isOwn && isWord.test(text) && !values.some((cell) => isWord.test(`${cell}`)) && namedAt.has(start + words);
  // "1984" is perhaps the title of a book, or a room, and not a year.
  const isPart = (at: number) => [1, 2].some((back) => (momentAt(tokens, at - back)?.words ?? 0) > back);
  const isInTime = (at: number) => /^(?:in|during|since|after|before)$/i.test(tokens[at - 1]?.text ?? '') || isPart(at);
  const years = spans.filter(({ text, start }) => isYear(text) && !namedAt.has(start - 1) && !isInTime(start));
  if (times.length > 0 && table.columns.some((one) => !one.isOfTime && findCells(database, one, years).size > 0))
    return tokens.map(() => []);
  for (const column of table.columns) {
    if (column.kind !== 'text' && column.kind !== 'code') continue;
    const open = column.isOfTime && column.dates === 0 ? spans : spans.filter((span) => !mayBeTime(span));
    for (const [span, { level: found, values }] of findCells(database, column, open)) {
      const level = Math.min(found, exact);
      // "To Cleo" and "by Cleo" state a role, and people in this role may be in another column.
      const before = tokens[span.start - 1]?.text.toLowerCase() ?? '';
      if (isRole.test(column.name) && /^(?:to|by)$/.test(before)) continue;
      // "To whom did Cleo write?" does not ask who wrote to Cleo.
      if (column.name === 'recipients' && /\bwhom?\b/i.test(question) && !/^(?:to|for)$/.test(before)) continue;
      // "Failed to open" is no error whose message is `opened`.
      if (level < exact && isLevel(column) && tokens[span.start + span.words]?.text === 'to') continue;
      // In a table without a known format, inflected words are no cells: "ordered" is not `order`.
      if (level < exact && table.isOwn && !isLevel(column)) continue;
      if (span.roles.some(({ role }) => ['superlative', 'not', 'ask'].includes(role))) continue;
      if (isAdjective(span, values)) return tokens.map(() => []);
      const isNamed = column.names.flat().includes(before);
      const isOfWay = /^(?:to|from)$/.test(before) && !isNamed;
      // "The subject Keys" is no part of a subject; "keys in the subject" may be.
      const others = isNamed && column.isProse ? [] : othersOf(database, column, span, values);
      const isCell = level < exact || values.some((cell) => String(cell).toLowerCase() === span.text);
      const isState = isCell && isWord.test(span.text);
      for (const meant of others.length > 0 ? [values, [...values, ...others]] : [values])
        named
          .get(span)!
          .push({ item: { role: 'value', column, values: meant, isState, isOfWay }, words: span.words, level });
    }
  }
  return tokens.map((_, at) => {
    const own = spans.filter(({ start }) => start === at);
    const content = own.flatMap((span) => (areOfTwo(named.get(span)!, span, table) ? [] : named.get(span)!));
    // "From" is no filler if a column has this name. "Paid" is no measure if a column or a cell has this name.
    const others: Readonly<Record<string, readonly string[]>> = { filler: ['column'], measure: ['column', 'value'] };
    const isNamed = ({ item, words }: Sense) =>
      content.some((one) => one.words === words && others[item.role]?.includes(one.item.role));
    const known = own
      .flatMap(({ roles, words }) => roles.map((item): Sense => ({ item, words, level: exact })))
      .filter((one) => !isNamed(one));
    return [...bestOf(content), ...known, ...countedSenses(tokens, at)];
  });
}
