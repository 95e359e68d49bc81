import type { ToolCall } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';
import type { CallIdentity } from './call-identity.ts';

/** A model's reply as it is kept: what it cost is known. */
export interface KeptReply {
  readonly text: string;
  /** Tools that it calls; left out where it calls none. */
  readonly toolCalls?: readonly ToolCall[];
  /** How probable the option is that its prompt asks about; left out where that is not known. */
  readonly probability?: number;
  readonly tokens: Tokens;
  readonly finish: 'stop' | 'length';
  /** The model fell silent in the middle of it; left out otherwise. */
  readonly cutShort?: true;
  /** Requests it took, retries included; 0 for a reply that the run had from another call or a cache. */
  readonly tries: number;
}

/** Where replies are kept. A recording is only written to; what is read from one is a cassette. */
export type ArchiveName = 'journal' | 'cassette' | 'recording' | 'cache';

/**
 * Keeps replies and finds them again. What an archive `replays` happened in this very run and is charged to its budget;
 * what it only remembers, from other runs, costs nothing.
 */
export interface Archive {
  readonly name: ArchiveName;
  readonly replays: boolean;
  find(call: CallIdentity): Promise<KeptReply | null>;
  /**
   * Called with every reply that it did not give itself, before the reply is used. `isUsable`: it could be read.
   * It never rejects: what cannot be kept is told in a warning.
   */
  keep(call: CallIdentity, reply: KeptReply, isUsable: boolean): Promise<void>;
}

/** Only what makes a reply, of a record that holds more. */
export const keptReplyOf = ({
  text,
  toolCalls,
  probability,
  tokens,
  finish,
  cutShort,
  tries,
}: KeptReply): KeptReply => ({
  text,
  ...(toolCalls && { toolCalls }),
  ...(probability !== undefined && { probability }),
  tokens,
  finish,
  ...(cutShort && { cutShort }),
  tries,
});
