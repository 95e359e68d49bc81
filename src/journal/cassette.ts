import { existsSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readOwnFile, readOwnHead, stateBytes } from '../base/files/own-file.ts';
import { checkReplaceable, replaceFile } from '../base/files/replace-file.ts';
import { errnoOf } from '../base/files/system.ts';
import { referencesIn } from '../config/model-reference.ts';
import { RlmError } from '../errors.ts';
import { prompts } from '../prompts/index.ts';
import type { Provider } from '../providers/provider.ts';
import { type Archive, keptReplyOf } from '../run/door/archive.ts';
import { type CallIdentity, callKey } from '../run/door/call-identity.ts';
import {
  type CallRecord,
  encodeRecord,
  journalVersion,
  type RecordedRouting,
  type RunRecord,
  readRecords,
} from './journal.ts';

const unusable = (path: string, why: string) =>
  new RlmError('cassette-invalid', `${path} cannot be replayed: ${why}`, {
    hint: 'Make a recording: rlm ask "…" --record FILE, or rlm runs export RUN -o FILE.',
  });

const isModel = ({ provider, model }: Pick<RunRecord, 'provider' | 'model'>): boolean =>
  [provider, model?.model].every((text) => typeof text === 'string') &&
  Number.isInteger(model.maxWindowTokens) &&
  Number.isInteger(model.callsAtOnce) &&
  Array.isArray(model.notices);

/** Whether a routing can be used. The model of a fallback may be missing in `models`. */
const isRouting = ({ routes, fallbacks, models }: RecordedRouting): boolean =>
  Array.isArray(routes) &&
  Array.isArray(fallbacks) &&
  Object.values(models).every(isModel) &&
  routes.flatMap(referencesIn).every((reference) => Object.hasOwn(models, reference));

/** Whether records of an untrusted file can be used. Throws a TypeError for some wrong types. */
const isUsable = {
  run: ({ task, routing, ...main }: RunRecord): boolean =>
    typeof task === 'string' && isModel(main) && (routing == null || isRouting(routing)),
  call: ({ place, hash, question, text, prompt, parts, tokens, tries, toolCalls = [] }: CallRecord): boolean =>
    [place, hash, question, text].every((value) => typeof value === 'string') &&
    Object.hasOwn(prompts, prompt) &&
    typeof parts === 'object' &&
    parts !== null &&
    toolCalls.every(({ name }) => typeof name === 'string') &&
    [tokens?.input, tokens?.output, tries].every((count) => Number.isInteger(count) && count >= 0),
} as const;

/** Runs `work`. Turns its errors into `cassette-invalid`; RlmErrors other than `journal-damaged` pass unchanged. */
function tryTo<T>(path: string, work: () => T, why: (error: Error) => string): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RlmError && error.code !== 'journal-damaged') throw error;
    throw unusable(path, why(error as Error));
  }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function readBytes(path: string): Buffer {
  const read = () => readOwnFile(path, stateBytes);
  const bytes = tryTo(path, read, (error) => `it cannot be read (${errnoOf(error)})`);
  const unpack = () => (isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: stateBytes }) : bytes);
  return tryTo(path, unpack, () => 'it cannot be unpacked');
}

/** Reads a recording or an exported run, in the form of a journal. Throws RlmError `cassette-invalid`. */
export async function readCassette(path: string) {
  const bytes = readBytes(path);
  const read = () => readRecords(bytes, path, false);
  const { records, length } = tryTo(path, read, ({ message }) => message);
  if (records.length > 0 && length < bytes.length) throw unusable(path, 'its end is damaged');
  const run = records.findLast((record) => record.type === 'run');
  const calls = records.filter((record) => record.type === 'call');
  if (run === undefined) throw unusable(path, 'it does not contain a question');
  if (run.version !== journalVersion)
    throw unusable(path, `another version of rlm made it (format ${run.version}; this one reads ${journalVersion})`);
  const missing = () => 'required fields are missing or invalid';
  if (!tryTo(path, () => isUsable.run(run) && calls.every(isUsable.call), missing)) throw unusable(path, missing());
  return { run, calls };
}

export type Cassette = Readonly<Awaited<ReturnType<typeof readCassette>>>;

