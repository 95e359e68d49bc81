/**
 * What passes through the door. A question becomes words, the words a call with a name, the call a reply. A layer wraps
 * what comes after it; where it turns one into the next, what it wraps is of another kind than what it makes.
 */
import type { Settings } from '../../config/settings.ts';
import type { PromptInput } from '../../prompts/index.ts';
import type { Fields, ReplyForm } from '../../prompts/reply/fields.ts';
import type { ParsedReply } from '../../prompts/reply/parse-reply.ts';
import type { Templates } from '../../prompts/template.ts';
import type { Role } from '../../roles/role.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { EventBody } from '../events.ts';
import type { Exchange } from '../exchange.ts';
import type { Roster } from '../roster.ts';
import type { RunPlace } from '../run-place.ts';
import type { KnownModels } from './abilities.ts';
import type { Archive, ArchiveName, KeptReply } from './archive.ts';
import type { Asked, ServingModel, Started } from './asked.ts';
import type { Budget, Share } from './budget.ts';
import type { CallIdentity } from './call-identity.ts';

/** A reply that could not be read. */
export interface FailedReply {
  readonly text: string;
  readonly problem: string;
}

/** What is asked of a model, before it is put into words. */
export interface Question {
  readonly input: PromptInput;
  readonly place: RunPlace;
  readonly model: ServingModel;
  /** How the reply is asked for. */
  readonly form: ReplyForm;
  /** What is to be mended; null: it is asked for the first time. */
  readonly failed: FailedReply | null;
}

/** A reply's text, and what it was read as. */
export interface ReceivedReply {
  readonly text: string;
  readonly parsed: ParsedReply<Fields>;
  /** The model fell silent in the middle of it: asking it again would wait for that again. */
  readonly cutShort: boolean;
}

/** A rendered prompt with what makes it the same call in another run. */
export interface Call extends Asked {
  readonly identity: CallIdentity;
  /** Aborted when calls of its share must end. */
  readonly signal: AbortSignal;
}

/** A reply with where it came from: a call, whoever replied to it, or none, where the same was asked before. */
export type Obtained = { readonly reply: KeptReply } & (
  | (Started & { readonly from: 'model' | 'journal' | 'cassette' })
  | { readonly number: null; readonly from: 'run' | ArchiveName }
);

/** The same with what it was read as. */
export type ParsedObtained = Obtained & { readonly parsed: ParsedReply<Fields> };

export type Ask = (question: Question) => Promise<ReceivedReply>;
export type Send = (asked: Asked) => Promise<ReceivedReply>;
export type Obtain<T extends Obtained = Obtained> = (call: Call) => Promise<T>;

/** Wraps what comes after it. */
export type Layer<Outer, Inner = Outer> = (next: Inner) => Outer;

/** What the door needs. */
export interface DoorParts {
  readonly settings: Settings;
  readonly budget: Budget;
  readonly redactor: Redactor;
  readonly templates: Templates;
  readonly roster: Roster<ServingModel>;
  readonly knownModels: KnownModels;
  /** What models are told to be; null: nothing. */
  readonly role: Role | null;
  /** Where replies are looked for before a model is asked, and kept afterwards, in this order. */
  readonly archives: readonly Archive[];
  /** Aborted when calls of that share must end. */
  readonly signals: Readonly<Record<Share, AbortSignal>>;
  /** Told every request with its reply; null: nobody reads them. */
  readonly onExchange: ((exchange: Exchange) => void) | null;
  emit(event: EventBody): void;
  warn(message: string): void;
}
