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

/** A sentence of the passages, or a line of one, and how near it is to the question. */
interface Line {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** Terms of what it stands under. */
  readonly around: ReadonlySet<string>;
  readonly ofQuestion: number;
}

/** What fields are filled from. */
interface Source {
  readonly root: JsonSchema;
  readonly lines: readonly Line[];
  /** Terms that tell no field from another: those of the question. */
  readonly asked: ReadonlySet<string>;
}

const shareOf = (terms: ReadonlySet<string>, has: (term: string) => boolean): number =>
  terms.size === 0 ? 0 : [...terms].filter(has).length / terms.size;

/** What an answer quotes is nearer to the question than what it does not. */
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

/** Words that name a kind of value, and so tell no field from another. */
const kinds = new Set(
  contentTerms('date day time year number count amount value name title text answer id list items'),
);

/** The terms of a field that a sentence about it has. */
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

/** The value behind a field's name: `owner: Ada`, `pool.max = 20`. */
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

/** The ways to read a text out of a sentence, the surest first. */
function textReaders({ format }: JsonSchema, about: string, own: ReadonlySet<string>): readonly ReadValues[] {
  if (format === 'date') return [readDates];
  if (format === 'date-time') return [readTimestamps];
  if (isWhole.test(about)) return [whole];
  if (isDate.test(about)) return [readDates, readTimestamps];
  if (isPerson.test(about)) return [afterName(own), readNames];
  return own.size === 0 ? [] : [afterName(own), readQuoted, readNames];
}

/** The ways to read a field's value out of a sentence; none for what code cannot tell. */
function readersFor(schema: JsonSchema, about: string, own: ReadonlySet<string>): readonly ReadValues[] {
  if (Array.isArray(schema['enum'])) return [readOptions(schema['enum'])];
  const types = typesOf(schema);
  if (types.includes('integer')) return [readIntegers];
  if (types.includes('number')) return [readNumbers];
  if (types.includes('boolean')) return [readTruth];
  return types.includes('string') || types.length === 0 ? textReaders(schema, about, own) : [];
}

/** Where the field is named in a sentence; 0 where it is not. */
function placeOfName(text: string, terms: ReadonlySet<string>): number {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  return words.find(([word]) => contentTerms(word).some((term) => terms.has(term)))?.index ?? 0;
}

/** The value that follows the field's name, or else stands nearest before it. */
function nearest(found: readonly FoundValue[], place: number): FoundValue | undefined {
  return found.find(({ start }) => start >= place) ?? found.at(-1);
}

/** So much of a field's words, and of the question's, a sentence must have to be about it. */
const leastOfField = 0.5;
const leastOfQuestion = 0.3;

/** Sentences that may tell a field, the likeliest first. */
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

/** Which side of "from 40 to 4" a field asks for; null: none. */
const sideOf = (about: string): 0 | 1 | null => sides.find(([names]) => names.test(about))?.[1] ?? null;

/** A number before or after a change, by a line that tells both. */
function fillSide(side: 0 | 1, read: ReadValues, { lines }: Source): unknown {
  const told = lines
    .filter(({ text, ofQuestion }) => ofQuestion >= leastOfQuestion && changed.test(text))
    .toSorted((one, other) => other.ofQuestion - one.ofQuestion);
  return told.flatMap(({ text }) => read(changed.exec(text)![side + 1]!))[0]?.value ?? null;
}

/** A field of one value, or null where no sentence tells it. */
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

/** The values of a list, in the order of the text. Of lists of objects nothing can be told by words. */
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
 * and what stands behind `name:`. What no sentence tells is null.
 */
export function fillForm(variables: Variables<'form'>): Reply<'form'> {
  const { schema, question } = variables;
  const source = { root: schema.json, lines: readLines(variables), asked: new Set(contentTerms(question)) };
  return { json: JSON.stringify(fill(schema.json, '', source, 0)) };
}