const recordingHead = /^\{"sum":"[0-9a-f]{8}","type":"/;

function headOf(path: string): string {
  let head: Buffer = Buffer.alloc(0);
  try {
    head = readOwnHead(path, 64);
    if (isGzip(head)) head = readBytes(path).subarray(0, 64);
  } catch {
    // Damaged gzip data stays packed, so it does not look like a recording.
  }
  return head.toString('latin1');
}

/** Checks that a recording can be written. Throws `output-unwritable`, also for a file that is not a recording. */
export async function checkRecordable(path: string): Promise<void> {
  const head = headOf(path);
  if (head !== '' && !recordingHead.test(head))
    throw new RlmError('output-unwritable', `${path} is not a recording, and a recording would replace it`, {
      hint: 'Name another file with --record, or remove this one first.',
    });
  await checkReplaceable(path);
}

/** Creates a provider that replaces the recorded provider. It refuses every request. */
export function createReplayProvider({ provider, model }: Pick<RunRecord, 'provider' | 'model'>): Provider {
  return {
    name: provider,
    inspect: async () => model,
    call: async () => {
      throw new RlmError('call-not-recorded', 'a replay asks no model');
    },
  };
}

const partNames: Readonly<Record<string, string>> = {
  model: 'the model',
  words: 'the words of the prompt',
  task: 'the question',
  question: 'the question',
  documents: 'the list of documents',
  passages: 'the passages',
  known: 'the earlier answers',
  turns: 'the reply to repair',
  options: 'temperature, window, reply length or seed',
};

function differing(call: CallIdentity, other: CallRecord): string[] {
  const names = new Set([...Object.keys(call.parts), ...Object.keys(other.parts)]);
  return [...names].filter((name) => call.parts[name] !== other.parts[name]);
}

function nearest(call: CallIdentity, calls: readonly CallRecord[]): CallRecord | null {
  const distance = (other: CallRecord) => differing(call, other).length + (other.place === call.place ? 0 : 0.5);
  const candidates = calls.filter(({ prompt }) => prompt === call.prompt);
  return candidates.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

const describe = ({ place, question }: { place: string; question: string }) =>
  `"${place}" (${JSON.stringify(question.slice(0, 80))})`;

function notRecorded(call: CallIdentity, calls: readonly CallRecord[], path: string): RlmError {
  const near = nearest(call, calls);
  const what = near && differing(call, near).map((name) => partNames[name] ?? name);
  const about = near
    ? `The most similar recorded call is ${describe(near)}, which differs in ${what!.join(', ') || 'its place'}.`
    : `It contains no call of the ${call.prompt} prompt.`;
  return new RlmError('call-not-recorded', `${path} does not contain the call ${describe(call)}`, {
    hint: `${about} Record the run again with --record, or undo the change.`,
  });
}

/** Creates the archive of a recording. If `isWhole`, a missing call is an error, which names the most similar call. */
export function createReplayArchive({ calls }: Cassette, path: string, isWhole = true): Archive {
  const byPlace = new Map(calls.map((call) => [callKey(call), call]));
  const byHash = new Map(calls.map((call) => [call.hash, call]));
  return {
    name: 'cassette',
    replays: true,
    async find(call) {
      const found = byPlace.get(callKey(call)) ?? byHash.get(call.hash);
      if (found === undefined && isWhole) throw notRecorded(call, calls, path);
      return found === undefined ? null : keptReplyOf(found);
    },
    keep: async () => {},
  };
}

/** Creates a recorder. It replaces its file after each reply. It keeps `earlier` calls until the run is complete. */
export function createCassetteRecorder(
  path: string,
  describeRun: () => Promise<RunRecord>,
  earlier: readonly CallRecord[],
) {
  const calls: CallRecord[] = [];
  let described: Promise<RunRecord> | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isPlanned = false;

  async function replace(kept: readonly CallRecord[]): Promise<void> {
    described ??= describeRun();
    const text = [await described, ...kept].map((record) => encodeRecord(record)).join('');
    await replaceFile(path, path.endsWith('.gz') ? gzipSync(text) : text);
  }

  function withEarlier(): readonly CallRecord[] {
    const made = new Set(calls.map(callKey));
    return [...calls, ...earlier.filter((call) => !made.has(callKey(call)))];
  }

  /** Updates the file. Calls that end during a write are written together afterwards. */
  function update(): Promise<void> {
    if (isPlanned) return writing;
    isPlanned = true;
    writing = writing.then(() => {
      isPlanned = false;
      return replace(withEarlier()).catch(() => {}); // The last write of the run reports the failure.
    });
    return writing;
  }

  const archive: Archive = {
    name: 'recording',
    replays: true,
    find: async () => null,
    async keep(call, reply) {
      calls.push({ type: 'call', ...call, ...reply, usedMs: 0 });
      await update();
    },
  };

  /** Writes the whole recording. Without a reply, an earlier recording stays. Throws `output-unwritable`. */
  async function write(isComplete: boolean): Promise<void> {
    await writing;
    if (calls.length === 0 && existsSync(path)) return;
    await replace(isComplete ? calls : withEarlier());
  }

  return { archive, write };
}
