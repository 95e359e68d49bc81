import { RlmError } from '../../errors.ts';
import { bytesOf, isOurs, isRunning, type KeptRun, lastChange, listRuns, removeRuns } from '../../journal/runs.ts';

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * An age such as `30d` in ms.
 * @throws RlmError `usage` when it is none, or none was given.
 */
export function parseAge(text: string | undefined): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text ?? '') ?? [];
  if (count !== undefined) return Number(count) * unitsMs[unit as keyof typeof unitsMs];
  throw new RlmError('usage', text === undefined ? '--older-than is missing' : `--older-than cannot be "${text}"`, {
    hint: 'It is a number with m (minutes), h, d or w, such as: rlm runs prune --older-than 30d',
  });
}

/** A run that is old enough to go. */
interface OldRun extends KeptRun {
  readonly bytes: number;
}

/** What is gone meanwhile, or cannot be looked at, is not ours to remove. */
async function asOld(run: KeptRun, before: number): Promise<OldRun | null> {
  try {
    if (!isOurs(run) || (await lastChange(run)) >= before || isRunning(run)) return null;
    return { ...run, bytes: await bytesOf(run) };
  } catch {
    return null;
  }
}

/** The runs in which nothing was recorded for that time and on which no process works. */
export async function oldRuns(runs: string, ageMs: number): Promise<OldRun[]> {
  const before = Date.now() - ageMs;
  const old: OldRun[] = [];
  for (const run of await listRuns(runs)) {
    const found = await asOld(run, before);
    if (found !== null) old.push(found);
  }
  return old;
}

/** Removes runs one by one, but for those that a process has taken up meanwhile. Resolves to those that are gone. */
export async function removeOld(old: readonly OldRun[]): Promise<OldRun[]> {
  const removed: OldRun[] = [];
  for (const run of old) {
    try {
      await removeRuns([run]);
      removed.push(run);
    } catch (error) {
      if (!(error instanceof RlmError && error.code === 'run-busy')) throw error;
    }
  }
  return removed;
}
