/**
 * Records the progress of an evaluation on disk, line by line and before it continues: a killed process loses nothing.
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { RlmError } from '../../errors.ts';
import { type SampleOutcome, spentBy } from './outcome.ts';
import type { Spent } from './shared-budget.ts';

/** The first line. */
interface JournalHead {
  readonly type: 'evaluation';
  readonly version: 1;
  readonly id: string;
  readonly startedAt: string;
  /** Hash of the samples, arms, paths and settings. */
  readonly fingerprint: string;
}

type JournalRecord =
  | JournalHead
  | { readonly type: 'begun'; readonly sample: string; readonly arm: string; readonly runId: string }
  | { readonly type: 'outcome'; readonly outcome: SampleOutcome }
  /** An answer that the evaluation's own limit cut short: no outcome, but paid for. */
  | { readonly type: 'dropped'; readonly outcome: SampleOutcome }
  | { readonly type: 'ended' };

/** An evaluation's journal. */
export interface EvaluationJournal {
  readonly id: string;
  readonly startedAt: string;
  /** Earlier outcomes, by sample and arm. */
  readonly outcomes: readonly SampleOutcome[];
  /** What was spent earlier, including on answers that are requested again. */
  readonly spent: Spent;
  /** Ids of runs without an outcome, by `keyOf`. */
  readonly begun: ReadonlyMap<string, string>;
  append(record: Exclude<JournalRecord, JournalHead>): void;
  close(): void;
}

/** Returns the key of one sample with one arm. */
export const keyOf = ({ sample, arm }: { readonly sample: string; readonly arm: string }): string =>
  `${sample}\n${arm}`;

const fileName = 'journal.jsonl';

/** Reads the complete lines; a kill may have cut the last. */
function readRecords(path: string): readonly JournalRecord[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line): JournalRecord[] => {
      try {
        return [JSON.parse(line) as JournalRecord];
      } catch {
        return [];
      }
    });
}

function headOf(folder: string): JournalHead | null {
  const path = join(folder, fileName);
  const [head] = existsSync(path) ? readRecords(path) : [];
  return head?.type === 'evaluation' && head.version === 1 ? head : null;
}

/** Finds the newest evaluation of the same samples, arms and settings. */
function findUnfinished(root: string, fingerprint: string): string {
  const names = existsSync(root) ? readdirSync(root).sort().reverse() : [];
  const found = names.find((name) => headOf(join(root, name))?.fingerprint === fingerprint);
  if (found !== undefined) return join(root, found);
  throw new RlmError('run-missing', 'there is no evaluation of these questions, arms and settings to resume', {
    hint: 'Leave --resume out, or repeat the command line that began it.',
  });
}

/** Whether an outcome is kept: one with a retryable failure is repeated. */
const isKept = ({ error, status }: SampleOutcome): boolean => status === 'answered' || error?.retryable !== true;

function read(folder: string) {
  const records = readRecords(join(folder, fileName));
  const outcomes = new Map<string, SampleOutcome>();
  const begun = new Map<string, string>();
  const paid: SampleOutcome[] = [];
  for (const record of records) {
    if (record.type === 'begun') begun.set(keyOf(record), record.runId);
    if (record.type === 'outcome' || record.type === 'dropped') paid.push(record.outcome);
    if (record.type === 'outcome') outcomes.set(keyOf(record.outcome), record.outcome);
  }
  const kept = [...outcomes.values()].filter(isKept);
  for (const outcome of kept) begun.delete(keyOf(outcome));
  return { outcomes: kept, begun, spent: spentBy(paid) };
}

function begin(root: string, fingerprint: string): { readonly folder: string; readonly head: JournalHead } {
  const startedAt = new Date().toISOString();
  const id = `${startedAt.slice(0, 19).replace(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`;
  const folder = join(root, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { folder, head: { type: 'evaluation', version: 1, id, startedAt, fingerprint } };
}

/** Returns the fingerprint of an evaluation. */
export const fingerprintOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/**
 * Begins a journal, or continues the newest one with the same fingerprint.
 * @param root the folder that holds a folder for each evaluation.
 * @throws RlmError `run-missing` where there is none to continue; the system's error.
 */
export function openJournal(root: string, fingerprint: string, resumed: boolean): EvaluationJournal {
  const old = resumed ? findUnfinished(root, fingerprint) : null;
  const { folder, head } = old === null ? begin(root, fingerprint) : { folder: old, head: headOf(old)! };
  const known = old === null ? { outcomes: [], begun: new Map<string, string>(), spent: spentBy([]) } : read(folder);
  const file = openSync(join(folder, fileName), 'a', 0o600);
  function write(record: JournalRecord): void {
    writeSync(file, `${JSON.stringify(record)}\n`);
    fsyncSync(file);
  }
  if (old === null) write(head);
  else writeSync(file, '\n'); // A line that a kill cut off stays separate.
  return { id: head.id, startedAt: head.startedAt, ...known, append: write, close: () => closeSync(file) };
}
