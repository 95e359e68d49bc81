import type { ToolCall } from '../../providers/provider.ts';
import type { CallTokens, Tokens } from '../../state.ts';
import type { CallIdentity } from './call-identity.ts';

/** A model's reply as an archive stores it, with its cost. */
export interface KeptReply {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  /** Probability of the option that the prompt asks about, 0–1; absent when unknown. */
  readonly probability?: number;
  readonly tokens: Tokens;
  readonly finish: 'stop' | 'length';
  /** Present if the reply broke off (silence, endless text). The call is not repeated: it would end the same way. */
  readonly cutShort?: true;
  /** Number of requests, retries included; 0 for a reply from another call of the run or from a cache. */
  readonly tries: number;
}

/** The actual or the highest possible spending of a call without a recorded reply. */
export interface CallSpending {
  readonly provider: string;
  readonly model: string;
  /** Number of requests, retries included. */
  readonly requests: number;
  readonly tokens: CallTokens;
  /** In USD; null when the price is not known. */
  readonly cost: number | null;
}

/** The kinds of archives. A recording is only written; a cassette reads a recording. */
export type ArchiveName = 'journal' | 'cassette' | 'recording' | 'cache';

/** Stores replies and finds them again. Replies from an archive with `replays` are charged; cached replies are free. */
export interface Archive {
  readonly name: ArchiveName;
  readonly replays: boolean;
  find(call: CallIdentity): Promise<KeptReply | null>;
  /** Stores a reply before it is used. `isUsable`: whether it could be parsed completely. Never rejects. */
  keep(call: CallIdentity, reply: KeptReply, isUsable: boolean): Promise<void>;
  /**
   * Records the spending of a call. The reply of the call or a later record replaces this record. `isOver`: whether the
   * call has failed. Only the journal has this method. Never throws.
   */
  spend?(call: CallIdentity, spending: CallSpending, isOver: boolean): void;
}

/** Copies the fields of a reply from a record that has more fields. */
export function keptReplyOf(record: KeptReply): KeptReply {
  const fields = replyFields.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
  return Object.fromEntries(fields) as KeptReply;
}

const replyFields = ['text', 'toolCalls', 'probability', 'tokens', 'finish', 'cutShort', 'tries'] as const;
