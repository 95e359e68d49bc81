import { join } from 'node:path';
import { readOwnFile, stateBytes } from '../base/files/own-file.ts';
import { mapConcurrent } from '../base/map-concurrent.ts';
import type { Status } from '../result.ts';
import { journalName } from './recorder.ts';
import { decodeRecord, type EndRecord, type JournalRecord, journalVersion, type RunRecord } from './records.ts';
import { isRunning, type KeptRun, listRuns } from './runs.ts';

/**
 * The state of a run. running: a process works on it. stopped: its process was killed. damaged: its record cannot be
 * used.
 */
type RunStatus = Status | 'running' | 'stopped' | 'damaged';

/** The outline of a journal. */
interface Glance {
  /** When the question was first asked. */
  readonly at: string | null;
  /** What the question belongs to; null where it was asked by itself. */
  readonly partOf: 'evaluation' | 'checks' | null;
  /** The newest record of what was asked. */
  readonly run: RunRecord | null;
  readonly calls: number;
  /** The last result. */
  readonly end: EndRecord | null;
  /** Whether nothing was recorded after that result. */
  readonly isEnded: boolean;
}

/** A recorded run as lists show it. */
export interface RunOutline extends Glance {
  readonly id: string;
  readonly folder: string;
  readonly status: RunStatus;
  readonly resumable: boolean;
  /** What is wrong with the record, or null. */
  readonly damage: string | null;
}

type Kind = JournalRecord['type'];

/** A line of a journal by its position; its kind is null when it does not look like a record. */
interface Line {
  readonly kind: Kind | null;
  readonly start: number;
  readonly end: number;
}

const kindPattern = /^\{"sum":"[0-9a-f]{8}","type":"(run|session|call|end)"/;
const kindBytes = 40;

function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let start = 0, end = 0; ; start = end + 1) {
    end = bytes.indexOf(0x0a, start);
    if (end < 0) return lines;
    const beginning = bytes.toString('latin1', start, Math.min(end, start + kindBytes));
    lines.push({ kind: (kindPattern.exec(beginning)?.[1] ?? null) as Kind | null, start, end });
  }
}

/** Reads the outline of a journal and decodes no more than that needs: hundreds are listed at once. */
export function glanceAt(bytes: Buffer): Glance {
  const lines = linesOf(bytes);
  const decode = ({ start, end }: Line) => decodeRecord(bytes.toString('utf8', start, end));
  function find<K extends Kind>(kind: K, among: readonly Line[]) {
    for (const line of among) {
      const record = line.kind === kind ? decode(line) : null;
      if (record !== null) return { line, record: record as JournalRecord & { type: K } };
    }
    return null;
  }
  const backwards = lines.toReversed();
  const end = find('end', backwards);
  const since = end === null ? lines : lines.slice(lines.indexOf(end.line) + 1);
  const first = find('run', lines)?.record;
  return {
    at: first?.at ?? null,
    partOf: first?.partOf ?? null,
    run: find('run', backwards)?.record ?? null,
    calls: lines.filter(({ kind }) => kind === 'call').length,
    end: end?.record ?? null,
    isEnded: end !== null && since.every(({ kind }) => kind === null),
  };
}

function damageOf({ run }: Glance, bytes: number): string | null {
  if (run === null) return bytes === 0 ? 'nothing was kept yet' : 'the journal is damaged at its first record';
  return run.version === journalVersion ? null : `it was kept by another version of rlm (form ${run.version})`;
}

const whyUnreadable = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is no journal in the folder' : `the journal cannot be read (${code ?? message})`;
};

const nothing: Glance = { at: null, partOf: null, run: null, calls: 0, end: null, isEnded: false };

async function look(folder: string): Promise<{ readonly glance: Glance; readonly damage: string | null }> {
  try {
    const bytes = readOwnFile(join(folder, journalName), stateBytes);
    const glance = glanceAt(bytes);
    const damage = damageOf(glance, bytes.length);
    return { glance: damage === null ? glance : nothing, damage };
  } catch (error) {
    return { glance: nothing, damage: whyUnreadable(error) };
  }
}

/** Treats a folder that cannot be read as free: who holds it is unknown. */
function isHeld(run: KeptRun): boolean {
  try {
    return isRunning(run);
  } catch {
    return false;
  }
}

/** Reads the outline of a run. Never rejects: `damage` names what is wrong. */
export async function outlineRun(run: KeptRun): Promise<RunOutline> {
  // The lock is read first: a process that ends meanwhile records its result before it releases the run.
  const held = isHeld(run);
  const { glance, damage } = await look(run.folder);
  const ended = glance.isEnded ? glance.end!.result : null;
  const status = held ? 'running' : damage !== null ? 'damaged' : (ended?.status ?? 'stopped');
  const resumable = status === 'stopped' || (!held && ended?.resumable === true);
  return { id: run.id, folder: run.folder, ...glance, status, resumable, damage };
}

/** Reads the outlines of all recorded runs, the newest first. */
export async function outlineRuns(runs: string): Promise<RunOutline[]> {
  return mapConcurrent(await listRuns(runs), 16, new AbortController().signal, outlineRun);
}
