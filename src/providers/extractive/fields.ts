/** Fills a form with values that stand beside the name or the description of their field. */
import { readSentences } from '../../context/sentences/sentences.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Reply, Variables } from '../../prompts/index.ts';
import { type JsonSchema, typesOf, variantOf } from '../../schema/json-schema.ts';

/** A value in a text, with its range; end exclusive. */
interface FoundValue {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** Reads the values of one kind from a text, in order. */
type ReadValues = (text: string) => readonly FoundValue[];

const each = (text: string, pattern: RegExp, read: (match: RegExpExecArray) => unknown): FoundValue[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const value = read(match);
    return value === null ? [] : [{ value, start: match.index, end: match.index + match[0].length }];
  });

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const month = `(?<month>${monthNames.join('|')})[a-z]{0,6}\\.?`;
const datePatterns: readonly RegExp[] = [
  /(?<![\d-])(?<year>\d{4})-(?<number>\d\d)-(?<day>\d\d)(?!\d)/g,
  new RegExp(`(?<![\\p{L}\\d])(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month},? (?<year>\\d{4})(?!\\d)`, 'giu'),
  new RegExp(`(?<!\\p{L})${month} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?!\\d)`, 'giu'),
];

function isoDate({ year, number, month: name = '', day = '' }: Record<string, string | undefined>): string {
  const ofYear = number ?? String(monthNames.indexOf(name.toLowerCase()) + 1).padStart(2, '0');
  return `${year}-${ofYear}-${day.padStart(2, '0')}`;
}

/** Reads calendar days as `2026-05-01`. */
export const readDates: ReadValues = (text) =>
  datePatterns
    .flatMap((pattern) => each(text, pattern, ({ groups }) => isoDate(groups!)))
    .sort((one, other) => one.start - other.start);

const timestamp = /(?<!\d)(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?/g;

/** Reads points in time as `2026-05-01T10:00:00Z`; UTC where no zone is given. */
export const readTimestamps: ReadValues = (text) =>
  each(text, timestamp, ([, day, time, seconds = ':00', zone = 'Z']) => `${day}T${time}${seconds}${zone}`);

const numbers =
  /(?<![\p{L}\p{N}_]|[\p{L}\p{N}][-./_:])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_]|[.:/-]\d|,\d{3})(?!\p{L}{4,}\d)/gu;

/** Reads numbers that are not part of a date, a version, a time of day or a name. */
export const readNumbers: ReadValues = (text) => {
  const taken = [...readDates(text), ...readTimestamps(text)];
  return each(text, numbers, ([found]) => Number(found.replaceAll(',', ''))).filter(
    ({ start }) => !taken.some((date) => date.start <= start && start < date.end),
  );
};

const readIntegers: ReadValues = (text) =>
  readNumbers(text).filter(({ value }) => Number.isSafeInteger(value as number));

const readQuoted: ReadValues = (text) =>
  each(
    text,
    /"([^"\n]{1,200})"(?!\s*:)|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g,
    (match) => match.slice(1).find(Boolean)!,
  );

