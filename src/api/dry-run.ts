import { type AskOptions, checkOptions, checkQuestion, configure } from '../assemble/ask-options.ts';
import { type Gathered, gather } from '../assemble/gather.ts';
import type { Measured } from '../assemble/measure-run.ts';
import { planRun, type RunPlan, usedByNow } from '../assemble/run-plan.ts';
import { withinTime } from '../assemble/within-time.ts';
import { createScope } from '../base/scope.ts';
import type { Settings } from '../config/settings.ts';
import { tokensOf, weightOf } from '../context/text-size.ts';
import type { Inputs } from '../inputs/gather-inputs.ts';
import type { ForeseenPages } from '../inputs/pictures.ts';
import { type PromptName, prompts } from '../prompts/index.ts';
import { mostSpent, servedBy } from '../run/door/asked.ts';
import { recursionWarning } from '../run/door/door.ts';
import type { Price } from '../run/door/prices.ts';
import { type Roster, type RunModel, smallestWindow, widen } from '../run/roster.ts';
import { cutIntoPieces, roomForPieces } from '../run/text/whole-text.ts';
import { followingStrategy } from '../stages/choose-strategy.ts';
import { type DocumentInfo, type StrategyName, strategyTraits, wayOf } from '../state.ts';
import { scanCalls } from '../strategies/scan/plan-reading.ts';

/** A model that a run may ask. */
interface PlannedModel {
  readonly provider: string;
  readonly model: string;
  /** The identifier of this version of the model; null if the server does not return one. */
  readonly digest: string | null;
  /** The number of concurrent calls that the server handles well. */
  readonly callsAtOnce: number;
  readonly windowTokens: number;
  readonly price: Price | null;
}

/** The number of pieces of a scan, and the number of calls of the whole run if it reaches no limit. */
interface ReadingCalls {
  readonly pieces: number;
  readonly fewestCalls: number;
  readonly mostCalls: number;
}

/** What a run would do, determined without asking a model. */
export interface DryRun {
  readonly schemaVersion: 1;
  readonly dryRun: true;
  readonly task: string;
  readonly provider: string;
  readonly model: string;
  /** All models of the run, `model` first. Prices are in USD per million tokens; null if unknown. */
  readonly models: readonly PlannedModel[];
  readonly documents: readonly DocumentInfo[];
  /** The description of the text that a prompt contains instead of the text. */
  readonly description: string;
  /** The size of all documents. `tokens` is an estimate, more often too high than too low. */
  readonly bytes: number;
  readonly tokens: number;
  /** Pages that are pictures, which a model reads first. `bytes` and `tokens` exclude them. Null if there are none. */
  readonly pictures: (ForeseenPages & { readonly provider: string; readonly model: string }) | null;
  readonly windowTokens: number;
  /** Whether the whole text fits one prompt. */
  readonly fits: boolean;
  /** The strategy that the settings and the measured facts select; null when only the planner decides. */
  readonly approach: StrategyName | null;
  /** The reason for `approach`, as a sentence. */
  readonly approachReason: string;
  /** The strategies from which the planner may choose; empty if `approach` is decided. */
  readonly plannerMayChoose: readonly StrategyName[];
  /**
   * The strategies that may follow a doubtful answer from passages, the cheapest first. In this list, `direct` means a
   * second answer from more of the text.
   */
  readonly mayClimbTo: readonly StrategyName[];
  /** The number of calls if nothing is split, repaired or retried. 0 if a cache is used: it may contain all replies. */
  readonly fewestCalls: number;
  /** The pieces and calls of a scan. Null for other strategies. */
  readonly reading: ReadingCalls | null;
  /**
   * The maximum that the run can spend. It is lower than the limits of the budget if the run cannot reach these limits.
   * `usd` is null if a price is unknown.
   */
  readonly worstCase: { readonly calls: number; readonly tokens: number; readonly usd: number | null };
  /** The date of the price table that was used; null if no table was used. */
  readonly pricesOf: string | null;
  /**
   * Estimated time, in seconds, of a run that splits, repairs and retries nothing. Excludes the time to load the model.
   * Derived from the model's speed in earlier runs on this machine. Null if the time cannot be estimated.
   */
  readonly estimatedSeconds: number | null;
  /** The time limit of the run, in seconds. */
  readonly timeout: number;
  readonly warnings: readonly string[];
}

