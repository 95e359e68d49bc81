/** The journal of an evaluation. Each line is on disk before the next step, so that no finished answer is lost. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { statedWords } from '../../api/stated-words.ts';
import { holdLock } from '../../base/files/lock.ts';
import { makeFolder } from '../../base/files/system.ts';
import { sha256 } from '../../base/sha256.ts';
import { RlmError, unwritable } from '../../errors.ts';
import { type Result, requestsOf } from '../../result.ts';
import type { Citation, TreeNode } from '../../state.ts';
import type { Sample } from '../samples/read-samples.ts';
import type { Judgement } from '../scorers/judge.ts';
import { noScore, score } from '../scorers/score.ts';
import type { Spent } from './shared-budget.ts';

/** The stored facts about one arm's answer to one sample. */
export type SampleOutcome = Readonly<ReturnType<typeof outcomeOf>>;

const longestAnswer = 4_000;
const mostWarnings = 5;
const mostCitations = 50;

const depthOf = (node: TreeNode): number => Math.max(node.depth, ...node.children.map(depthOf));

const placeOf = ({ number, source, startLine, endLine, quote, under }: Citation) => {
  return { number, source, startLine, endLine, quote, ...(under && { under }) };
};

/**
 * Returns the outcome of a run.
 * @param bytes size of the text; null where no run began.
 * @param runId null for a run that is not recorded.
 */
export function outcomeOf(
  sample: Sample,
  arm: string,
  result: Result,
  bytes: number | null = null,
  runId: string | null = null,
) {
  const { answer, usage, confidence, recursionTree, citations, tells, error } = result;
  const sources = citations.map(({ source }) => source);
  const isAnswered = answer !== null && result.status === 'answered';
  return {
    sample: sample.id,
    arm,
    status: isAnswered ? ('answered' as const) : ('failed' as const),
    answer: answer === null ? null : answer.slice(0, longestAnswer),
    score: isAnswered ? score(sample, { answer: statedWords(answer, result), sources, tells }) : noScore,
    /** 0–1; null: unknown. */
    confidence: confidence === null ? null : confidence / 100,
    /** Origin of the confidence. `code`: the certainty of the rule that computed the answer. */
    confidenceKind: (recursionTree?.certainty ?? null) === null ? result.confidenceKind : ('code' as const),
    citations: citations.slice(0, mostCitations).map(placeOf),
    calls: usage.calls,
    requests: requestsOf(usage),
    tokens: usage.tokens,
    /** In USD; null where a price is unknown. */
    cost: usage.cost,
    seconds: usage.wallTimeMs / 1000,
    bytes,
    /** Depth of the deepest question; 0 if there is only the root. */
    depth: recursionTree === null ? 0 : depthOf(recursionTree),
    strategy: recursionTree?.strategy ?? null,
    runId,
    warnings: result.warnings.slice(0, mostWarnings),
    judged: null as Judgement | null,
    error,
  };
}

/** Returns the requests, tokens and money that outcomes cost, including those of the judge. */
export const spentBy = (outcomes: readonly SampleOutcome[]): Spent => ({
  calls: outcomes.reduce((sum, { requests, judged }) => sum + requests + (judged?.calls ?? 0), 0),
  tokens: outcomes.reduce((sum, { tokens, judged }) => sum + tokens.input + tokens.output + (judged?.tokens ?? 0), 0),
  usd: outcomes.reduce((sum, { cost, judged }) => sum + (cost ?? 0) + (judged?.cost ?? 0), 0),
});

interface JournalHead {
  readonly type: 'evaluation';
  readonly version: 1;
  readonly id: string;
  readonly startedAt: string;
  /** Hash of the samples, arms, models, paths and settings. */
  readonly fingerprint: string;
}

type JournalRecord =
  | JournalHead
  | { readonly type: 'begun'; readonly sample: string; readonly arm: string; readonly runId: string }
  /** dropped: the evaluation's limit or an interruption cut the answer short. Only its cost counts. */
  | { readonly type: 'outcome' | 'dropped'; readonly outcome: SampleOutcome }
  | { readonly type: 'ended' };

