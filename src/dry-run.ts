import { type AskOptions, checkQuestion, configure } from './ask-options.ts';
import type { Configuration } from './config/layers.ts';
import type { Settings } from './config/settings.ts';
import type { Measured } from './measure-run.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type PromptName, prompts } from './prompts/index.ts';
import { closeRead } from './read-text.ts';
import { worstCase } from './run/ask-model.ts';
import { dearestOf, type Spending } from './run/budget.ts';
import type { Price } from './run/prices.ts';
import { recursionWarning } from './run/recursion-cost.ts';
import { type RunModel, smallestWindow } from './run/roster.ts';
import { cutIntoPieces, roomForPieces } from './run/whole-text.ts';
import { tokensOf } from './run/window.ts';
import type { DocumentInfo, StrategyName } from './state.ts';
import { scanCalls } from './strategies/scan/plan-reading.ts';

/** A model that a run may ask. */
interface PlannedModel {
  readonly provider: string;
  readonly model: string;
  readonly windowTokens: number;
  readonly price: Price | null;
}

/** What a run would do, found out without asking a model. */
export interface DryRun {
  readonly schemaVersion: 1;
  readonly dryRun: true;
  readonly task: string;
  readonly provider: string;
  readonly model: string;
  /** Every model of the run, its own first, with its price in USD per million tokens, or null. */
  readonly models: readonly PlannedModel[];
  readonly documents: readonly DocumentInfo[];
  /** What a model is told of the text in its place. */
  readonly description: string;
  /** Of all documents; tokens are estimated on the safe side. */
  readonly bytes: number;
  readonly tokens: number;
  readonly windowTokens: number;
  /** Whether the whole text fits one prompt. */
  readonly fits: boolean;
  /** How the question would be answered; null when the planner decides. */
  readonly approach: StrategyName | null;
  /** Calls that a run takes when nothing has to be split, mended or tried again; 0 where a cache may hold them all. */
  readonly fewestCalls: number;
  /** For a scan: what it takes to read all of the text, were there no limit; calls of the whole run. Null for others. */
  readonly reading: { readonly pieces: number; readonly fewestCalls: number; readonly mostCalls: number } | null;
  /** The most that the run can spend: its limits, or less where it cannot reach them. USD is null for an unknown price. */
  readonly worstCase: { readonly calls: number; readonly tokens: number; readonly usd: number | null };
  /** The day of the price table that was used; null where none was. */
  readonly pricesOf: string | null;
  /** In seconds. */
  readonly timeout: number;
  readonly warnings: readonly string[];
}

/** planner and critic. */
const callsAround = 2;

/** planner, answer, critic; and putting the passages in order, where they are searched for. */
const directCallsOf = ({ retrieval }: Settings, { window }: Measured) => (retrieval.rerank && !window.fits ? 4 : 3);

/** Each call may need a repair turn, and each of both two further tries. */
const triesOfTurn = 3;
const triesPerCall = 2 * triesOfTurn;

function approachOf({ window, store }: Measured, { strategy }: Settings): StrategyName | null {
  if (strategy !== 'auto') return strategy;
  return window.fits && store.documents.length > 0 ? 'direct' : null;
}

function readingOf(
  approach: StrategyName | null,
  { store, roster }: Measured,
  task: string,
  settings: Settings,
): DryRun['reading'] {
  if (approach !== 'scan' || store.documents.length === 0) return null;
  const roomOf = (prompt: PromptName) => smallestWindow(roster.modelsFor(prompt, '0'));
  const pieces = cutIntoPieces(store, roomForPieces(roomOf('scan'), task));
  const { fewestCalls, mostCalls } = scanCalls(pieces, { settings, passageBytes: roomOf('compose').passageBytes });
  return {
    pieces: pieces.length,
    fewestCalls: callsAround + fewestCalls,
    mostCalls: callsAround * triesPerCall + mostCalls * triesOfTurn,
  };
}

/** The most calls that a run takes, were there no limit; null where that is not known. */
function mostCallsOf(approach: StrategyName | null, directCalls: number, reading: DryRun['reading']): number | null {
  return approach === 'direct' ? directCalls * triesPerCall : (reading?.mostCalls ?? null);
}