const names = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’-]+(?: (?:(?:of|de|van|von|the) )?\p{Lu}[\p{L}\p{N}'’-]*){0,4}/gu;

/** Reads names: consecutive capitalised words, without a function word that begins the sentence. */
export const readNames: ReadValues = (text) =>
  each(text, names, ([found]) => (contentTerms(found.split(' ')[0]!).length === 0 ? null : found));

const readTruth: ReadValues = (text) =>
  each(text, /\b(?:(true|yes|enabled|on)|false|no|disabled|off)\b/gi, ([, isTrue]) => isTrue !== undefined);

/** Creates the reader of an enumeration's options that a text contains as words. */
function readOptions(options: readonly unknown[]): ReadValues {
  const words = options.filter(
    (option): option is string => typeof option === 'string' && /[\p{L}\p{N}]/u.test(option),
  );
  const literal = (option: string) => (option.match(/[\p{L}\p{N}]+/gu) ?? []).join('[^\\p{L}\\p{N}]+');
  return (text) =>
    words.flatMap((option) =>
      each(text, new RegExp(`(?<![\\p{L}\\p{N}])${literal(option)}(?![\\p{L}\\p{N}])`, 'giu'), () => option),
    );
}

const isTime = /^date(?:-time)?$/;

/** Returns the readers of a field's values, the most reliable first; none for values that code cannot recognise. */
function readersFor(schema: JsonSchema): readonly ReadValues[] {
  if (Array.isArray(schema['enum'])) return [readOptions(schema['enum'])];
  const types = typesOf(schema);
  if (types.includes('integer')) return [readIntegers];
  if (types.includes('number')) return [readNumbers];
  if (types.includes('boolean')) return [readTruth];
  if (!types.includes('string') && types.length > 0) return [];
  const { format } = schema;
  if (typeof format === 'string' && isTime.test(format)) return [format === 'date' ? readDates : readTimestamps];
  return [readDates, readQuoted, readNames];
}

/** A sentence of the passages, or a line of one. */
interface Line {
  readonly text: string;
  /** Terms of the line and the headings above it. */
  readonly terms: ReadonlySet<string>;
  /** How well it matches the question; more where the answer quotes it. */
  readonly relevance: number;
}

/** The source of the fields' values. */
interface Source {
  readonly root: JsonSchema;
  readonly lines: readonly Line[];
  /** The terms of the question, which every field may leave unsaid. */
  readonly asked: ReadonlySet<string>;
  /** The first line that the answer quotes; null where it quotes none. */
  readonly quoted: string | null;
}

const shareOf = (wanted: ReadonlySet<string>, has: (term: string) => boolean): number =>
  wanted.size === 0 ? 0 : [...wanted].filter(has).length / wanted.size;

const collapsed = (text: string): string => text.trim().replace(/\s+/g, ' ');

function readSource({ question, answer, passages, schema }: Variables<'form'>): Source {
  const asked = new Set(contentTerms(question));
  const said = collapsed(answer);
  const lines = readSentences(passages).flatMap(({ text, under }) =>
    [...new Set([text, ...text.split('\n')])].map((line): Line => {
      const found = new Set(contentTerms(`${line}\n${under}`));
      const isQuoted = said.includes(collapsed(line));
      return { text: line, terms: found, relevance: shareOf(asked, (term) => found.has(term)) + Number(isQuoted) };
    }),
  );
  const quoted = /^(.*\S)\s*\[P?\d+\]\s*$/m.exec(answer)?.[1] ?? null;
  return { root: schema.json, lines, asked, quoted };
}

/** Where one clause ends and the next begins; a pair such as `max=40` is one. */
const seam = /[;()]|,(?!\d)|\.\s|\s[–—-]\s|\s(?:and|or|but|while|which|who|when)\s|\s(?=[\w.-]+=)/i;

/** The words and signs that may stand between the name of a field and its value. */
const linking =
  /^(?:[\s:=|"'`*_~>€$£¥-]|\b(?:is|are|was|were|be|of|the|an?|to|at|by|has|have|had|says|reads|EUR|USD|GBP|CHF)\b)*$/i;

const plain = (key: string): string => key.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_.-]+/g, ' ');

/** What the schema says of a field. */
interface Field {
  readonly schema: JsonSchema;
  /** The terms of its key and of the objects that it is in. */
  readonly named: ReadonlySet<string>;
  /** The terms of its title and its description. */
  readonly described: ReadonlySet<string>;
}

/** Share of a description's terms that a line has, at least, to be about the field. */
const leastDescribed = 0.66;

/** Returns the terms of which one has to stand beside a value in a line. Empty where the line is about other things. */
function termsBeside({ named, described }: Field, { terms }: Line, { asked }: Source): ReadonlySet<string> {
  const has = (term: string) => terms.has(term) || asked.has(term);
  const isNamed = named.size > 0 && shareOf(named, has) === 1;
  const isDescribed = described.size > 1 && shareOf(described, has) >= leastDescribed;
  return new Set([...(isNamed ? named : []), ...(isDescribed ? described : [])]);
}

const namesOwn = (word: string, own: ReadonlySet<string>): boolean => contentTerms(word).some((term) => own.has(term));

/** Whether a value stands beside a word of its field: only linking words are between them. */
function isBeside({ start, end }: FoundValue, text: string, own: ReadonlySet<string>): boolean {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => namesOwn(word, own));
  const before = words.findLast(({ 0: word, index }) => index + word.length <= start);
  const after = words.find(({ index }) => index >= end);
  return (
    (before !== undefined && linking.test(text.slice(before.index + before[0].length, start))) ||
    (after !== undefined && linking.test(text.slice(end, after.index)))
  );
}

const pair = /^\W*([\p{L}\p{N}][\p{L}\p{N} ._-]{0,60}?)[`"'*]{0,3}\s{0,9}[:=|]\s*(\S.{0,200})$/u;

/** Returns the text after a field's name: `owner: Ada`. */
function afterName(text: string, own: ReadonlySet<string>): string | null {
  const [, name = '', rest = ''] = pair.exec(text) ?? [];
  return namesOwn(name, own) ? rest.replace(/^["'`*\s]+|["'`*,;|.\s]+$/g, '') || null : null;
}

/** Returns the values of a line that stand beside the words of a field; no number of a clause that has several. */
function valuesIn(text: string, own: ReadonlySet<string>, read: ReadValues): unknown[] {
  return text.split(seam).flatMap((clause) => {
    const found = read(clause);
    if (found.length > 1 && typeof found[0]!.value === 'number') return [];
    return found.filter((one) => isBeside(one, clause, own)).map(({ value }) => value);
  });
}

const onlyJoins = /^(?:[\s,&/]|\band\b|\bor\b)*$/;

/** Returns the values of a line that follow one another beside the words of a field. */
function runIn(text: string, own: ReadonlySet<string>, read: ReadValues): unknown[] {
  const found = read(text);
  const first = found.findIndex((one) => isBeside(one, text, own));
  if (first < 0) return [];
  const end = found.findIndex((one, at) => at > first && !onlyJoins.test(text.slice(found[at - 1]!.end, one.start)));
  return found.slice(first, end < 0 ? undefined : end).map(({ value }) => value);
}

/** Returns the values of a field in the lines that match the question best among those that state one. */
function valuesOf(field: Field, source: Source, readLine: (line: string, own: ReadonlySet<string>) => unknown[]) {
  let best = { relevance: -1, values: new Set<unknown>() };
  for (const line of source.lines) {
    const own = termsBeside(field, line, source);
    if (own.size === 0 || line.relevance < best.relevance) continue;
    const values = readLine(line.text, own);
    if (values.length === 0) continue;
    if (line.relevance > best.relevance) best = { relevance: line.relevance, values: new Set(values) };
    else for (const value of values) best.values.add(value);
  }
  return [...best.values];
}

/** Whether a field is for the answer itself. */
const isAnswer = ({ named }: Field): boolean => [...named].join() === contentTerms('answer').join();

/** Fills a field of one value; null where no line states it, or lines that match the question alike differ. */
function fillValue(field: Field, source: Source): unknown {
  const readers = readersFor(field.schema);
  const isText = readers.includes(readNames);
  if (isText && isAnswer(field)) return source.quoted;
  const all = [...(isText ? [(line: string, own: ReadonlySet<string>) => [afterName(line, own) ?? []].flat()] : [])];
  for (const read of readers) all.push((line, own) => valuesIn(line, own, read) as string[]);
  const found = all.map((readLine) => valuesOf(field, source, readLine)).find((values) => values.length > 0) ?? [];
  return found.length === 1 ? found[0] : null;
}

const mostItems = 50;

/** Fills a list with the values of one kind that stand in a row. Lists of objects stay empty. */
function fillList(field: Field, source: Source): unknown[] {
  const items = variantOf(field.schema['items'], source.root);
  const runs = (items === null ? [] : readersFor(items)).map((read) =>
    valuesOf(field, source, (line, own) => runIn(line, own, read)),
  );
  return (runs.find((values) => values.length > 0) ?? []).slice(0, mostItems);
}

const deepest = 8;

function fill(given: unknown, keys: readonly string[], source: Source): unknown {
  const schema = variantOf(given, source.root);
  if (schema === null || keys.length > deepest) return null;
  if ('const' in schema) return schema['const'];
  const types = typesOf(schema);
  const properties = schema['properties'];
  if (types.includes('object') || properties !== undefined) {
    const entries = Object.entries((properties ?? {}) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([key, inner]) => [key, fill(inner, [...keys, plain(key)], source)]));
  }
  const about = [schema['title'], schema['description']].filter((words) => typeof words === 'string');
  const named = new Set(contentTerms(keys.join(' ')));
  const field = { schema, named, described: new Set(contentTerms(about.join(' '))) };
  return types.includes('array') ? fillList(field, source) : fillValue(field, source);
}

/**
 * Fills a form with values that stand beside the name or the description of their field, in the same clause: dates,
 * numbers, names, options of enumerations, quoted words and what follows `name:`. Other fields are null.
 */
export function fillFormByWords(variables: Variables<'form'>): Reply<'form'> {
  return { json: JSON.stringify(fill(variables.schema.json, [], readSource(variables))) };
}
