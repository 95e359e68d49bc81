import { createDiskCache } from '../cache/disk-cache.ts';
import { cacheFolder, runsFolder, stateFolder } from '../config/folders.ts';
import { windowsOf } from '../context/passage-id.ts';
import { createCassetteRecorder, createReplayArchive } from '../journal/cassette.ts';
import { type Recorder, recordNewRun, recordResumedRun } from '../journal/recorder.ts';
import { changedRun, changesSince, createRunRecord, nameWithheld, type RunFacts } from '../journal/run-record.ts';
import { prompts } from '../prompts/index.ts';
import type { Archive } from '../run/door/archive.ts';
import { archiveWithoutSecrets } from '../run/without-secrets.ts';
import type { RunPlan } from './run-plan.ts';

/** Opens the record of a new run. If the record omits a secret, calls are kept, but the run cannot be resumed. */
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

async function openRecorder(plan: RunPlan, facts: RunFacts, warn: (message: string) => void): Promise<Recorder | null> {
  const { journal } = plan;
  if (journal === 'none') return null;
  if (journal === 'new') return openNewRecorder(plan, facts, warn);
  const { taken, recorded, force } = journal;
  const { unrecorded } = recorded;
  const record = { ...(await createRunRecord(facts)), ...(unrecorded && { unrecorded }) };
  const changes = changesSince(recorded, record);
  if (changes.length > 0 && !force) throw changedRun(facts.runId, changes);
  return recordResumedRun(taken, changes.length > 0 ? record : null, warn);
}

/** Limits an archive to the calls that are always cached, regardless of the settings. */
const lastingOf = ({ name, replays, find, keep }: Archive): Archive => ({
  ...{ name, replays },
  find: async (call) => (prompts[call.prompt].isLasting ? find(call) : null),
  keep: async (call, reply, isUsable) => (prompts[call.prompt].isLasting ? keep(call, reply, isUsable) : undefined),
});

/**
 * Opens all archives of the run's calls, in the order of lookup; `recorder` is null when the run is not recorded.
 * @throws RlmError `run-changed` if a resumed run has changed.
 */
export async function openArchives(plan: RunPlan, facts: RunFacts, warn: (message: string) => void) {
  const { record, replay, env } = plan;
  const { settings, redactor } = plan.configuration;
  const recorder = await openRecorder(plan, facts, warn);
  const earlier = replay?.cassette.calls ?? [];
  const recording = record === null ? null : createCassetteRecorder(record, () => createRunRecord(facts), earlier);
  const { cache } = settings;
  // Replayed replies are not cached.
  const isCached = replay === null && (cache.enabled || facts.scans.length > 0);
  const disk = isCached ? createDiskCache(cacheFolder(settings, env), cache.maxBytes, warn) : null;
  const archives = [
    recorder?.archive,
    replay && createReplayArchive(replay.cassette, replay.path, record === null),
    recording?.archive,
    disk && (cache.enabled ? disk : lastingOf(disk)),
  ];
  /** `isComplete`: whether the run ended normally. */
  const writeRecording = async (isComplete: boolean) => recording?.write(isComplete);
  const kept = archives.filter((archive) => archive != null).map((archive) => archiveWithoutSecrets(archive, redactor));
  return { recorder, writeRecording, archives: kept };
}
