import type { Settings } from '../config/settings.ts';
import { bytesOf, weigh } from '../context/text-size.ts';
import type { RlmError } from '../errors.ts';
import { checkCitations } from '../evidence/citations.ts';
import { compressPassages, quotePassages } from '../providers/compress-passages.ts';
import type { ModelInfo } from '../providers/provider.ts';
import { isSmall } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import type { RunText } from '../run/text/run-text.ts';
import type { Passage } from '../state.ts';
import { type Draft, draftBy, type Question } from './strategy.ts';

/** Tokens for the sentences that a small model reads first. Long prompts cost time and accuracy (arXiv 2510.05381). */
const smallRoom = 1_000;
/** Tokens for the sentences that a slow model reads first. */
const slowRoom = 1_600;
/** A model is slow if it takes longer than this to answer from the whole passages, in ms. */
const slowMs = 30_000;

/** Factor by which the room grows in a second look. */
const secondBy = 2;

/** Whether embeddings or a server rank the passages. Then words do not show which sentences are best. */
const isByMeaning = ({ embedding, retrieval }: Settings): boolean =>
  embedding.model !== null || retrieval.server !== null;

interface Reader extends Pick<Run, 'settings'>, Pick<RunText, 'fits'> {
  readonly info: ModelInfo;
  readonly isSecond: boolean;
  /** Estimated time to answer from the whole passages, in ms; null if the model's speed is unknown. */
  readonly wholeMs: number | null;
}

/** Returns how many tokens of the best sentences a model reads; null if it reads whole passages. */
export function excerptTokens({ info, settings, fits, isSecond, wholeMs }: Reader): number | null {
  if (info.spends === 'nothing' || isByMeaning(settings) || (fits && isSecond)) return null;
  const room = isSmall(info) ? smallRoom : (wholeMs ?? 0) > slowMs ? slowRoom : null;
  return room && room * (isSecond ? secondBy : 1);
}

/** Number of tokens of a short answer, to estimate the time. */
const answerTokens = 100;

function roomFor({ path, earlierStep }: Question, passages: readonly Passage[], run: Run): number | null {
  const { text, models, settings } = run;
  const input = Math.ceil(passages.reduce((sum, { text: own }) => sum + weigh(own), 0) / bytesOf(1));
  return excerptTokens({
    info: models.info('answer', path),
    settings,
    fits: text.fits,
    isSecond: earlierStep !== null,
    wholeMs: models.msFor('answer', path, { input, output: answerTokens }),
  });
}

/** Returns passages as a model reads them, whole or in excerpts. */
export function shownTo(asked: Question, passages: readonly Passage[], run: Run): readonly Passage[] {
  const room = roomFor(asked, passages, run);
  if (room === null) return passages;
  const { shown, missing } = asked.earlierStep ?? { shown: [], missing: [] };
  const query = [asked.question, ...missing].join('\n');
  return [...shown, ...compressPassages(query, passages, room, shown)];
}

/** Quotes the best sentences in place of a missing answer; null if none match. `error` makes the draft partial. */
export function quoteDraft(question: string, passages: readonly Passage[], error: RlmError | null): Draft | null {
  const quotes = quotePassages(question, passages);
  if (quotes.citations.length === 0) return null;
  const { answer, citations } = checkCitations(quotes.answer, quotes.citations, passages);
  const strategyReason = 'the model gave no usable answer';
  return draftBy('direct', { strategyReason, answer, citations, passages, error: error?.toInfo() ?? null });
}
