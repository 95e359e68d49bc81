import type { PromptName } from '../prompts/index.ts';
import type { Message, ToolCall } from '../providers/provider.ts';
import type { Tokens } from '../state.ts';

/** A request with the reply to it, as a person reads them afterwards. */
export interface Exchange {
  /** The call's number, as in the events; null where no call was made: the reply was there, or it failed before. */
  readonly call: number | null;
  /** The place in the recursion tree, or the stage's name. */
  readonly path: string;
  readonly prompt: PromptName;
  readonly provider: string;
  readonly model: string;
  /** What was sent; null where no language model was asked, or where no more is kept. */
  readonly messages: readonly Message[] | null;
  /** Null when there is none. */
  readonly reply: string | null;
  readonly toolCalls: readonly ToolCall[];
  /** Why there is no reply, or null. */
  readonly error: string | null;
  /** Who replied: the model; for a reply that was there, the run itself or what keeps replies. */
  readonly from: 'model' | 'journal' | 'cassette' | 'run' | 'cache';
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly timeMs: number;
  readonly tokens: Tokens;
  /** In USD; null when the price is not known. */
  readonly cost: number | null;
}
