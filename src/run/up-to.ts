/** What a model is able to do. The program chooses by this test alone, and `rlm doctor` shows it. */
import type { ModelInfo } from '../providers/provider.ts';
import { type StrategyName, strategyNames, strategyTraits } from '../state.ts';

/** The facts that the test uses. */
export interface Tested {
  readonly name: string;
  readonly tools: boolean;
  readonly structuredOutput: boolean;
  /** The number of weights; null when unknown. */
  readonly weights: number | null;
  /** On disk, in bytes; null when unknown. */
  readonly sizeBytes: number | null;
  /** Null when unknown. */
  readonly windowTokens: number | null;
}

/** A model with fewer weights splits questions badly, but answers plain questions well. */
const strongWeights = 3e9;
/** The size of so many weights on disk, in bytes, at about 4 bits each. */
const strongBytes = 2e9;
/** A prompt that decides what to do next has to hold what was done before. */
const roomyTokens = 8_192;

/** Names of models that are made to write code: codestral, deepseek-coder, qwen2.5-coder … */
const writesCode = /cod(?:e|er|ex|ing|estral)(?![a-z])|devstral/i;

/** Such as `1.5b` in qwen2.5-coder:1.5b. */
const weightsInName = /(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i;

/** The number of weights that a model's name tells; null where it tells none. */
function weightsIn(text: string): number | null {
  const [, number, unit] = weightsInName.exec(text) ?? [];
  if (number === undefined || unit === undefined) return null;
  return Number(number) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6);
}

/** Whether a model is known to be small. */
export function isSmall({ name, weights, sizeBytes }: Pick<Tested, 'name' | 'weights' | 'sizeBytes'>): boolean {
  const known = weights ?? (sizeBytes === null ? weightsIn(name) : null);
  return known === null ? sizeBytes !== null && sizeBytes < strongBytes : known < strongWeights;
}

/**
 * The strategies that a model is up to. Each can answer from passages, and read the text piece by piece; what plans its
 * own steps is for models that are not small. To explore takes calls of tools, or replies of a given form; code can be
 * written in plain words, but takes a model that is made for it, or one that was taught tools, which are as strict.
 */
export function strategiesFor(model: Tested): ReadonlySet<StrategyName> {
  const { name, tools, structuredOutput, windowTokens } = model;
  const isStrong = !isSmall(model) && (windowTokens ?? roomyTokens) >= roomyTokens;
  const has = {
    nothing: true,
    strength: isStrong,
    actions: isStrong && (tools || structuredOutput),
    code: isStrong && (tools || writesCode.test(name)),
  };
  return new Set(strategyNames.filter((one) => has[strategyTraits[one].needs]));
}

/** The facts that a provider reports of its model. */
export const testedOf = ({ model, tools, structuredOutput, weights, maxWindowTokens }: ModelInfo): Tested => ({
  name: model,
  tools,
  structuredOutput,
  weights: weights ?? null,
  sizeBytes: null,
  windowTokens: maxWindowTokens,
});