/** Returns the maximum number of calls outside the strategy: by the planner, by the critic, and for the schema. */
const callsAround = ({ approach, critic }: Measured, { schema }: Settings): number =>
  Number(approach.isPlanned) + Number(critic !== 'no') + Number(schema !== null);

const skippableCalls = ({ critic }: Measured): number => Number(critic === 'inDoubt');

/** Maximum number of tries of a request. A call may need a second request, which repairs its reply. */
const triesOfTurn = 3;
const triesPerCall = 2 * triesOfTurn;

function readingOf(measured: Measured, task: string, settings: Settings): ReadingCalls | null {
  const { store, roster } = measured;
  const { approach } = measured.approach;
  if (approach === null || wayOf(approach) !== 'all' || store.documents.length === 0) return null;
  const windowOf = (prompt: PromptName) => smallestWindow(roster.modelsFor(prompt, '0'));
  const { info } = roster.modelsFor('scan', '0')[0]!;
  const pieces = cutIntoPieces(store, roomForPieces(windowOf('scan').passageBytes, task, store, info));
  const { fewestCalls, mostCalls } = scanCalls(pieces, { settings, passageBytes: windowOf('compose').passageBytes });
  const around = callsAround(measured, settings);
  return {
    pieces: pieces.length,
    fewestCalls: around - skippableCalls(measured) + fewestCalls,
    mostCalls: around * triesPerCall + mostCalls * triesOfTurn,
  };
}

/** Whether the stage `refine` may run. Only the budget limits its calls. */
const mayRefine = ({ roster, window }: Measured, { refine, budget }: Settings): boolean =>
  !window.fits &&
  refine > 0 &&
  budget.maxDepth > 0 &&
  followingStrategy(roster.modelsFor('explore', '0.1')[0]!.info) !== null;

/** Maximum number of calls that a second look adds: one for searches, one for an answer, two to judge both answers. */
const secondLookCalls = 4;

/** Returns the maximum number of calls; null if unknown. `pictures`: the number of pages that a model reads first. */
function mostCallsOf(
  measured: Measured,
  directCalls: number,
  reading: ReadingCalls | null,
  pictures: number,
  settings: Settings,
): number | null {
  const { plannerMayChoose, mayClimbTo, approach } = measured.approach;
  if (plannerMayChoose.length > 0 || mayClimbTo.some((one) => wayOf(one) !== 'passages')) return null;
  if (mayRefine(measured, settings)) return null;
  const calls = directCalls + mayClimbTo.length * secondLookCalls;
  const most = approach !== null && wayOf(approach) === 'passages' ? calls * triesPerCall : reading?.mostCalls;
  return most === undefined ? null : most + pictures * triesPerCall;
}

const widestOf = ({ roster, approach: { plannerMayChoose, mayClimbTo } }: Measured): Roster =>
  [...plannerMayChoose, ...mayClimbTo].some((one) => strategyTraits[one].widens) ? widen(roster) : roster;

function costWarnings(measured: Measured, settings: Settings): string[] {
  const { approach, plannerMayChoose, mayClimbTo } = measured.approach;
  const possible = [approach, ...plannerMayChoose, ...mayClimbTo];
  if (settings.budget.maxDepth === 0 || !possible.some((one) => one !== null && wayOf(one) === 'parts')) return [];
  const roster = widestOf(measured);
  const below = (Object.keys(prompts) as PromptName[]).flatMap((prompt) => roster.modelsFor(prompt, '0.1')[0]!);
  const { maxCalls } = settings.budget;
  return [...new Set(below)].flatMap((model) => recursionWarning(model, maxCalls, settings) ?? []);
}

