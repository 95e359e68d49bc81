import { readSentences } from '../../../context/sentences/sentences.ts';
import { contentTerms } from '../../../context/words/terms.ts';
import type { Reply, Variables } from '../../../prompts/index.ts';
import { type JsonSchema, typesOf, variantOf } from '../../../schema/json-schema.ts';
import {
  type FoundValue,
  type ReadValues,
  readDates,
  readIntegers,
  readNames,
  readNumbers,
  readOptions,
  readQuoted,
  readTimestamps,
  readTruth,
} from './values.ts';

/** A sentence of the passages, or a line of one, with its relevance to the question. */
interface Line {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** Terms of the headings above it. */
  readonly around: ReadonlySet<string>;
  readonly ofQuestion: number;
}

/** The source of the fields' values. */
interface Source {
  readonly root: JsonSchema;
  readonly lines: readonly Line[];
  /** Terms that distinguish no field: those of the question. */
  readonly asked: ReadonlySet<string>;
}

const shareOf = (terms: ReadonlySet<string>, has: (term: string) => boolean): number =>
  terms.size === 0 ? 0 : [...terms].filter(has).length / terms.size;

/** Additional relevance of a line that the answer quotes. */
const ofAnswer = 0.5;

function readLines({ question, answer, passages }: Variables<'form'>): Line[] {
  const asked = new Set(contentTerms(question));
  const said = answer.replace(/\s+/g, ' ');
  const pieces = readSentences(passages).flatMap(({ text, under }) =>
    [...new Set([...text.split('\n'), text])].map((piece) => ({ text: piece, under })),
  );
  return pieces.map(({ text, under }) => {
    const terms = new Set(contentTerms(text));
    const around = new Set(contentTerms(under));
    const isQuoted = said.includes(text.trim().replace(/\s+/g, ' '));
    const ofQuestion = shareOf(asked, (term) => terms.has(term) || around.has(term)) + (isQuoted ? ofAnswer : 0);
    return { text, terms, around, ofQuestion };
  });
}

/** Words that name a kind of value, and so distinguish no field. */
const kinds = new Set(
  contentTerms('date day time year number count amount value name title text answer id list items'),
);

/** Returns the terms that identify a field. */
function ownTerms(about: string, { asked }: Source): ReadonlySet<string> {
  return new Set(contentTerms(about).filter((term) => !kinds.has(term) && !asked.has(term)));
}

const isPerson =
  /\b(?:name|who|owner|author|person|manager|lead|by|company|customer|team|city|country|place|vendor)\b/i;
const isDate = /\b(?:date|day|deadline|due|when)\b/i;
const isWhole = /\b(?:answer|quote|sentence|summary|text|reason|statement|description|evidence)\b/i;

const plain = (key: string): string => key.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_.-]+/g, ' ');

