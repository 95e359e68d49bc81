import { readKnownModel } from '../cache/known-models.ts';
import { cacheFolder } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import { tokensOf, weightOf } from '../context/text-size.ts';
import { msAt, shortAnswerTokens } from '../run/door/serving/pace.ts';
import { modelName } from '../run/roster.ts';
import { excerptTokens } from '../strategies/excerpts.ts';
import type { AskOptions } from './ask-options.ts';
import type { Measured } from './measure-run.ts';

/** Tokens of a prompt besides its text, as they come out as a rule. */
const instructionTokens = 250;

/** Tokens of text in the prompt that answers from passages. */
function textTokens({ roster, store, window }: Measured, settings: Settings): number {
  const { info } = roster.modelsFor('answer', '0')[0]!;
  const excerpts = excerptTokens({ info, settings, fits: window.fits, wasTried: false });
  const { passages, chunkTokens, overlapTokens } = settings.context;
  const whole = window.fits ? tokensOf(weightOf(store)) : passages * (chunkTokens + overlapTokens);
  return Math.min(whole, excerpts ?? whole);
}

/**
 * About how long a run takes where nothing has to be split, mended or tried again, without the time that a server needs
 * to load the model.
 * @param calls that it takes then.
 * @returns whole seconds, by how fast the model was here in earlier runs; null where there was none, and where tools or
 *   parts decide how much is read.
 */
export async function foreseeSeconds(
  calls: number,
  measured: Measured,
  settings: Settings,
  env: NonNullable<AskOptions['env']>,
): Promise<number | null> {
  const { approach } = measured.approach;
  if (approach !== 'scan' && approach !== 'direct') return null;
  const { info, ...model } = measured.roster.modelsFor('answer', '0')[0]!;
  const name = modelName({ ...model, info });
  const { speed } = await readKnownModel(cacheFolder(settings, env), { name, digest: info.digest });
  if (speed === null) return null;
  const read = approach === 'scan' ? tokensOf(weightOf(measured.store)) : calls * textTokens(measured, settings);
  const tokens = { input: read + calls * instructionTokens, output: calls * shortAnswerTokens };
  return Math.ceil(msAt(speed, tokens) / 1_000);
}