function worstOf(most: number | null, { roster }: Measured, settings: Settings) {
  const { maxCalls, maxTokens, maxCost } = settings.budget;
  const calls = Math.min(maxCalls, most ?? maxCalls);
  const one: Spending = dearestOf(roster.models.map((model) => worstCase(model, settings)));
  const isKnown = roster.models.every(({ price }) => price !== null);
  return {
    calls,
    tokens: Math.min(calls * one.tokens, maxTokens ?? Number.POSITIVE_INFINITY),
    usd: isKnown ? Math.min(calls * one.usd, maxCost ?? Number.POSITIVE_INFINITY) : null,
  };
}

/** Of models that cost money, where questions may be split. */
function costWarnings(approach: StrategyName | null, { roster }: Measured, settings: Settings): string[] {
  if (settings.budget.maxDepth === 0 || (approach !== null && approach !== 'decompose')) return [];
  const below = (Object.keys(prompts) as PromptName[]).flatMap((prompt) => roster.modelsFor(prompt, '0.1')[0]!);
  const { maxCalls } = settings.budget;
  return [...new Set(below)].flatMap((model) => recursionWarning(model, maxCalls, settings) ?? []);
}

function unasked({ retrieval }: Settings, reading: DryRun['reading']): string[] {
  if (retrieval.server === null) return [];
  if (reading !== null) return ['a scan reads only the text that is given here, and not what the search server has'];
  return ['the search server is searched as well; it was not asked now'];
}

/**
 * What `ask` would do with the same question and options: the inputs and their sizes, the approach, and the worst case.
 * The provider is looked at, and no model is asked.
 * @throws RlmError as `ask` does.
 */
export async function dryRun(question: string, options: AskOptions = {}): Promise<DryRun> {
  const { cwd = process.cwd(), signal = new AbortController().signal } = options;
  checkQuestion(question);
  const configuration = configure(options);
  const prepared = await prepare(options, configuration, cwd, signal);
  try {
    return await foresee(question, configuration, prepared);
  } finally {
    closeRead(prepared);
  }
}

const toPlanned = ({ provider, info, window, price }: RunModel): PlannedModel => ({
  provider: provider.name,
  model: info.model,
  windowTokens: window.tokens,
  price: price && { input: price.input, output: price.output },
});

async function foresee(
  question: string,
  configuration: Configuration,
  { chosen, inputs, role }: Prepared,
): Promise<DryRun> {
  const { provider, info } = chosen.models[0];
  const [{ measure, settingsFor }, { describeText }] = await Promise.all([
    import('./measure-run.ts'),
    import('./run/describe-text.ts'),
  ]);
  const settings = settingsFor(configuration, chosen);
  const measured = await measure(question, settings, chosen, inputs, role);
  const { store, window, pricesOf } = measured;
  const approach = approachOf(measured, settings);
  const reading = readingOf(approach, measured, question, settings);
  const directCalls = directCallsOf(settings, measured);
  const fewest = reading?.fewestCalls ?? directCalls;
  return configuration.redactor.value<DryRun>({
    schemaVersion: 1,
    dryRun: true,
    task: question,
    provider: provider.name,
    model: info.model,
    models: measured.roster.models.map(toPlanned),
    documents: store.documents,
    description: describeText(store, window),
    bytes: store.totalBytes,
    tokens: tokensOf(store.totalBytes),
    windowTokens: window.tokens,
    fits: window.fits,
    approach,
    fewestCalls: settings.cache.enabled ? 0 : Math.min(fewest, settings.budget.maxCalls),
    reading,
    worstCase: worstOf(mostCallsOf(approach, directCalls, reading), measured, settings),
    pricesOf,
    timeout: settings.budget.timeout,
    warnings: [
      ...configuration.warnings,
      ...inputs.warnings,
      ...chosen.models.flatMap((one) => one.warnings),
      ...costWarnings(approach, measured, settings),
      ...unasked(settings, reading),
    ],
  });
}
