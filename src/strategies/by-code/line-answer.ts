import { listed } from '../../base/counted.ts';
import { countLines, type DocumentCount, type LineCount } from '../../context/counting/count-lines.ts';
import type { Criterion } from '../../context/counting/criteria.ts';
import type { CountingQuestion, Reading } from '../../context/counting/readings.ts';
import type { ContextStore } from '../../context/document.ts';
import { createLineFinder } from '../../context/lines.ts';
import { withoutMarks } from '../../evidence/marks.ts';
import { type CodeAnswer, exampleOf, showCount, showExample, showMany } from './code-answer.ts';

/** Nouns for any line. */
const ofAnyLine = /^(?:message|event|entry|entries|post|note|attempt)s?$/i;
/** Criteria that remain, at least, when words that the text lacks are removed. */
const fewestCriteria = 2;
const mostExamples = 5;
const mostDocuments = 20;

interface Counted extends LineCount {
  readonly reading: Reading;
}

function rule({ criteria, leavesOut = [] }: Reading): string {
  const rest = leavesOut.map((word) => `“${word}”`).join(' and ');
  return `${criteria.map(({ says }) => says).join(', and ')}${rest === '' ? '' : `, with or without ${rest}`}`;
}

function absentWords({ leavesOut = [] }: Reading): string {
  const words = leavesOut.map((word) => `“${word}”`).join(', ');
  return words === '' ? '' : ` No such line has: ${words}.`;
}

/** Lists the lines per document, the most first. */
function byDocument(counts: readonly DocumentCount[], { documents }: ContextStore): string {
  const ranked = counts.toSorted((a, b) => b.lines - a.lines);
  const shown = ranked
    .slice(0, mostDocuments)
    .map(({ document, lines }) => `${withoutMarks(documents[document]!.name)} ${showCount(lines)}`);
  return listed(shown, ranked.length - shown.length, 'document');
}

/** Lists the lines per log level, the most first; empty where all have the same level. */
function byLevel({ levels, lines }: Counted): string[] {
  const ranked = [...levels].sort(([, a], [, b]) => b - a);
  if (ranked.length === 0 || ranked[0]![1] === lines) return [];
  return [`By log level: ${ranked.map(([name, count]) => `${name} ${showCount(count)}`).join(', ')}.`];
}

/** Lists other readings of the question that give other numbers. */
function otherReadings([chosen, ...others]: readonly Counted[]): string[] {
  const told = new Set([chosen!.lines]);
  return others.flatMap(({ lines, reading }) => {
    if (lines === 0 || told.has(lines)) return [];
    told.add(lines);
    return [`Read otherwise: ${showMany(lines, 'line')} with ${rule(reading)}.`];
  });
}

/** Counts the readings, from the first one on that matches any line. */
async function countReadings(
  asked: Pick<CountingQuestion, 'readings' | 'documents'>,
  store: ContextStore,
  signal: AbortSignal,
): Promise<Counted[]> {
  const counts: Counted[] = [];
  for (const reading of asked.readings)
    counts.push({ reading, ...(await countLines(store, reading, asked.documents, signal)) });
  const first = counts.findIndex(({ lines, reading }) => lines > 0 && reading.leavesOut === undefined);
  return first === -1 ? [] : counts.slice(first);
}

/**
 * Relaxes the first reading: it removes the words that the text lacks, and one word that occurs only in other lines.
 * Two criteria have to remain, among them the first word of the question, which names what is counted.
 */
async function withoutAbsent(
  { readings: [first], documents }: CountingQuestion,
  store: ContextStore,
  signal: AbortSignal,
): Promise<Counted[]> {
  const absent: Criterion[] = [];
  const named = first!.criteria.find(({ word }) => word !== undefined && !ofAnyLine.test(word));
  for (const criterion of first!.criteria) {
    const { lines, setAside } = await countLines(store, { ...first!, criteria: [criterion] }, documents, signal);
    if (lines + setAside.length > 0) continue;
    // A token that the text lacks, and the counted noun, must not be removed.
    if (criterion.word === undefined || criterion === named) return [];
    absent.push(criterion);
  }
  const there = first!.criteria.filter((one) => !absent.includes(one));
  for (const [elsewhere, criteria] of nearlyAll(there, named)) {
    const left = [...absent, ...elsewhere];
    if (left.length === 0 || criteria.length < fewestCriteria) continue;
    const reading = { ...first!, criteria, leavesOut: left.map(({ word }) => word!) };
    const counted = await countLines(store, reading, documents, signal);
    if (counted.lines > 0) return [{ reading, ...counted }];
  }
  return [];
}

/** Yields all criteria, then all but one word, the last word first. */
function* nearlyAll(
  there: readonly Criterion[],
  named: Criterion | undefined,
): Generator<readonly [left: readonly Criterion[], rest: readonly Criterion[]]> {
  yield [[], there];
  for (const one of there.toReversed())
    if (one.word !== undefined && one !== named) yield [[one], there.filter((other) => other !== one)];
}

/**
 * Certainty by how lines are selected: tokens and log levels are reliable, words in any form may mean something else.
 */
const certainties = { exact: 0.97, words: 0.75, amongOthers: 0.9, withoutAbsent: 0.5 };

function certaintyOf({ reading, setAside }: Counted, others: readonly string[]): number {
  const own = reading.isExact ? certainties.exact : certainties.words;
  const whole = reading.leavesOut === undefined ? 1 : certainties.withoutAbsent;
  return own * whole * (others.length + setAside.length > 0 ? certainties.amongOthers : 1);
}

/** An answer that counts lines, with the documents that contain them. */
export interface LineAnswer extends CodeAnswer {
  readonly documents: readonly number[];
}

/** Answers a counting question by its readings; null where none matches a line. */
export async function answerByLines(
  asked: CountingQuestion,
  store: ContextStore,
  signal: AbortSignal,
): Promise<LineAnswer | null> {
  const found = await countReadings(asked, store, signal);
  const counts = found.length > 0 ? found : await withoutAbsent(asked, store, signal);
  const [chosen] = counts;
  if (chosen === undefined) return null;
  const { lines, documents, setAside, reading } = chosen;
  const finder = createLineFinder(store);
  const examples = documents
    .flatMap((one) => one.examples)
    .slice(0, mostExamples)
    .map(({ document, startByte }) => {
      const { endByte } = finder.around(document, startByte)!;
      return exampleOf({ document, startByte, endByte }, store);
    });
  const others = otherReadings(counts);
  const counted = asked.countsDocuments ? showMany(documents.length, 'document') : showMany(lines, 'line');
  const answer = [
    `${counted} counted, in all of the text.${absentWords(chosen.reading)}`,
    `Rule: a ${asked.countsDocuments ? 'document counts when a line of it' : 'line counts when it'} has ${rule(reading)}.`,
    ...(documents.length > 0 ? [`By document: ${byDocument(documents, store)}.`] : []),
    ...byLevel(chosen),
    ...(setAside.length > 0 ? [`Not counted, as they are no logs: ${byDocument(setAside, store)}.`] : []),
    ...others,
    ...(examples.length > 0 ? [examples.length < lines ? 'The first of them:' : 'They are:'] : []),
    ...examples.map(showExample),
  ].join('\n');
  const certainty = certaintyOf(chosen, others);
  return { answer, examples, certainty, documents: documents.map(({ document }) => document) };
}
