/** Where a run's calls are kept and come from: its journal, a recording, the cache. */
import { createDiskCache } from '../cache/disk-cache.ts';
import { cacheFolder, runsFolder, stateFolder } from '../config/folders.ts';
import { windowsOf } from '../context/windows.ts';
import { createCassetteRecorder, createReplayArchive } from '../journal/cassette.ts';
import { type Recorder, recordNewRun, recordResumedRun } from '../journal/recorder.ts';
import { changedRun, changesSince, createRunRecord, nameWithheld, type RunFacts } from '../journal/run-record.ts';
import type { Archive } from '../run/door/archive.ts';
import { archiveWithoutSecrets } from '../run/without-secrets.ts';
import type { RunPlan } from './run-plan.ts';

/** The places where a run's calls are kept and found. */
export interface OpenArchives {
  /** In the order in which they are looked at. */
  readonly archives: readonly Archive[];
  /** Null when the run is not recorded. */
  readonly recorder: Recorder | null;
  /** Writes the recording that was asked for. Throws RlmError `output-unwritable`. */
  writeRecording(): Promise<void>;
}

/** A run of which something is withheld keeps its calls, but cannot go on. */
function openNewRecorder(plan: RunPlan, facts: RunFacts, warn: (message: string) => void): Recorder {
  let isWhole = true;
  const describe = async () => {
    const record = await createRunRecord(facts);
    const { withheld = [] } = record;
    isWhole = withheld.length === 0;
    if (!isWhole) warn(`this run cannot be resumed: ${nameWithheld(withheld)}`);
    const given = Array.from({ length: facts.given }, (_, document) => windowsOf(facts.store, document));
    return { record, texts: isWhole ? given : [] };
  };
  const runs = runsFolder(stateFolder(plan.configuration.settings, plan.env));
  const recorder = recordNewRun(runs, facts.runId, describe, warn);
  return { ...recorder, isSound: async () => (await recorder.isSound()) && isWhole };
}

/** Records the run as asked. Throws `run-changed` when a resumed run is not what it was. */
async function openRecorder(plan: RunPlan, facts: RunFacts, warn: (message: string) => void): Promise<Recorder | null> {
  const { journal } = plan;
  if (journal.kind === 'none') return null;
  if (journal.kind === 'new') return openNewRecorder(plan, facts, warn);
  const { taken, recorded, force } = journal;
  const { unrecorded } = recorded;
  const record = { ...(await createRunRecord(facts)), ...(unrecorded && { unrecorded }) };
  const changes = changesSince(recorded, record);
  if (changes.length > 0 && !force) throw changedRun(facts.runId, changes);
  return recordResumedRun(taken, changes.length > 0 ? record : null, warn);
}

/**
 * Opens all places where the run's calls are kept and found.
 * @throws RlmError `run-changed` when a resumed run is not what it was.
 */
export async function openArchives(
  plan: RunPlan,
  facts: RunFacts,
  warn: (message: string) => void,
): Promise<OpenArchives> {
  const { record, replay, env } = plan;
  const { settings, redactor } = plan.configuration;
  const recorder = await openRecorder(plan, facts, warn);
  const recording = record === null ? null : createCassetteRecorder(record, () => createRunRecord(facts));
  const { cache } = settings;
  // What a recording says is not what a model said: it stays out of the cache.
  const isCached = cache.enabled && replay === null;
  const archives = [
    recorder?.archive,
    replay && createReplayArchive(replay.cassette, replay.path),
    recording?.archive,
    isCached ? createDiskCache(cacheFolder(settings, env), cache.maxBytes, warn) : null,
  ];
  const writeRecording = async () => recording?.write();
  const kept = archives.filter((archive) => archive != null).map((archive) => archiveWithoutSecrets(archive, redactor));
  return { recorder, writeRecording, archives: kept };
}