export type EvaluationJournal = ReturnType<typeof openJournal>;

export const keyOf = ({ sample, arm }: Pick<SampleOutcome, 'sample' | 'arm'>): string => `${sample}\n${arm}`;

const fileName = 'journal.jsonl';

/** Reads the records. Skips incomplete lines, which killed processes may have left. */
function readRecords(folder: string): readonly JournalRecord[] {
  const path = join(folder, fileName);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.flatMap((line): JournalRecord[] => {
    try {
      return [JSON.parse(line) as JournalRecord];
    } catch {
      return [];
    }
  });
}

function findNewest(root: string, fingerprint: string) {
  for (const name of existsSync(root) ? readdirSync(root).sort().reverse() : []) {
    const folder = join(root, name);
    const [head] = readRecords(folder);
    if (head?.type === 'evaluation' && head.version === 1 && head.fingerprint === fingerprint) return { folder, head };
  }
  throw new RlmError('run-missing', 'there is no evaluation of these questions, arms and settings to resume', {
    hint: 'Leave out --resume, or repeat the command line that began the evaluation.',
  });
}

/** Whether an outcome is kept. A run with a retryable failure is repeated. */
const isKept = ({ error, status }: SampleOutcome): boolean => status === 'answered' || error?.retryable !== true;

function read(folder: string) {
  const outcomes = new Map<string, SampleOutcome>();
  const begun = new Map<string, string>();
  const paid: SampleOutcome[] = [];
  for (const record of readRecords(folder)) {
    if (record.type === 'begun') begun.set(keyOf(record), record.runId);
    if (record.type === 'outcome' || record.type === 'dropped') paid.push(record.outcome);
    if (record.type === 'outcome') outcomes.set(keyOf(record.outcome), record.outcome);
  }
  const kept = [...outcomes.values()].filter(isKept);
  for (const outcome of kept) begun.delete(keyOf(outcome));
  return {
    outcomes: kept,
    /** Ids of the runs that began and have no kept outcome, by `keyOf`. */
    begun: begun as ReadonlyMap<string, string>,
    spent: spentBy(paid),
  };
}

function begin(root: string, fingerprint: string) {
  const startedAt = new Date().toISOString();
  const id = `${startedAt.slice(0, 19).replace(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`;
  const folder = join(root, id);
  makeFolder(folder);
  return { folder, head: { type: 'evaluation', version: 1, id, startedAt, fingerprint } satisfies JournalHead };
}

function open(root: string, fingerprint: string, resumed: boolean) {
  const { folder, head } = resumed ? findNewest(root, fingerprint) : begin(root, fingerprint);
  // Two processes would not see each other's spending, and would ask the same questions.
  const lock = holdLock(folder, `working on evaluation ${head.id}`);
  const file = openSync(join(folder, fileName), 'a', 0o600);
  const known = read(folder);
  function append(record: JournalRecord): void {
    writeSync(file, `${JSON.stringify(record)}\n`);
    fsyncSync(file);
  }
  if (!resumed) append(head);
  else writeSync(file, '\n'); // Separates the next line from an incomplete last one.
  function close(): void {
    closeSync(file);
    lock.release();
  }
  return { id: head.id, startedAt: head.startedAt, ...known, append, close };
}

/**
 * Begins a journal, or continues the newest one with the same parts.
 * @param root the folder that holds a folder for each evaluation.
 * @param parts the samples, arms, models, settings and so on that identify an evaluation, as plain data.
 * @throws RlmError `run-missing` if there is no journal with these parts to continue; `run-busy` if another process
 *   continues it; `output-unwritable`.
 */
export function openJournal(root: string, parts: unknown, resumed: boolean) {
  try {
    return open(root, sha256(JSON.stringify(parts), 32), resumed);
  } catch (error) {
    throw unwritable(`the folder ${root}`, error, 'Make it writable, or name another state folder with RLM_HOME.');
  }
}
