import type { PromptName } from '../prompts/index.ts';
import type { Message, ToolCall } from '../providers/provider.ts';
import type { Tokens } from '../state.ts';

/** A request with its reply, as the trajectory shows them. */
export interface Exchange {
  /**
   * The call's number, as in the events; null where no call was made: the reply was stored, or the request failed
   * before it was sent.
   */
  readonly call: number | null;
  /** The node's path in the recursion tree, or the stage's name. */
  readonly path: string;
  readonly prompt: PromptName;
  readonly provider: string;
  readonly model: string;
  /** The messages that were sent; null where no language model was asked, or where messages are not kept. */
  readonly messages: readonly Message[] | null;
  /** The reply's text; null when there is none. */
  readonly reply: string | null;
  readonly toolCalls: readonly ToolCall[];
  /** Why there is no reply, or null. */
  readonly error: string | null;
  /** Where the reply comes from: the model; for a stored reply, the run itself or the archive that holds it. */
  readonly from: 'model' | 'journal' | 'cassette' | 'run' | 'cache';
  /** Start time, ISO 8601. */
  readonly at: string;
  readonly timeMs: number;
  readonly tokens: Tokens;
  /** In USD; null when the price is not known. */
  readonly cost: number | null;
}
