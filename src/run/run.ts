import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import type { RlmError } from '../errors.ts';
import type { PromptName, ReplyWithOdds, Variables } from '../prompts/index.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Role } from '../roles/role.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { DocumentInfo, FurtherSearch, Passage, Tokens } from '../state.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { Budget, Share } from './door/budget.ts';
import type { EventBody } from './events.ts';
import type { PassageFinder, Search } from './text/find-passages.ts';
import type { WholeText } from './text/whole-text.ts';
import type { UsageMeter } from './usage.ts';

/** Where a call belongs, and which share of the budget it may use. */
export interface Place {
  /** A node's path in the tree, or a stage's name. */
  readonly path: string;
  readonly share: Share;
  /**
   * Tells apart calls of one prompt at one path that may be made in any order; where it is missing, they are told apart
   * by the order in which they are made.
   */
  readonly part?: string;
  /** Whether the reply is only a piece of what is composed; default: no. */
  readonly isPiece?: boolean;
}

/**
 * What stages and strategies work with: the one way to a model, to the text, to the budget and to the listeners.
 * Nothing in it names a concrete provider or retriever.
 */
export interface Run {
  readonly id: string;
  readonly settings: Settings;
  readonly documents: readonly DocumentInfo[];
  /** The text itself, for tools that look into it. */
  readonly store: ContextStore;
  /** What a model is told of the text in its place. */
  readonly description: string;
  /** Whether the whole text fits the prompt that answers the root. */
  readonly fits: boolean;
  /** Bytes of passages, their tags included, that every prompt has room for, whichever model gets it. */
  readonly passageBytes: number;
  /** The same for the models that get that prompt at that place in the tree. */
  roomFor(prompt: PromptName, path: string): number;
  /** From now on the models' largest windows are used, as a conversation needs them. */
  widen(): void;
  /** Another number once windows are larger, or a server has refused a prompt as too long. */
  readonly roomNow: number;
  /** The model that is asked first with that prompt at that place. */
  modelInfo(prompt: PromptName, path: string): ModelInfo;
  /** How long that model takes for a call of so many tokens, in ms; null as long as its speed is not known. */
  msFor(prompt: PromptName, path: string, tokens: Tokens): number | null;
  /** What models are told to be; null: nothing. */
  readonly role: Role | null;
  /** The form that the answer is asked for in; null: prose. */
  readonly schema: AnswerSchema | null;
  readonly budget: Budget;
  readonly usage: UsageMeter;
  /**
   * Asks a model: the one door. Throws `RlmError`: a limit, an interruption, a provider's failure, or `reply-unusable`
   * when the reply could not be read even after one repair turn.
   */
  ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: Place): Promise<ReplyWithOdds<N>>;
  /** Passages for a question: all of the text where it fits, else the best ones. */
  retrieve(search: Search): Promise<readonly Passage[]>;
  /** Passages besides those that the search excludes; none when nothing matches. */
  retrieveMore(search: Search): Promise<readonly Passage[]>;
  /** Searches that code has made for a place of `Search`, besides the first. */
  searchedAt(path: string): readonly FurtherSearch[];
  /** The files that tools may read; null where there are none. A part of the text has none. */
  files(): Promise<FileAccess | null>;
  /**
   * As many of the passages as a prompt at that place has room for, each group in its turn. Throws
   * `prompt-too-long`.
   */
  fit: PassageFinder['fit'];
  /** All of the text, for who has to read it. */
  readonly text: WholeText;
  /** Passages that a tool has read somewhere else: from then on they are among those that were given. */
  give(passages: readonly Passage[]): void;
  /** Passages by id, in that order; ids that were never given are left out. */
  passages(ids: readonly string[]): readonly Passage[];
  /**
   * This run over another text, for a question about that alone: a part of its text, or a text that was made of it.
   * Budget, calls and events are the same.
   */
  within(text: ContextStore): Run;
  emit(event: EventBody): void;
  warn(message: string): void;
  /** Aborted when ordinary work must end. */
  readonly signal: AbortSignal;
  /** Why the run may make no more ordinary calls, or null while it may. The first reason stays. */
  stopped(): RlmError | null;
}
