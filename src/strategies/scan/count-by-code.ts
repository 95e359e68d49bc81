import {
  type CountedLine,
  countLines,
  type DocumentCount,
  type LineCount,
} from '../../context/counting/count-lines.ts';
import { type CountingQuestion, type Reading, readCounting, readTokens } from '../../context/counting/readings.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import { createLineFinder } from '../../context/lines.ts';
import { readBuffer, withoutEnd } from '../../context/shown-text.ts';
import { numbered, type Uncounted } from '../../evidence/citations.ts';
import { withoutMarks } from '../../evidence/marks.ts';
import type { Run } from '../../run/run.ts';
import type { Passage } from '../../state.ts';
import type { Draft, Question } from '../strategy.ts';

const mostExamples = 5;
const mostDocuments = 20;
const mostCharacters = 200;

interface Counted extends LineCount {
  readonly reading: Reading;
}

const inWords = (lines: number): string => `${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`;

const rule = ({ criteria }: Reading): string => criteria.map(({ says }) => says).join(', and ');

/** Lines by document, the most first. */
function byDocument(counts: readonly DocumentCount[], run: Run): string {
  const ranked = counts.toSorted((a, b) => b.lines - a.lines);
  const shown = ranked
    .slice(0, mostDocuments)
    .map(({ document, lines }) => `${withoutMarks(run.documents[document]!.name)} ${lines.toLocaleString('en-US')}`);
  const more = ranked.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more documents`] : [])].join(', ');
}

/** Lines by log level, the most first; nothing where they all have the same. */
function byLevel({ levels, lines }: Counted): string[] {
  const ranked = [...levels].sort(([, a], [, b]) => b - a);
  if (ranked.length === 0 || ranked[0]![1] === lines) return [];
  return [`By log level: ${ranked.map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`).join(', ')}.`];
}

/** The chunk that holds the byte of the document. */
function chunkAt(store: ContextStore, { document, startByte }: CountedLine): Chunk {
  let [low, high] = [0, store.chunkCount - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const chunk = store.chunk(middle);
    const isBefore = chunk.document < document || (chunk.document === document && chunk.endByte <= startByte);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return store.chunk(low);
}

interface Example {
  readonly passage: Passage;
  readonly citation: Uncounted;
}

/** A counted line with its citation; of an overlong line, what stands in its first chunk. */
function exampleOf(line: CountedLine, { store }: Run): Example {
  const passage = store.plainPassage(chunkAt(store, line));
  const place = createLineFinder(store).around(line.document, line.startByte)!;
  const end = Math.min(place.endByte, passage.endByte);
  const quote = withoutEnd(readBuffer(store, line.document, line.startByte, end));
  const lines = { startLine: place.line, endLine: place.line };
  const bytes = { startByte: line.startByte, endByte: line.startByte + quote.length };
  const { id, source, hash } = passage;
  return { passage, citation: { passage: id, source, ...lines, ...bytes, hash, quote: quote.toString('utf8') } };
}

function shown({ citation }: Example): string {
  const text = withoutMarks(citation.quote!.replace(/\s+/g, ' ').trim());
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return `- ${cut} [${citation.passage}]`;
}

/** Other ways to understand the question that come to other numbers. */
function otherReadings([chosen, ...others]: readonly Counted[]): string[] {
  const told = new Set([chosen!.lines]);
  return others.flatMap(({ lines, reading }) => {
    if (lines === 0 || told.has(lines)) return [];
    told.add(lines);
    return [`Read otherwise: ${inWords(lines)} with ${rule(reading)}.`];
  });
}

function textOf(counts: readonly Counted[], examples: readonly Example[], run: Run): string {
  const { lines, documents, setAside, reading } = counts[0]!;
  const aside = setAside.length > 0 ? [`Not counted, as they are no logs: ${byDocument(setAside, run)}.`] : [];
  return [
    `${inWords(lines)} counted, in all of the text.`,
    `Rule: a line counts when it has ${rule(reading)}.`,
    ...(documents.length > 0 ? [`By document: ${byDocument(documents, run)}.`] : []),
    ...byLevel(counts[0]!),
    ...aside,
    ...otherReadings(counts),
    ...(examples.length > 0 ? [examples.length < lines ? 'The first of them:' : 'They are:'] : []),
    ...examples.map(shown),
  ].join('\n');
}

/** Whether a model reads the text better than the words of the question choose lines. */
const hasModel = (path: string, run: Run): boolean => run.modelInfo('scan', path).spends !== 'nothing';

/** What the readings come to, from the first one on that counts any line. */
async function countReadings({ readings, documents }: CountingQuestion, run: Run): Promise<Counted[]> {
  const counts: Counted[] = [];
  for (const reading of readings)
    counts.push({ reading, ...(await countLines(run.store, reading, documents, run.signal)) });
  const first = counts.findIndex(({ lines, reading }) => lines > 0 && !reading.isPartial);
  return first === -1 ? [] : counts.slice(first);
}

async function toDraft(asked: CountingQuestion, run: Run): Promise<Draft | null> {
  const counts = await countReadings(asked, run);
  if (counts.length === 0) return null;
  const lines = counts[0]!.documents.flatMap((one) => one.examples).slice(0, mostExamples);
  const examples = lines.map((line) => exampleOf(line, run));
  run.give(examples.map(({ passage }) => passage));
  return {
    strategy: 'scan',
    strategyReason: null,
    status: 'answered',
    answer: textOf(counts, examples, run),
    citations: numbered(examples.map(({ citation }) => citation)),
    assumptions: [],
    passages: run.passages([...new Set(examples.map(({ passage }) => passage.id))]),
    searches: [],
    steps: [],
    children: [],
    error: null,
  };
}

const namesIn = ({ documents }: Run): string[] => documents.map(({ name }) => name);

/**
 * Counts lines without a model, where the question says which; null where it does not, or there are none. What a model
 * can understand better than by its words is left to it.
 */
export async function countByCode({ question, path }: Question, run: Run): Promise<Draft | null> {
  const asked = readCounting(question, namesIn(run));
  return asked === null || (!asked.isExact && hasModel(path, run)) ? null : toDraft(asked, run);
}

/** Counts the lines with the tokens of a question of which nothing else was found; null where there are none. */
export async function countTokens({ question }: Question, run: Run): Promise<Draft | null> {
  const asked = readTokens(question, namesIn(run));
  const draft = asked && (await toDraft(asked, run));
  if (draft === null) return null;
  return { ...draft, answer: `Only the tokens of the question could be counted, not what limits it.\n${draft.answer}` };
}
