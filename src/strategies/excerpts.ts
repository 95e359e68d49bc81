import type { Settings } from '../config/settings.ts';
import { bytesOf, weigh } from '../context/text-size.ts';
import { compressPassages } from '../providers/compress-passages.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Run } from '../run/run.ts';
import type { RunText } from '../run/text/run-text.ts';
import { isSmall, testedOf } from '../run/up-to.ts';
import type { Passage } from '../state.ts';
import type { Question } from './strategy.ts';

/**
 * Tokens of text that the first answer reads. A small model spends most of its time on a long prompt, and loses
 * accuracy (arXiv 2510.05381).
 */
const smallRoom = 1_000;
const ordinaryRoom = 1_600;

/** Factor by which a second attempt reads more. */
const widerBy = 2;

/** Whether embeddings, a model or a server rank the passages; then a ranking by words does not show what matters. */
const isByMeaning = ({ embedding, retrieval }: Settings): boolean =>
  embedding.model !== null || retrieval.rerank || retrieval.server !== null;

/** The model that reads passages for a question. */
interface Reader extends Pick<Run, 'settings'>, Pick<RunText, 'fits'> {
  readonly info: ModelInfo;
  /** Whether an answer from fewer sentences left a doubt. */
  readonly wasTried: boolean;
}

/**
 * Returns how many tokens of the passages a model reads for a question. Null where it reads them whole: a model that
 * handles the whole text well, no text at all, and passages that are not ranked by words.
 */
export function excerptTokens({ info, settings, fits, wasTried }: Reader): number | null {
  const small = isSmall(testedOf(info));
  if (isByMeaning(settings)) return null;
  if (info.spends === 'nothing' || (fits && (wasTried || !small))) return null;
  return (small ? smallRoom : ordinaryRoom) * (wasTried ? widerBy : 1);
}

const roomFor = ({ path, begun }: Question, { text, models, settings }: Run): number | null =>
  excerptTokens({ info: models.info('answer', path), settings, fits: text.fits, wasTried: begun !== null });

/** Whether a question's prompt leaves out text of its passages. */
export function leavesOut(asked: Question, run: Run): boolean {
  const room = roomFor(asked, run);
  return room !== null && (asked.passages ?? []).reduce((sum, { text }) => sum + weigh(text), 0) > bytesOf(room);
}

/**
 * Returns excerpts of passages: the sentences that match the question best, with their surroundings. Excerpts that
 * were shown before come first and unchanged.
 */
export function excerptsFor(asked: Question, passages: readonly Passage[], run: Run): readonly Passage[] {
  const room = roomFor(asked, run);
  if (room === null) return passages;
  const { shown, missing } = asked.begun ?? { shown: [], missing: [] };
  const query = [asked.question, ...missing].join('\n');
  return [...shown, ...compressPassages(query, passages, room, shown)];
}
