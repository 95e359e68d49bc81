import { readKnownModel } from '../cache/known-models.ts';
import { cacheFolder } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import { tokensOf, weightOf } from '../context/text-size.ts';
import { msAt, type Speed, shortAnswerTokens } from '../run/door/pace.ts';
import { modelName } from '../run/roster.ts';
import { wayOf } from '../state.ts';
import { excerptTokens } from '../strategies/excerpts.ts';
import type { AskOptions } from './ask-options.ts';
import type { Measured } from './measure-run.ts';

/** Typical number of prompt tokens besides the text. */
const instructionTokens = 250;

/** Tokens of text in the prompt that answers from passages. */
function textTokens({ roster, store, window }: Measured, settings: Settings, speed: Speed): number {
  const { info } = roster.modelsFor('answer', '0')[0]!;
  const { passages, chunkTokens, overlapTokens } = settings.context;
  const look = window.lookBytes === null ? passages * (chunkTokens + overlapTokens) : tokensOf(window.lookBytes);
  const whole = window.fits ? tokensOf(weightOf(store)) : look;
  const wholeMs = msAt(speed, { input: whole, output: shortAnswerTokens });
  const excerpts = excerptTokens({ info, settings, fits: window.fits, isSecond: false, wholeMs });
  return Math.min(whole, excerpts ?? whole);
}

/**
 * Estimates how long a run takes if nothing is split, repaired or retried, without the time to load the model.
 * @param calls the number of calls of such a run.
 * @returns whole seconds, from the model's speed in earlier runs on this machine; null where that is unknown, and
 *   where tools or sub-questions decide how much is read.
 */
export async function foreseeSeconds(
  calls: number,
  measured: Measured,
  settings: Settings,
  env: NonNullable<AskOptions['env']>,
): Promise<number | null> {
  const { approach } = measured.approach;
  const way = approach && wayOf(approach);
  if (way !== 'all' && way !== 'passages') return null;
  const { info, ...model } = measured.roster.modelsFor('answer', '0')[0]!;
  const name = modelName({ ...model, info });
  const { speed } = await readKnownModel(cacheFolder(settings, env), { name, digest: info.digest });
  if (speed === null) return null;
  const read = way === 'all' ? tokensOf(weightOf(measured.store)) : calls * textTokens(measured, settings, speed);
  const tokens = { input: read + calls * instructionTokens, output: calls * shortAnswerTokens };
  return Math.ceil(msAt(speed, tokens) / 1_000);
}
