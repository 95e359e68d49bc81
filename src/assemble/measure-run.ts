import { readKnownModel } from '../cache/known-models.ts';
import { cacheFolder } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import { tokensOf, weigh, weightOf } from '../context/text-size.ts';
import { RlmError } from '../errors.ts';
import type { Inputs } from '../inputs/gather-inputs.ts';
import type { ModelInfo } from '../providers/provider.ts';
import { type Role, supplementBytes } from '../roles/role.ts';
import { dearestCall } from '../run/door/asked.ts';
import { createBudget } from '../run/door/budget.ts';
import { msAt, type Speed, shortAnswerTokens } from '../run/door/pace.ts';
import { findPrice, type KnownPrice } from '../run/door/prices.ts';
import { chooseWindows, largestWindow, textBytesOf } from '../run/door/window.ts';
import { depthOf, modelName, type Roster, smallestWindow, widen } from '../run/roster.ts';
import { runLimitsOf } from '../run/start.ts';
import { type Foreseen, foreseeApproach, measureFacts } from '../stages/choose-strategy.ts';
import { wantsCritic } from '../stages/critic.ts';
import { strategyTraits, wayOf } from '../state.ts';
import { excerptTokens } from '../strategies/excerpts.ts';
import type { AskOptions } from './ask-options.ts';
import type { Chosen, ChosenModels } from './models/choose-provider.ts';

type MeasuredText = Pick<Inputs, 'store' | 'pending'>;

const pageBytes = 3_000;

/** Estimates the text size, in bytes, of the documents with pages that a model has yet to read. */
function bytesToCome({ pending }: MeasuredText): number {
  const pages = (pending?.scans ?? []).flatMap((scan) => scan.pages);
  return pages.reduce((total, text) => total + (text?.length ?? pageBytes), 0);
}

function checkText(chosen: Chosen, { store, pending }: MeasuredText, { retrieval }: Settings): void {
  if (store.documents.length > 0 || pending || retrieval.server !== null || chosen.info.answersWithoutText) return;
  const { provider, missing } = chosen;
  const why = missing ? `no language model to ask: ${missing.message}` : `${provider.name} answers only from text`;
  const hint = 'Name files (rlm ask "…" notes.md src/) or pipe text in (cat build.log | rlm ask "…").';
  throw new RlmError('no-text', `there is no text to search, and ${why}`, {
    hint: missing ? `${hint} Or set up a model: ${missing.hint}` : hint,
  });
}

function checkTaskFits(task: string, info: ModelInfo, settings: Settings): void {
  const window = largestWindow(info, settings);
  const tokens = tokensOf(weigh(task));
  if (tokens <= window / 4) return;
  const message = `the question has about ${tokens} tokens; the window of ${info.model} has ${window}`;
  throw new RlmError('input-too-large', message, {
    hint: 'Put the long text into a file or pipe it in, and ask a short question about it.',
  });
}

function checkPriceKnown(known: KnownPrice | null, model: Chosen, { budget }: Settings): void {
  if (known !== null || budget.maxCost === null) return;
  const name = modelName(model);
  throw new RlmError('config-invalid', `the price of ${name} is not known, so a limit on money cannot be enforced`, {
    hint: `Set it in your own configuration: "prices": {"${name}": {"input": 1, "output": 5}} (USD per million tokens).`,
  });
}

/** The facts that are known about a run before it begins. */
export type Measured = Awaited<ReturnType<typeof measureRun>>;

async function measureModel(chosen: Chosen, textBytes: number, task: string, settings: Settings, role: Role | null) {
  const { provider, info } = chosen;
  checkTaskFits(task, info, settings);
  const known = await findPrice(provider.name, info, settings.prices);
  checkPriceKnown(known, chosen, settings);
  const taskBytes = weigh(task) + supplementBytes(role);
  const windows = chooseWindows(textBytes, taskBytes, info, settings);
  return { date: known?.date ?? null, model: { provider, info, price: known?.price ?? null, ...windows } };
}

function foresee(settings: Settings, text: MeasuredText, role: Role | null, roster: Roster): Foreseen {
  const chunkCount = text.store.chunkCount + (text.pending?.scans.length ?? 0);
  const facts = measureFacts({
    settings,
    role,
    text: { store: { chunkCount }, fits: smallestWindow(roster.modelsFor('answer', '0')).fits },
    budget: createBudget(runLimitsOf(settings), { dearest: dearestCall(roster.models, settings) }),
    models: { info: (prompt, path) => roster.modelsFor(prompt, path)[0]!.info },
  });
  return foreseeApproach(facts);
}

/**
 * Checks the question against the text and the models, and chooses the windows. Chooses large windows if the text will
 * probably be explored, because a local server reloads its model when the window changes.
 * @throws RlmError `no-text`, `input-too-large`; `config-invalid` for a limit on money without a price.
 */
export async function measureRun(
  task: string,
  settings: Settings,
  chosen: ChosenModels,
  text: MeasuredText,
  role: Role | null,
) {
  const { store } = text;
  checkText(chosen.modelsFor('answer', 0)[0]!, text, settings);
  // The size of the text on a search server is unknown. It is assumed to be larger than any window.
  const isKnown = settings.retrieval.server === null;
  const textBytes = isKnown ? textBytesOf(store) + bytesToCome(text) : Number.POSITIVE_INFINITY;
  const measured = await Promise.all(chosen.models.map((one) => measureModel(one, textBytes, task, settings, role)));
  const byChosen = new Map(chosen.models.map((one, index) => [one, measured[index]!.model]));
  const modelsFor: Roster['modelsFor'] = (prompt, path) =>
    chosen.modelsFor(prompt, depthOf(path)).map((one) => byChosen.get(one)!);
  const narrow: Roster = { models: [...byChosen.values()], modelsFor };
  const foreseen = foresee(settings, text, role, narrow);
  const roster = foreseen.approach !== null && strategyTraits[foreseen.approach].widens ? widen(narrow) : narrow;
  return {
    store,
    roster,
    window: smallestWindow(roster.modelsFor('answer', '0')),
    /** The approach. It is predicted again for wider windows, which may change how the text is read. */
    approach: roster === narrow ? foreseen : foresee(settings, text, role, roster),
    critic: wantsCritic(settings, roster.modelsFor('critic', 'critic')[0]!.info),
    /** The date of the used price table; null if none was used. */
    pricesOf: measured.find(({ date }) => date !== null)?.date ?? null,
  };
}

/** Typical number of prompt tokens besides the text. */
const instructionTokens = 250;

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
 * @returns whole seconds, from the model's speed in earlier runs on this machine. Null if the speed is unknown, or if
 *   the planner, tools or sub-questions decide how much is read.
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
