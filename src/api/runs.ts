/** Recorded runs, for programs. docs/runs.md says what the fields mean. */
import type { Environment } from '../config/setting-layers.ts';
import type { JournalContent } from '../journal/read-journal.ts';
import type { CallRecord } from '../journal/records.ts';
import { outlineRun, outlineRuns, type RunOutline } from '../journal/run-outline.ts';
import { findRun, readRun } from '../journal/runs.ts';
import { runsFolderOf } from './resume.ts';

const schemaVersion = 1;

/** Where runs are looked for. */
export interface RunsOptions {
  /** Default: the process's. */
  readonly env?: Environment;
  /** Default: the process's. */
  readonly cwd?: string;
}

/** A run as `rlm runs list --json` has it. Within one version fields are added, never changed. */
export function listedRun({ id, folder, status, at, calls, run, end, resumable, damage }: RunOutline) {
  return {
    runId: id,
    at,
    status,
    task: run?.task ?? null,
    cwd: run?.cwd ?? null,
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

/** A recorded run at a glance. */
export type ListedRun = ReturnType<typeof listedRun>;

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

/** A run as `rlm runs show --json` has it. Within one version fields are added, never changed. */
export function detailedRun(outline: RunOutline, content: JournalContent) {
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

/** A recorded run with its calls and its result. */
export type DetailedRun = ReturnType<typeof detailedRun>;

/** Recorded runs, the newest first. Throws RlmError `run-missing` when they cannot be read. */
export async function listRuns({ env = process.env, cwd = process.cwd() }: RunsOptions = {}): Promise<ListedRun[]> {
  return (await outlineRuns(runsFolderOf(env, cwd))).map(listedRun);
}

/**
 * A recorded run by its id or the beginning of one.
 * @param runId null for the newest.
 * @throws RlmError `run-missing`, `usage` when several begin so, `journal-damaged`.
 */
export async function showRun(
  runId: string | null,
  { env = process.env, cwd = process.cwd() }: RunsOptions = {},
): Promise<DetailedRun> {
  const run = await findRun(runsFolderOf(env, cwd), runId);
  return detailedRun(await outlineRun(run), await readRun(run));
}
