/** Decides which strategies a model is capable of, for the program and for `rlm doctor`. */
import type { ModelInfo } from '../providers/provider.ts';
import { type StrategyName, strategyNames, strategyTraits } from '../state.ts';

/** Known facts about a model, from its provider or from a list of models. */
export interface ModelFacts extends Pick<ModelInfo, 'model' | 'tools' | 'structuredOutput' | 'weights'> {
  /** Size on disk in bytes; null or left out when unknown. */
  readonly sizeBytes?: number | null;
  /** Null when unknown. */
  readonly maxWindowTokens: number | null;
}

/** A model with fewer weights splits questions badly, but answers plain questions well. */
const strongWeights = 3e9;
/** The size on disk of `strongWeights` weights, in bytes, at about 5 bits each. */
const strongBytes = 2e9;
/** The smallest window, in tokens, for strategies other than `direct` and `scan`. */
const smallestWindow = 8_192;

/** Matches names of models trained to write code (codestral, codellama, opencoder, qwen2.5-coder), not of encoders. */
const writesCode = /(?<!(?<!op)en|de|trans)cod(?:e(?!c)|ing)|devstral/i;

/** Matches the number of weights in a name, such as `1.5b`, but not `1m`, which is the size of a context. */
const weightsInName = /(?:^|[^a-z0-9.])(\d+(?:\.\d+)?(?=b)|\d{2,}(?=m))([bm])(?![a-z0-9])/i;

function weightsIn(text: string): number | null {
  const [, number, unit] = weightsInName.exec(text) ?? [];
  if (number === undefined || unit === undefined) return null;
  return Number(number) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6);
}

/** Whether a model is known to be small: by its weights, its size on disk, or its name. */
export function isSmall({ model, weights, sizeBytes = null }: ModelFacts): boolean {
  const known = weights ?? (sizeBytes === null ? weightsIn(model) : null);
  return known === null ? sizeBytes !== null && sizeBytes < strongBytes : known < strongWeights;
}

/** Returns the strategies that a model is capable of. */
export function strategiesFor(facts: ModelFacts): ReadonlySet<StrategyName> {
  const { model, tools, structuredOutput, maxWindowTokens } = facts;
  const isStrong = !isSmall(facts) && (maxWindowTokens ?? smallestWindow) >= smallestWindow;
  const has = {
    nothing: true,
    strength: isStrong,
    actions: isStrong && (tools || structuredOutput),
    code: isStrong && (tools || writesCode.test(model)),
  };
  return new Set(strategyNames.filter((one) => has[strategyTraits[one].needs]));
}
