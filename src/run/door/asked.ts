import type { Settings } from '../../config/settings.ts';
import type { PromptInput } from '../../prompts/index.ts';
import type { ReplyForm } from '../../prompts/reply/fields.ts';
import type { Message, ToolSpec } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';
import type { RunModel } from '../roster.ts';
import type { RunPlace } from '../run-place.ts';
import type { Spending } from './budget.ts';
import type { createIdentify } from './call-identity.ts';
import { costOf, type Price } from './prices.ts';
import type { Breaker } from './serving/breaker.ts';
import type { Crowd } from './serving/crowd.ts';
import type { Pace } from './serving/pace.ts';
import type { Sizing } from './serving/sizing.ts';

/** A model with what its calls share: the limiter and the breaker of its server, and what is known of its speed. */
export interface ServingModel extends RunModel, Crowd {
  readonly breaker: Breaker;
  readonly identify: ReturnType<typeof createIdentify>;
  readonly sizing: Sizing;
  readonly pace: Pace;
}

/** A rendered prompt, and where it belongs. */
export interface Asked {
  readonly model: ServingModel;
  readonly input: PromptInput;
  readonly form: ReplyForm;
  /** Tools that the reply may call. */
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** What the role adds to them; empty: nothing. */
  readonly supplement: string;
  /** Those of the messages that follow the prompt itself: a reply, and what was wrong with it. */
  readonly turns: readonly Message[];
  readonly place: RunPlace;
}

/** A call that is under way: its number in the run, from 1, and when it began, in ms. */
export interface Started {
  readonly number: number;
  readonly startedAt: number;
}

/** Who is asked, for an event. */
export const servedBy = ({ provider, info }: RunModel) => ({ provider: provider.name, model: info.model });

/** What requests and their tokens come to. */
export const spendingOf = (calls: number, tokens: Tokens, price: Price | null): Spending => ({
  calls,
  tokens: tokens.input + tokens.output,
  usd: price ? costOf(tokens, price) : 0,
});

/** The most that one request with so many tokens of input can come to; by default, one that fills the window. */
export function worstCase(
  { info, window: { tokens: windowTokens }, price }: Pick<RunModel, 'info' | 'price' | 'window'>,
  settings: Settings,
  inputTokens: number = windowTokens,
): Spending {
  if (info.spends === 'nothing') return { calls: 1, tokens: 0, usd: 0 };
  const output = settings.reply.maxTokens;
  const input = Math.min(inputTokens, windowTokens);
  // A prompt and its reply share the window; a server that is told not to cut text keeps to that.
  return { ...spendingOf(1, { input, output }, price), tokens: Math.min(input + output, windowTokens) };
}

/** What shapes a reply besides the prompt. */
export const optionsOf = ({ input, model }: Pick<Asked, 'input' | 'model'>, settings: Settings) => ({
  temperature: settings.temperatures[input.prompt],
  maxOutputTokens: settings.reply.maxTokens,
  windowTokens: model.window.tokens,
  seed: settings.seed,
});
