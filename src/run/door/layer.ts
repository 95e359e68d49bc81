/** The types of the door's layers. */
import type { Settings } from '../../config/settings.ts';
import type { Warn } from '../../errors.ts';
import type { PromptInput } from '../../prompts/index.ts';
import type { Fields, ReplyForm } from '../../prompts/reply/fields.ts';
import type { ParsedReply } from '../../prompts/reply/read-reply.ts';
import type { Templates } from '../../prompts/template.ts';
import type { Role } from '../../roles/role.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { EventBody, Exchange } from '../events.ts';
import type { Roster, RunModel, RunPlace } from '../roster.ts';
import type { Archive, ArchiveName, CallSpending, KeptReply } from './archive.ts';
import type { Asked, ServingModel, Started } from './asked.ts';
import type { Budget, Share } from './budget.ts';
import type { CallIdentity } from './call-identity.ts';
import type { Speed } from './pace.ts';

/** A reply that could not be parsed. */
export interface FailedReply {
  readonly text: string;
  readonly problem: string;
}

/** A request to a model, before it is rendered. */
export interface PromptRequest {
  readonly input: PromptInput;
  readonly place: RunPlace;
  readonly model: ServingModel;
  readonly form: ReplyForm;
  /** Whether an earlier reply was only thinking. */
  readonly thinksLess: boolean;
  /** The reply to repair; null for the first request. */
  readonly failed: FailedReply | null;
}

export interface IdentifiedCall extends Asked {
  readonly identity: CallIdentity;
  readonly signal: AbortSignal;
}

/**
 * A reply with its origin. `number` is null if an earlier identical call gave the reply. `isEnded`: the run ended while
 * the reply arrived. The part that arrived is not stored, so that a resumed run asks for the whole reply.
 */
export type Obtained = { readonly reply: KeptReply; readonly isEnded?: boolean } & (
  | (Started & { readonly from: 'model' | 'journal' | 'cassette' })
  | { readonly number: null; readonly from: 'run' | Exclude<ArchiveName, 'recording'> }
);

export type ParsedObtained = Obtained & { readonly parsed: ParsedReply<Fields> };

export type Ask = (question: PromptRequest) => Promise<ParsedObtained>;
export type Send = (asked: Asked) => Promise<ParsedObtained>;
export type Obtain<T extends Obtained = Obtained> = (call: IdentifiedCall) => Promise<T>;

export type Layer<Outer, Inner = Outer> = (next: Inner) => Outer;

/** Abilities that a model reports. Its server may still refuse them. */
export type Ability = 'structuredOutput' | 'tools';

/** An ability or a price that a model may lack. */
export type Lack = Ability | 'price';

export interface KnownModels {
  lacks(model: RunModel, lack: Lack): boolean;
  /** Remembers the lack for this run and, if the settings allow it, for later runs. */
  recordLack(model: RunModel, lack: Lack): void;
  /** Returns the speed of a model; null before its first measurement. */
  speedOf(model: RunModel): Speed | null;
  recordSpeed(model: RunModel, speed: Speed): void;
}

export interface DoorParts {
  readonly settings: Settings;
  readonly budget: Budget;
  readonly redactor: Redactor;
  readonly templates: Templates;
  readonly roster: Roster<ServingModel>;
  readonly knownModels: KnownModels;
  readonly role: Role | null;
  readonly archives: readonly Archive[];
  /** Spending of the run's earlier sessions for calls without a reply. */
  readonly lost: readonly CallSpending[];
  /** The same for their recorded replies, by `callKey`. A reply that this session uses is deleted. */
  readonly replied: Map<string, CallSpending>;
  readonly signals: Readonly<Record<Share, AbortSignal>>;
  readonly onExchange: ((exchange: Exchange) => void) | null;
  emit(event: EventBody): void;
  readonly warn: Warn;
}
