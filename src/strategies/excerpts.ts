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
 * Tokens of text that a question is answered from at first. A long prompt takes a small model most of its time, and
 * costs accuracy (arXiv 2510.05381).
 */
const smallRoom = 1_000;
const ordinaryRoom = 1_600;

/** The factor by which more is read in a second attempt. */
const widerBy = 2;

/** Whether embeddings, a model or a server rank the passages: then a ranking by words does not tell what matters. */
const isByMeaning = ({ embedding, retrieval }: Settings): boolean =>
  embedding.model !== null || retrieval.rerank || retrieval.server !== null;

/** Who reads passages for a question. */
interface Reader extends Pick<Run, 'settings'>, Pick<RunText, 'fits'> {
  readonly info: ModelInfo;
  /** Whether an answer from fewer sentences left a doubt. */
  readonly wasTried: boolean;
}

/**
 * Tokens of text that a model reads of the passages for a question; null where it reads them whole: one that takes all
 * of the text well, or none, and where words do not tell what of them counts.
 */
export function excerptTokens({ info, settings, fits, wasTried }: Reader): number | null {
  const small = isSmall(testedOf(info));
  if (isByMeaning(settings)) return null;
  if (info.spends === 'nothing' || (fits && (wasTried || !small))) return null;
  return (small ? smallRoom : ordinaryRoom) * (wasTried ? widerBy : 1);
}

const roomFor = ({ path, tried }: Question, { text, models, settings }: Run): number | null =>
  excerptTokens({ info: models.info('answer', path), settings, fits: text.fits, wasTried: tried !== null });

/** Whether some of the text of its passages is not shown for a question. */
export function leavesOut(asked: Question, run: Run): boolean {
  const room = roomFor(asked, run);
  return room !== null && (asked.passages ?? []).reduce((sum, { text }) => sum + weigh(text), 0) > bytesOf(room);
}

/**
 * What a model is shown of passages: the sentences that suit the question best, with what stands around them. What was
 * shown before comes first, as it was, and others after it.
 */
export function excerptsFor(asked: Question, passages: readonly Passage[], run: Run): readonly Passage[] {
  const room = roomFor(asked, run);
  if (room === null) return passages;
  const { shown, words } = asked.tried ?? { shown: [], words: '' };
  const query = words === '' ? asked.question : `${asked.question}\n${words}`;
  return [...shown, ...compressPassages(query, passages, room, shown)];
}