function serverWarnings({ retrieval }: Settings, reading: ReadingCalls | null): string[] {
  if (retrieval.server === null) return [];
  if (reading !== null) return ['a scan reads only the given text, not the text on the search server'];
  return ['the run would also search the search server, which the dry run did not ask'];
}

/**
 * Returns what `ask` would do with the same question and options: the inputs and their sizes, the approach, and the
 * worst case. Inspects the provider, but asks no model.
 * @throws RlmError as `ask` does.
 */
export async function dryRun(question: string, options: AskOptions = {}): Promise<DryRun> {
  checkOptions('dryRun', options);
  checkQuestion(question);
  const plan = planRun(question, options, configure(options));
  const { configuration, signal } = plan;
  const scope = createScope();
  try {
    const gathered = await gather(plan, scope);
    return await withinTime(configuration.settings, usedByNow(plan), { signal }, () => foresee(plan, gathered));
  } finally {
    await scope.close();
  }
}

const toPlanned = ({ provider, info, window, price }: RunModel): PlannedModel => ({
  provider: provider.name,
  model: info.model,
  digest: info.digest,
  callsAtOnce: info.callsAtOnce,
  windowTokens: window.tokens,
  price: price && { input: price.input, output: price.output },
});

async function foreseePictures({ pending }: Inputs, { roster }: Measured, settings: Settings) {
  if (pending === undefined) return null;
  const { foreseePages } = await import('../assemble/transcribe.ts');
  const model = roster.modelsFor('transcribe', '0')[0]!;
  return { ...foreseePages(pending.scans, roster, settings), ...servedBy(model) };
}

async function foresee(plan: RunPlan, gathered: Gathered): Promise<DryRun> {
  const { task: question, configuration, env } = plan;
  const { chosen, text, role } = gathered;
  const { inputs } = text;
  const { provider, info } = chosen.models[0];
  const [{ settingsFor }, { foreseeSeconds, measureRun }, { describeText }] = await Promise.all([
    import('../assemble/create-run.ts'),
    import('../assemble/measure-run.ts'),
    import('../run/text/run-text.ts'),
  ]);
  const settings = settingsFor(configuration, chosen);
  const measured = await measureRun(question, settings, chosen, inputs, role);
  const { store, window, pricesOf } = measured;
  const pictures = await foreseePictures(inputs, measured, settings);
  const { approach, reason: approachReason, plannerMayChoose, mayClimbTo } = measured.approach;
  const { maxCalls } = settings.budget;
  const reading = readingOf(measured, question, settings);
  const directCalls = 1 + callsAround(measured, settings);
  const fewestDirect = directCalls - skippableCalls(measured);
  const fewest = plannerMayChoose.length > 0 ? fewestDirect : (reading?.fewestCalls ?? fewestDirect);
  const most = mostCallsOf(measured, directCalls, reading, pictures?.allowed ?? 0, settings);
  return configuration.redactor.value<DryRun>({
    ...{ schemaVersion: 1, dryRun: true, task: question, provider: provider.name, model: info.model },
    models: measured.roster.models.map(toPlanned),
    documents: store.documents,
    description: describeText(store, window),
    bytes: store.totalBytes,
    tokens: tokensOf(weightOf(store)),
    ...{ pictures, windowTokens: window.tokens, fits: window.fits },
    ...{ approach, approachReason, plannerMayChoose, mayClimbTo },
    fewestCalls: settings.cache.enabled ? 0 : Math.min(fewest, maxCalls),
    reading,
    worstCase: mostSpent(Math.min(maxCalls, most ?? maxCalls), widestOf(measured).models, settings),
    pricesOf,
    estimatedSeconds: await foreseeSeconds(fewest, measured, settings, env),
    timeout: settings.budget.timeout,
    warnings: [
      ...configuration.warnings,
      ...inputs.warnings,
      ...chosen.warnings,
      ...costWarnings(measured, settings),
      ...serverWarnings(settings, reading),
    ],
  });
}
