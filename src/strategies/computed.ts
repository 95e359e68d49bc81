/** Answers that code computes without a language model, for questions that translate to SQL. */

import { cutText } from '../base/text.ts';
import { betweenValues, computedPassage, sqlLine } from '../context/computed-passage.ts';
import { RlmError, type Warn } from '../errors.ts';
import { checkCitation, citePlace, numbered, type Uncounted } from '../evidence/citations.ts';
import { withoutMarks } from '../evidence/marks.ts';
import { translateQuestion } from '../query/query.ts';
import { type CitedLines, limitsOf, type TranslatedQuestion, type Translation } from '../query/query-result.ts';
import { holdsRecords } from '../query/records/index.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import { passageAt } from '../tools/places.ts';
import { type Draft, draftBy, type Question, unreadServer } from './strategy.ts';
import { givePassages } from './tool-world.ts';

/** Share of computed answers that were right on new questions, rounded down (docs/decisions/0036-tables.md). */
const certainty = 0.9;

const otherwise =
  'the best lines are quoted. To compute a number: rlm query "select …" (rlm query PATH shows the tables), or name a model with --model';

function noteOf({ translated, asksNumber, limitMb }: Translation): string | null {
  if (limitMb !== undefined) return `nothing is computed over more than ${limitMb} MB of records; ${otherwise}`;
  const isWanting = translated === null && asksNumber;
  return isWanting
    ? `no number was computed, as the question does not translate to SQL word for word; ${otherwise}`
    : null;
}

/** Translates the question to SQL and runs it. Null if that is impossible. */
export async function translated(
  question: string,
  { text, settings, budget }: Run,
  warn: Warn,
): Promise<TranslatedQuestion | null> {
  if (!holdsRecords(text.store)) return null;
  try {
    const found = await translateQuestion(text.store, question, limitsOf(settings), budget.signal);
    const note = noteOf(found);
    if (note !== null) warn('not-computed', note);
    return found.translated;
  } catch (error) {
    if (!(error instanceof RlmError) || error.code !== 'query-limit') throw error;
    warn('not-computed', `${error.message}; the best lines are quoted. ${error.hint}`);
    return null;
  }
}

function passageOf({ sql, values }: TranslatedQuestion, run: Run): Passage {
  const passage = computedPassage({ by: 'query', code: sql, output: values.map(String).join(betweenValues) });
  givePassages([passage], run);
  return passage;
}

/** Returns a question's SQL with its result; null if the question does not translate. */
export async function translatedQuery(question: string, run: Run) {
  const found = await translated(question, run, () => {});
  if (found === null) return null;
  const passage = passageOf(found, run);
  const result = `[${passage.id}] ${withoutMarks(found.words)}`;
  return { queried: { sql: found.sql, result, ids: [passage.id] }, passages: [passage] };
}

function citeLine(place: CitedLines, run: Run): { readonly passage: Passage; readonly citation: Uncounted } | null {
  const passage = passageAt(run.text.store, place);
  const lines = passage?.text.split('\n') ?? [];
  const index = place.startLine - (passage?.startLine ?? 0);
  const line = lines[index]?.trimEnd() ?? '';
  if (passage === null || line === '') return null;
  const start = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);
  return { passage, citation: citePlace(passage, { start, end: start + line.length }, 'code') };
}

/** Writes a single number at the end of the words as a cited line does: `1.20` for 1.2, which may be a room. */
function asCited({ words, values: [value, ...more] }: TranslatedQuestion, lines: readonly { quote: string | null }[]) {
  if (typeof value !== 'number' || more.length > 0 || !words.endsWith(`: ${value}`)) return words;
  const forms = ['', Number.isInteger(value) ? '\\.0+' : '0+'].flatMap((zeros) => {
    const written = new RegExp(`(?<![\\d.])${String(value).replace('.', '\\.')}${zeros}(?![\\d.]*\\d)`, 'u');
    return lines.flatMap(({ quote }) => written.exec(quote ?? '')?.[0] ?? []);
  });
  return words.slice(0, -String(value).length) + (forms[0] ?? value);
}

const mostQuotedCharacters = 200;

function draftFrom(found: TranslatedQuestion, run: Run): Draft {
  const { sql, places, notes } = found;
  const computed = passageOf(found, run);
  const lines = places.flatMap((place) => citeLine(place, run) ?? []);
  const passages = [computed, ...new Map(lines.map(({ passage }) => [passage.id, passage])).values()];
  givePassages(passages, run);
  const words = asCited(
    found,
    lines.map(({ citation }) => citation),
  );
  const [first, ...more] = withoutMarks(words).split('\n');
  const answer = [
    `${first} [${computed.id}]`,
    ...more,
    sqlLine(withoutMarks(sql)),
    ...notes.map((note) => `Note: ${note}.`),
    ...lines.map(
      ({ passage, citation }) =>
        `- ${cutText(withoutMarks(citation.quote!.trim()), mostQuotedCharacters)} [${passage.id}]`,
    ),
    ...(run.settings.retrieval.server === null ? [] : [unreadServer]),
  ].join('\n');
  const whole = checkCitation({ passage: computed.id, quote: null }, passages, 0) as { readonly citation: Uncounted };
  const citations = numbered([whole.citation, ...lines.map(({ citation }) => citation)]);
  return draftBy('direct', { answer, citations, passages, certainty });
}

const proposing =
  'Not found: nothing was computed, because only a reader knows what each row is; if each row counts, this SQL answers the question (rlm query runs it):';

const readAlone = 'the question is read alone, without the earlier questions and answers';

/** Computes the answer to a question, or proposes SQL; null if the question does not translate to SQL. */
export async function compute({ question, known, path }: Question, run: Run): Promise<Draft | null> {
  const found = await translated(question, run, run.events.warn);
  if (found === null) return null;
  if (!found.isExact) return draftBy('direct', { answer: `${proposing} ${withoutMarks(found.sql)}`, tells: 'nothing' });
  const notes = path === '0' && known.length > 0 ? [readAlone, ...found.notes] : found.notes;
  return draftFrom({ ...found, notes }, run);
}
