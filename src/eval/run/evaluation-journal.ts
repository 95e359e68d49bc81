/**
 * Records the progress of an evaluation on disk, line by line and before it continues: a killed process loses nothing.
 * Also what is kept of an answer.
 */

import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorInfo, RlmError } from '../../errors.ts';
import type { Result } from '../../result.ts';
import type { Citation, TreeNode } from '../../state.ts';
import type { Sample } from '../samples/read-samples.ts';
import type { Judgement } from '../scorers/judge.ts';
import { noScore, type Score, score } from '../scorers/score.ts';

/** What an answer spent. */
export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** A place in the text that an answer cites. */
type CitedPlace = Pick<Citation, 'number' | 'source' | 'startLine' | 'endLine' | 'quote' | 'under'>;

/** The result of one arm for one sample: plain data, as stored in the journal and the report. */
export interface SampleOutcome {
  readonly sample: string;
  readonly arm: string;
  /**
   * answered: there is an answer, possibly cut short. failed: there is none, and the error is never scored as an
   * answer.
   */
  readonly status: 'answered' | 'failed';
  /** The answer as it was given, at most 4,000 characters; null: none. */
  readonly answer: string | null;
  /** 0–1 each; all 0 where there is no answer. */
  readonly score: Score;
  /** 0–1; null: unknown. */
  readonly confidence: number | null;
  /** `code`: the certainty of the rule that computed the answer. Absent where there is no answer. */
  readonly confidenceKind?: Result['confidenceKind'] | 'code';
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** What it cites, at most 50. Absent where no run began. */
  readonly citations?: readonly CitedPlace[];
  /** In USD; null where a price is unknown. */
  readonly cost: number | null;
  readonly seconds: number;
  /** Size of the text, in bytes; null where no run began. */
  readonly bytes: number | null;
  /** Depth of the deepest question in the recursion tree, 0 for the root alone. */
  readonly depth: number;
  readonly strategy: string | null;
  /** Id for `rlm runs show`; null where the run was not recorded. */
  readonly runId: string | null;
  /** Warnings of the run, such as about text that was cut. */
  readonly warnings: readonly string[];
  /** The judge's verdict; null without a judge or an answer. */
  readonly judged: Judgement | null;
  /** The reason why there is no answer, or why it was cut short; else null. */
  readonly error: ErrorInfo | null;
}

const longestAnswer = 4_000;
const mostWarnings = 5;
const mostCitations = 50;

const depthOf = (node: TreeNode): number => Math.max(node.depth, ...node.children.map(depthOf));

const placeOf = ({ number, source, startLine, endLine, quote, under }: Citation): CitedPlace => {
  return { number, source, startLine, endLine, quote, ...(under && { under }) };
};

/**
 * Returns the outcome of a run that resolved. A run without an answer failed, whatever ended it.
 * @param runId null for a run that is not recorded.
 */
export function outcomeOf(
  sample: Sample,
  arm: string,
  result: Result,
  { bytes, runId }: Pick<SampleOutcome, 'bytes' | 'runId'>,
): SampleOutcome {
  const { answer, usage, confidence, recursionTree, citations, tells, error } = result;
  const sources = citations.map(({ source }) => source);
  return {
    sample: sample.id,
    arm,
    status: answer === null ? 'failed' : 'answered',
    answer: answer === null ? null : answer.slice(0, longestAnswer),
    score: answer === null ? noScore : score(sample, { answer, sources, tells }),
    confidence: confidence === null ? null : confidence / 100,
    confidenceKind: (recursionTree?.certainty ?? null) === null ? result.confidenceKind : 'code',
    citations: citations.slice(0, mostCitations).map(placeOf),
    calls: usage.calls,
    tokens: usage.tokens,
    cost: usage.cost,
    seconds: usage.wallTimeMs / 1000,
    bytes,
    depth: recursionTree === null ? 0 : depthOf(recursionTree),
    strategy: recursionTree?.strategy ?? null,
    runId,
    warnings: result.warnings.slice(0, mostWarnings),
    judged: null,
    error,
  };
}

/** Returns what outcomes cost, including the judge. */
export const spentBy = (outcomes: readonly SampleOutcome[]): Spent => ({
  calls: outcomes.reduce((sum, { calls, judged }) => sum + calls + (judged?.calls ?? 0), 0),
  tokens: outcomes.reduce((sum, { tokens, judged }) => sum + tokens.input + tokens.output + (judged?.tokens ?? 0), 0),
  usd: outcomes.reduce((sum, { cost, judged }) => sum + (cost ?? 0) + (judged?.cost ?? 0), 0),
});

/** Returns the outcome of a run that could not begin. */
export const failedOutcome = (sample: Sample, arm: string, error: ErrorInfo): SampleOutcome => ({
  ...{ sample: sample.id, arm, status: 'failed', answer: null, score: noScore, confidence: null, calls: 0 },
  ...{ tokens: { input: 0, output: 0 }, cost: 0, seconds: 0, bytes: null, depth: 0, strategy: null, runId: null },
  ...{ warnings: [], judged: null, error },
});

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
function findUnfinished(root: string, fingerprint: string): { readonly folder: string; readonly head: JournalHead } {
  for (const name of existsSync(root) ? readdirSync(root).sort().reverse() : []) {
    const folder = join(root, name);
    const head = headOf(folder);
    if (head?.fingerprint === fingerprint) return { folder, head };
  }
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
  const { folder, head } = resumed ? findUnfinished(root, fingerprint) : begin(root, fingerprint);
  const file = openSync(join(folder, fileName), 'a', 0o600);
  const known = read(folder);
  function write(record: JournalRecord): void {
    writeSync(file, `${JSON.stringify(record)}\n`);
    fsyncSync(file);
  }
  if (!resumed) write(head);
  else writeSync(file, '\n'); // A line that a kill cut off stays separate.
  return { id: head.id, startedAt: head.startedAt, ...known, append: write, close: () => closeSync(file) };
}
