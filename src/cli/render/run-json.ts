/**
 * The JSON of `rlm runs`; docs/runs.md says what its fields mean. Within one version fields are added, never changed.
 */
import type { CallRecord } from '../../journal/records.ts';
import type { RunOutline } from '../../journal/run-outline.ts';
import type { RunDetails } from './run-details.ts';

const schemaVersion = 1;

/** A run as `rlm runs list --json` has it. */
export function listedRun({ id, folder, status, at, calls, run, end, resumable, damage }: RunOutline) {
  return {
    runId: id,
    at,
    status,
    task: run?.task ?? null,
    calls,
    documents: run?.documents.length ?? null,
    provider: run?.provider ?? null,
    model: run?.model.model ?? null,
    confidence: end?.result.confidence ?? null,
    resumable,
    damage,
    folder,
  };
}

/** Everything of a call but its reply, which may be long. */
const listedCall = ({ place, prompt, question, hash, tokens, finish, tries, usedMs }: CallRecord) => ({
  place,
  prompt,
  question,
  hash,
  tokens,
  finish,
  tries,
  usedMs,
});

/** A run as `rlm runs show --json` has it. */
export function detailedRun({ outline, content }: RunDetails) {
  const { task, cwd, paths, documents, provider, model, settings, flags } = content.run;
  return {
    schemaVersion,
    runId: outline.id,
    status: outline.status,
    at: outline.at,
    task,
    cwd,
    paths,
    documents,
    provider,
    model: model.model,
    settings,
    flags,
    usedMs: content.usedMs,
    resumable: outline.resumable,
    damagedLines: content.damagedLines,
    calls: content.calls.map(listedCall),
    result: outline.end?.result ?? null,
  };
}