const named =
  /^\s*(?:[-*•|]\s*)?[`"'*]{0,3}([\p{L}\p{N}][\p{L}\p{N} ._-]{0,60}?)[`"'*]{0,3}\s{0,9}[:=|]\s*(\S.{0,200})$/u;

/** Reads the value after a field's name: `owner: Ada`, `pool.max = 20`. */
const afterName =
  (own: ReadonlySet<string>): ReadValues =>
  (text) => {
    const [, name = '', rest = ''] = named.exec(text) ?? [];
    const value = rest.replace(/^["'`*\s]+|["'`*,;|.\s]+$/g, '');
    const start = text.lastIndexOf(value);
    const isOwn = contentTerms(name).some((term) => own.has(term));
    return isOwn && value !== '' ? [{ value, start, end: start + value.length }] : [];
  };

const whole: ReadValues = (text) => [{ value: text.trim().replace(/\s+/g, ' '), start: 0, end: text.length }];

/** Returns the readers of a text value, the most reliable first. */
function textReaders({ format }: JsonSchema, about: string, own: ReadonlySet<string>): readonly ReadValues[] {
  if (format === 'date') return [readDates];
  if (format === 'date-time') return [readTimestamps];
  if (isWhole.test(about)) return [whole];
  if (isDate.test(about)) return [readDates, readTimestamps];
  if (isPerson.test(about)) return [afterName(own), readNames];
  return own.size === 0 ? [] : [afterName(own), readQuoted, readNames];
}

/** Returns the readers of a field's value; none for values that code cannot recognise. */
function readersFor(schema: JsonSchema, about: string, own: ReadonlySet<string>): readonly ReadValues[] {
  if (Array.isArray(schema['enum'])) return [readOptions(schema['enum'])];
  const types = typesOf(schema);
  if (types.includes('integer')) return [readIntegers];
  if (types.includes('number')) return [readNumbers];
  if (types.includes('boolean')) return [readTruth];
  return types.includes('string') || types.length === 0 ? textReaders(schema, about, own) : [];
}

/** Returns the index of a field's name in a sentence; 0 where it is missing. */
function placeOfName(text: string, terms: ReadonlySet<string>): number {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  return words.find(([word]) => contentTerms(word).some((term) => terms.has(term)))?.index ?? 0;
}

/** Returns the value after the field's name, or else the nearest one before it. */
function nearest(found: readonly FoundValue[], place: number): FoundValue | undefined {
  return found.find(({ start }) => start >= place) ?? found.at(-1);
}

/** Share of a field's words, and of the question's, that a sentence about it has, at least. */
const leastOfField = 0.5;
const leastOfQuestion = 0.3;

/** Returns sentences that may contain a field's value, the likeliest first. */
function linesFor(about: string, own: ReadonlySet<string>, { lines }: Source): Line[] {
  const all = new Set(contentTerms(about));
  const rated = lines.map((line) => {
    const ofField = Math.max(
      shareOf(own, (term) => line.terms.has(term)),
      0.7 * shareOf(own, (term) => line.around.has(term)),
    );
    const ofAll = shareOf(all, (term) => line.terms.has(term));
    return { line, ofField, score: 2 * ofField + line.ofQuestion + ofAll };
  });
  return rated
    .filter(({ line, ofField }) => (own.size === 0 ? line.ofQuestion >= leastOfQuestion : ofField >= leastOfField))
    .sort((one, other) => other.score - one.score)
    .map(({ line }) => line);
}

const mostLines = 5;

const sides = [
  [/\b(?:before|old|previous|former|from|was)\b/i, 0],
  [/\b(?:after|new|current|now|to)\b/i, 1],
] as const;
const changed = /\bfrom (\S+) to (\S+)/i;

/** Returns which side of "from 40 to 4" a field asks for; null: none. */
const sideOf = (about: string): 0 | 1 | null => sides.find(([names]) => names.test(about))?.[1] ?? null;

/** Reads a number before or after a change, from a line with both. */
function fillSide(side: 0 | 1, read: ReadValues, { lines }: Source): unknown {
  const told = lines
    .filter(({ text, ofQuestion }) => ofQuestion >= leastOfQuestion && changed.test(text))
    .toSorted((one, other) => other.ofQuestion - one.ofQuestion);
  return told.flatMap(({ text }) => read(changed.exec(text)![side + 1]!))[0]?.value ?? null;
}

/** Fills a field of one value; null where no sentence contains it. */
function fillValue(schema: JsonSchema, about: string, source: Source): unknown {
  const own = ownTerms(about, source);
  const side = sideOf(about);
  const [reader] = readersFor(schema, about, own);
  if (side !== null && (reader === readIntegers || reader === readNumbers)) return fillSide(side, reader, source);
  const lines = linesFor(about, own, source).slice(0, mostLines);
  const isName = (value: unknown) => typeof value === 'string' && contentTerms(value).every((term) => own.has(term));
  for (const read of readersFor(schema, about, own)) {
    for (const { text } of lines) {
      const found = nearest(
        read(text).filter(({ value }) => !isName(value)),
        placeOfName(text, own),
      );
      if (found !== undefined) return found.value;
    }
  }
  return null;
}

const mostItems = 50;

/** Fills a list with values in text order. Lists of objects stay empty, since words do not show them. */
function fillList(schema: JsonSchema, about: string, source: Source): unknown[] {
  const items = variantOf(schema['items'], source.root);
  if (items === null || typesOf(items).some((type) => type === 'object' || type === 'array')) return [];
  const own = ownTerms(about, source);
  const lines = linesFor(about, own, source).slice(0, mostLines);
  const best = new Set(lines);
  const values = source.lines
    .filter((line) => best.has(line))
    .flatMap(
      ({ text }) =>
        readersFor(items, about, own)
          .map((read) => read(text))
          .find((found) => found.length > 0) ?? [],
    )
    .map(({ value }) => value);
  return [...new Set(values)].slice(0, mostItems);
}

const deepest = 8;

function fill(given: unknown, about: string, source: Source, depth: number): unknown {
  const schema = variantOf(given, source.root);
  if (schema === null || depth > deepest) return null;
  if ('const' in schema) return schema['const'];
  const types = typesOf(schema);
  const words = `${about} ${typeof schema['description'] === 'string' ? schema['description'] : ''}`;
  if (types.includes('array')) return fillList(schema, words, source);
  const properties = schema['properties'];
  if (!types.includes('object') && properties === undefined) return fillValue(schema, words, source);
  const entries = Object.entries((properties ?? {}) as Record<string, unknown>).map(
    ([key, inner]) =>
      [key, fill(inner, depth === 0 ? plain(key) : `${about} ${plain(key)}`, source, depth + 1)] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * Fills a form from the sentences that name its fields: dates, numbers, names, options of enumerations, quoted words
 * and values after `name:`. Fields without such a sentence are null.
 */
export function fillForm(variables: Variables<'form'>): Reply<'form'> {
  const { schema, question } = variables;
  const source = { root: schema.json, lines: readLines(variables), asked: new Set(contentTerms(question)) };
  return { json: JSON.stringify(fill(schema.json, '', source, 0)) };
}
