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

/** A document and what identifies its text. */
export interface RecordedDocument {
  readonly name: string;
  readonly bytes: number;
  /** First 32 hex digits of the SHA-256 of its text. */
  readonly hash: string;
}

/** The models of a run besides its own: the first of the routes that has an entry decides. */
export interface RecordedRouting {
  readonly routes: readonly Routes[];
  readonly fallbacks: readonly string[];
  readonly models: Readonly<Record<string, Pick<RunRecord, 'provider' | 'model'>>>;
}

/** The question, the models and the text of a run; always the first record. */
export interface RunRecord {
  readonly type: 'run';
  readonly version: number;
  readonly runId: string;
  readonly at: string;
  readonly task: string;
  /** Earlier questions with their answers, on which it builds; left out where there are none. */
  readonly earlier?: readonly EarlierAnswer[];
  /** What the question belongs to; left out where it was asked by itself. */
  readonly partOf?: 'evaluation' | 'checks' | undefined;
  /** Absolute path of the folder that `paths` start from. */
  readonly cwd: string;
  readonly paths: readonly string[];
  /** Files that the run wrote and so did not read. */
  readonly written: readonly string[];
  /** The index that holds the text; null or left out where the text is in files or was given. */
  readonly index?: string | null;
  /** How many of the documents were given by a program or a pipe; they come first, and their text is kept. */
  readonly given: number;
  readonly documents: readonly RecordedDocument[];
  readonly provider: string;
  readonly model: ModelInfo;
  /** The other models by their references, and the routes to them; null or left out where there are none. */
  readonly routing?: RecordedRouting | null;
  /** Settings that shape requests, by dotted key. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings that were given with the question, by dotted key. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Settings that were given with the question and not recorded, because they hold secrets; left out for none. */
  readonly unrecorded?: readonly string[];
  /** Hashes of the prompts' words, and of the `role`, where there is one. */
  readonly prompts: Readonly<Record<string, string>>;
  /** The parts that are not recorded as they were because they hold a secret; left out where there are none. */
  readonly withheld?: readonly string[];
}

/** A process works on the run: the first, or one that resumes it. */
export interface SessionRecord {
  readonly type: 'session';
  readonly at: string;
  /** Time that earlier sessions have used, in ms. */
  readonly usedMs: number;
}

/** A call with its reply. */
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
 * Encodes a record as a line: JSON with a checksum of its other fields.
 * @param toText makes JSON of the record; default: `JSON.stringify`.
 */
export const encodeRecord = (record: JournalRecord, toText: (value: unknown) => string = JSON.stringify): string =>
  `${encodeChecked(toText(record))}\n`;

/** Decodes a line without its line feed; null when it is damaged. */
export const decodeRecord = (line: string): JournalRecord | null => decodeChecked(line) as JournalRecord | null;
