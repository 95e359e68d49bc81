/** How much the model of a call thinks. */
import type { Settings } from '../../config/settings.ts';
import { RlmError } from '../../errors.ts';
import { type PromptInput, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import type { Reasoning } from '../../providers/provider.ts';
import { OnlyThought, thinkingTokens } from '../../providers/thinking.ts';

/** How much to think for a reply. */
export interface AskedReasoning {
  /** Null: as the model does by default. */
  readonly level: Reasoning | null;
  /** Whether it follows from the setting `auto` and the prompt alone. */
  readonly isUsual: boolean;
}

const less: Readonly<Record<Reasoning, Reasoning>> = { high: 'low', medium: 'low', low: 'none', none: 'none' };

/** Returns how much to think for a reply; less where an earlier one was nothing but thinking. */
export function reasoningFor({ prompt }: PromptInput, { reasoning }: Settings, isLess: boolean): AskedReasoning {
  const { isQuick } = prompts[prompt] as unknown as Prompt<unknown, Fields>;
  const set = reasoning === 'auto' ? null : reasoning;
  const level = isQuick ? 'none' : set;
  return { level: isLess ? less[level ?? 'low'] : level, isUsual: set === null && !isLess };
}

/** Returns the tokens of thinking that a reply has room for, where the user set how much to think. */
export const roomToThink = ({ level, isUsual }: AskedReasoning): number =>
  level === null || isUsual ? 0 : thinkingTokens[level];

/** Returns the most tokens of thinking in a reply. */
export const mostThinking = ({ reasoning }: Pick<Settings, 'reasoning'>): number =>
  reasoning === 'auto' ? 0 : thinkingTokens[reasoning];

/** Returns the tokens that a reply of nothing but thinking took, where the server tells them; null for other errors. */
export const onlyThought = (error: unknown): OnlyThought | null =>
  error instanceof RlmError && error.cause instanceof OnlyThought ? error.cause : null;
