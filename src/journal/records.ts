import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import type { Routes } from '../config/routes.ts';
import type { PromptName } from '../prompts/index.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Result } from '../result.ts';
import type { KeptReply } from '../run/door/archive.ts';
import type { CallIdentity } from '../run/door/call-identity.ts';
import type { EarlierAnswer } from '../state.ts';

/** The version of the journal's form. A journal of another version is refused. */
export const journalVersion = 1;

/** A document as it is recognised again. */
export interface RecordedDocument {
  readonly name: string;
  readonly bytes: number;
  /** First 32 hex digits of the SHA-256 of its text. */
  readonly hash: string;
}

/** Which models a run has besides its own: the first of the routes that has an entry decides. */
export interface RecordedRouting {
  readonly routes: readonly Routes[];
  readonly fallbacks: readonly string[];
  readonly models: Readonly<Record<string, Pick<RunRecord, 'provider' | 'model'>>>;
}

/** What a run was asked, of whom, and about what; always the first record. */
export interface RunRecord {
  readonly type: 'run';
  readonly version: number;
  readonly runId: string;
  readonly at: string;
  readonly task: string;
  /** Earlier questions with their answers, which it builds on; left out where there are none. */
  readonly earlier?: readonly EarlierAnswer[];
  /** Absolute path of the folder that `paths` start from. */
  readonly cwd: string;
  readonly paths: readonly string[];
  /** Files that were written meanwhile and so were not read. */
  readonly written: readonly string[];
  /** The index that holds the text; null or left out where the text is in files or was given. */
  readonly index?: string | null;
  /** How many of the documents were given by a program or a pipe; they come first, and their text is kept. */
  readonly given: number;
  readonly documents: readonly RecordedDocument[];
  readonly provider: string;
  readonly model: ModelInfo;
  /** The other models, by what refers to them, and who replies to what; null or left out where there are none. */
  readonly routing?: RecordedRouting | null;
  /** Settings that shape requests, by dotted key. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings that were given with the question, by dotted key. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Settings that were given with the question and are not recorded, as they hold secrets; left out for none. */
  readonly unrecorded?: readonly string[];
  /** Hashes of the prompts' words, and of the `role`, where there is one. */
  readonly prompts: Readonly<Record<string, string>>;
  /** What could not be recorded as it was, because a secret stands in it; there only where something could not. */
  readonly withheld?: readonly string[];
}

/** A process takes the run up: the first, or one that resumes it. */
export interface SessionRecord {
  readonly type: 'session';
  readonly at: string;
  /** Time that the sessions before have used, in ms. */
  readonly usedMs: number;
}

/** A call whose reply is there. */
export interface CallRecord extends Omit<CallIdentity, 'prompt'>, KeptReply {
  readonly type: 'call';
  readonly prompt: PromptName;
  /** Time that the run has used until then, in ms. */
  readonly usedMs: number;
}

/** A session came to its end. */
export interface EndRecord {
  readonly type: 'end';
  readonly at: string;
  readonly usedMs: number;
  readonly result: Result;
}

export type JournalRecord = RunRecord | SessionRecord | CallRecord | EndRecord;

/**
 * A record as a line: JSON that carries the checksum of the rest of it.
 * @param toText makes JSON of the record; default: `JSON.stringify`.
 */
export const encodeRecord = (record: JournalRecord, toText: (value: unknown) => string = JSON.stringify): string =>
  `${encodeChecked(toText(record))}\n`;

/** The record of a line without its line feed, or null when the line is damaged. */
export const decodeRecord = (line: string): JournalRecord | null => decodeChecked(line) as JournalRecord | null;
