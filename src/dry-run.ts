import { type AskOptions, checkQuestion, configure, prepare } from './ask.ts';
import type { Settings } from './config/settings.ts';
import type { Measured } from './create-run.ts';
import type { ModelInfo } from './providers/provider.ts';
import { worstCase } from './run/ask-model.ts';
import type { Spending } from './run/budget.ts';
import { tokensOf } from './run/window.ts';
import type { DocumentInfo, StrategyName } from './state.ts';

/** What a run would do, found out without asking a model. */
export interface DryRun {
  readonly schemaVersion: 1;
  readonly dryRun: true;
  readonly task: string;
  readonly provider: string;
  readonly model: string;
  readonly documents: readonly DocumentInfo[];
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
  /** The most that the run can spend: its limits, or less where it cannot reach them. USD is null for an unknown price. */
  readonly worstCase: { readonly calls: number; readonly tokens: number; readonly usd: number | null };
  /** The day of the price table that was used; null where none was. */
  readonly pricesOf: string | null;
  /** In seconds. */
  readonly timeout: number;
  readonly warnings: readonly string[];
}

/** planner, answer, critic. */
const directCalls = 3;

/** Each call may need a repair turn, and each of both two further tries. */
const triesPerCall = 6;

function approachOf({ window, store }: Measured, { strategy }: Settings): StrategyName | null {
  if (strategy !== 'auto') return strategy;
  return window.fits && store.documents.length > 0 ? 'direct' : null;
}

function worstOf(approach: StrategyName | null, measured: Measured, settings: Settings, info: ModelInfo) {
  const { window, known } = measured;
  const { maxCalls, maxTokens, maxCost } = settings.budget;
  const calls = approach === 'direct' ? Math.min(maxCalls, directCalls * triesPerCall) : maxCalls;
  const parts = { settings, info, price: known?.price ?? null, windowTokens: window.tokens };
  const one: Spending = worstCase(window.tokens, parts);
  return {
    calls,
    tokens: Math.min(calls * one.tokens, maxTokens ?? Number.POSITIVE_INFINITY),
    usd: known ? Math.min(calls * one.usd, maxCost ?? Number.POSITIVE_INFINITY) : null,
  };
}

const unasked = ({ retrieval }: Settings): string[] =>
  retrieval.server === null ? [] : ['the search server is searched as well; it was not asked now'];

/**
 * What `ask` would do with the same question and options: the inputs and their sizes, the approach, and the worst case.
 * The provider is looked at, and no model is asked.
 * @throws RlmError as `ask` does.
 */
export async function dryRun(question: string, options: AskOptions = {}): Promise<DryRun> {
  const { cwd = process.cwd(), signal = new AbortController().signal } = options;
  checkQuestion(question);
  const configuration = configure(options);
  const { settings } = configuration;
  const [chosen, inputs] = await prepare(options, configuration, cwd, signal);
  const { provider, info } = chosen;
  const { measure } = await import('./create-run.ts');
  const measured = await measure(question, settings, chosen, inputs);
  const { store, window, known } = measured;
  const approach = approachOf(measured, settings);
  return configuration.redactor.value<DryRun>({
    schemaVersion: 1,
    dryRun: true,
    task: question,
    provider: provider.name,
    model: info.model,
    documents: store.documents,
    bytes: store.totalBytes,
    tokens: tokensOf(store.totalBytes),
    windowTokens: window.tokens,
    fits: window.fits,
    approach,
    fewestCalls: settings.cache.enabled ? 0 : Math.min(directCalls, settings.budget.maxCalls),
    worstCase: worstOf(approach, measured, settings, info),
    pricesOf: known?.date ?? null,
    timeout: settings.budget.timeout,
    warnings: [...configuration.warnings, ...inputs.warnings, ...chosen.warnings, ...unasked(settings)],
  });
}
