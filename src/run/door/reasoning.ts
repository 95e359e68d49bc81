import type { Settings } from '../../config/settings.ts';
import { RlmError } from '../../errors.ts';
import { type PromptInput, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import type { Reasoning } from '../../providers/provider.ts';
import { OnlyThought, thinkingTokens } from '../../providers/thinking.ts';

/** How much a model is asked to think for a reply. */
export interface AskedReasoning {
  /** Null for the model's default. */
  readonly level: Reasoning | null;
  /** Whether the setting is `auto`, and no earlier reply was only thinking. */
  readonly isDefault: boolean;
}

const less: Readonly<Record<Reasoning, Reasoning>> = { high: 'low', medium: 'low', low: 'none', none: 'none' };

/**
 * Returns how much a model is asked to think: not at all for a prompt with `isQuick`.
 * @param isLess whether the model is asked to think less, because an earlier reply was only thinking.
 */
export function reasoningFor({ prompt }: PromptInput, { reasoning }: Settings, isLess: boolean): AskedReasoning {
  const { isQuick } = prompts[prompt] as unknown as Prompt<unknown, Fields>;
  const set = reasoning === 'auto' ? null : reasoning;
  const level = isQuick ? 'none' : set;
  return { level: isLess ? less[level ?? 'low'] : level, isDefault: set === null && !isLess };
}

/** Returns the tokens to reserve for thinking in a reply; 0 if the setting `reasoning` is `auto`. */
export const reservedThinkingTokens = ({ level, isDefault }: AskedReasoning): number =>
  level === null || isDefault ? 0 : thinkingTokens[level];

/** Returns the maximum number of tokens that thinking adds to a reply; 0 for `auto`. Worst-case costs include them. */
export const maxThinkingTokens = ({ reasoning }: Pick<Settings, 'reasoning'>): number =>
  reasoning === 'auto' ? 0 : thinkingTokens[reasoning];

/** Returns the error's `OnlyThought` cause, which contains the used tokens; null for other errors. */
export const onlyThought = (error: unknown): OnlyThought | null =>
  error instanceof RlmError && error.cause instanceof OnlyThought ? error.cause : null;
