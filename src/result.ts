import type { Settings } from './config/settings.ts';
import { isComputed } from './context/computed-passage.ts';
import type { Outcome } from './controller.ts';
import {
  type ErrorInfo,
  type ExitCode,
  errorCodes,
  kindOf,
  RlmError,
  type Warning,
  type WarningCode,
} from './errors.ts';
import { createUsageMeter, type Usage } from './run/run-events.ts';
import type {
  AskedIndex,
  Citation,
  Claim,
  ConfidenceKind,
  Contradiction,
  Critique,
  Formed,
  Plan,
  Rung,
  TaskState,
  Tells,
  ToolUse,
  TreeNode,
} from './state.ts';

/** The object that `rlm ask --json` prints and `ask()` resolves to, whether the run succeeded or not. */
export interface Result {
  /** The version of this shape. Within one `schemaVersion`, fields may be added but never change. */
  readonly schemaVersion: 1;
  /** The id of the run. Null when it could not begin. */
  readonly runId: string | null;
  /**
   * answered: without a failure. partial: a limit ended the run, possibly without an answer, or a failure left the
   * answer incomplete. failed: a failure left no answer. cancelled: the user ended the run.
   */
  readonly status: 'answered' | 'partial' | 'failed' | 'cancelled';
  /** The question. */
  readonly task: string;
  /**
   * The answer with citation numbers such as `[1]`; JSON if a `schema` was given and the answer could be converted to
   * it; null without an answer. It is never an error message.
   */
  readonly answer: string | null;
  /** How much of the question is answered, according to the model's reply; null if the reply does not say. */
  readonly tells: Tells | null;
  /** Questions without an answer in the text that was read. */
  readonly missing: readonly string[];
  /** 0–100; null if unknown. `confidenceKind` says what the number measures. */
  readonly confidence: number | null;
  /** `evidence`: how well the citations support the answer; `match`: how likely an answer without a model is right. */
  readonly confidenceKind: ConfidenceKind;
  /** What lowers the confidence, or why there is none; null if no reason is known. */
  readonly confidenceReason: string | null;
  /** The answer as a value that conforms to the `schema`; null without a `schema` or a successful conversion. */
  readonly data: unknown;
  /** The citations of each field of `data`, by JSON pointer; null if no conversion to a `schema` began. */
  readonly fieldCitations: Readonly<Record<string, readonly Citation[]>> | null;
  /** The claims of the answer, each with its verdict; empty when there is no answer. */
  readonly claims: readonly Claim[];
  /** Contradictions about the question between passages that were read. */
  readonly contradictions: readonly Contradiction[];
  /** The critic's score (0–100), gaps, uncertainties and reasoning; null if no critic judged the answer. */
  readonly critique: Critique | null;
  /** The cited passages: source, lines, bytes, hash of the passage, quote. */
  readonly citations: readonly Citation[];
  /** The index that the text came from; null if the text came from elsewhere. */
  readonly index: AskedIndex | null;
  /** The plan: approach, key questions, required information, success criteria; null if none was made. */
  readonly plan: Plan | null;
  /** The steps that were taken towards the answer, each with its reason. */
  readonly ladder: readonly Rung[];
  /** Every question asked, with passages, answers, calls, tokens and time; null if the run stopped too early. */
  readonly recursionTree: TreeNode | null;
  /** Always empty. The field stays for programs that read it. */
  readonly toolExecutions: readonly ToolUse[];
  /** Calls, tokens and time of the whole run. Embeddings are counted separately. */
  readonly usage: Usage;
  /**
   * The provider that was chosen for the question; null when the run could not begin. `usage.models` lists every model
   * that was asked.
   */
  readonly provider: string | null;
  /** The model that was chosen for the question; null when the run could not begin. */
  readonly model: string | null;
  /** `completed`, or the code of `error`. */
  readonly stopReason: 'completed' | ErrorInfo['code'];
  /** Warnings about the run. */
  readonly warnings: readonly string[];
  /** The code of each warning, in the order of `warnings`. */
  readonly warningCodes: readonly WarningCode[];
  /** Whether the run can be resumed: it was recorded, and something is left to do. */
  readonly resumable: boolean;
  /** Code, message, hint (what to do next) and retryable. Null when there was no error. */
  readonly error: ErrorInfo | null;
}

interface ResultFacts extends Pick<Result, 'runId' | 'provider' | 'model' | 'index' | 'usage'> {
  readonly warnings: readonly Warning[];
  /** Why the run refused or ended calls; null if it did not. */
  readonly stopped: ErrorInfo | null;
  readonly isRecorded: boolean;
}

function statusOf(error: ErrorInfo | null, answer: string | null): Result['status'] {
  if (error === null) return 'answered';
  if (kindOf(error) === 'bar' && answer !== null) return 'answered';
  if (kindOf(error) === 'interruption') return 'cancelled';
  return answer !== null || kindOf(error) === 'limit' ? 'partial' : 'failed';
}

function errorOf(outcome: Outcome, stopped: ErrorInfo | null): ErrorInfo | null {
  if ('stopped' in outcome) return outcome.stopped;
  return stopped ?? outcome.recursionTree.error ?? outcome.form?.error ?? null;
}

/** Creates the result of a run that began. */
export function toResult(outcome: Outcome, facts: ResultFacts): Result {
  const { runId, provider, model, index, usage, warnings, stopped, isRecorded } = facts;
  const state: TaskState & Partial<Formed> = 'state' in outcome ? outcome.state : outcome;
  const { task, solution: answer = null, recursionTree = null, form = null } = state;
  const error = errorOf(outcome, stopped);
  return {
    ...{ schemaVersion: 1, runId, status: statusOf(error, answer), task, answer },
    tells: recursionTree?.tells ?? null,
    missing: recursionTree?.missing ?? [],
    data: form?.value ?? null,
    fieldCitations: form?.fieldCitations ?? null,
    confidence: state.confidence ?? null,
    confidenceKind: state.confidenceKind ?? 'evidence',
    confidenceReason: state.confidenceReason ?? null,
    claims: state.claims ?? [],
    contradictions: state.contradictions ?? [],
    critique: state.critique ?? null,
    citations: state.citations ?? [],
    plan: state.plan ?? null,
    ladder: state.ladder ?? [],
    ...{ recursionTree, toolExecutions: [], index, usage, provider, model },
    stopReason: error?.code ?? 'completed',
    warnings: warnings.map(({ message }) => message),
    warningCodes: warnings.map(({ code }) => code),
    resumable: isRecorded && error !== null && kindOf(error) !== 'bar',
    error,
  };
}

/** Creates the result of a run that could not begin. */
export function failedResult(task: string, error: RlmError, warnings: readonly Warning[] = []): Result {
  const outcome = { state: { task, earlier: [], documents: [] }, stopped: error.toInfo() };
  const facts = { runId: null, provider: null, model: null, index: null, stopped: null, isRecorded: false };
  return toResult(outcome, { ...facts, usage: createUsageMeter().total(0), warnings });
}

/** Returns a result. If it has no answer, returns that of an earlier session with the error of this one. */
export function withEarlier(result: Result, earlier: Result | null = null): Result {
  if (result.answer !== null || earlier === null || earlier.answer === null) return result;
  const { error, stopReason, usage } = result;
  const resumable = earlier.resumable || result.resumable;
  return { ...earlier, status: statusOf(error, earlier.answer), error, stopReason, usage, resumable };
}

/** Adds to each citation what `surroundingsOf` returns: page, headings above, whether the text was extracted. */
export function withSurroundings(
  result: Result,
  surroundingsOf: (citation: Citation) => Pick<Citation, 'page' | 'isExtracted' | 'under'>,
): Result {
  const extended = (cited: readonly Citation[]): Citation[] => cited.map((one) => ({ ...one, ...surroundingsOf(one) }));
  const fields = Object.entries(result.fieldCitations ?? {}).map(([field, cited]) => [field, extended(cited)]);
  const fieldCitations = result.fieldCitations && Object.fromEntries(fields);
  return { ...result, citations: extended(result.citations), fieldCitations };
}

/**
 * Returns the place of a citation: `src/a.ts:10-18`, `src/a.ts:10` for a single line, `report.pdf, page 3`, or
 * `page.html, text line 7` if the lines are lines of extracted text. For a computed value, returns only the source.
 */
export function placeOf(citation: Pick<Citation, 'source' | 'startLine' | 'endLine' | 'page' | 'isExtracted'>): string {
  const { source, startLine, endLine, page, isExtracted } = citation;
  if (isComputed(citation)) return source;
  if (page !== undefined) return `${source}, page ${page}`;
  const [lines, last] = endLine === startLine ? ['line', ''] : ['lines', `-${endLine}`];
  return `${source}${isExtracted ? `, text ${lines} ` : ':'}${startLine}${last}`;
}

/** Returns the nearest element above a citation, such as its heading; empty if there is none. */
export const nearestOver = ({ under = [] }: Pick<Citation, 'under'>): string =>
  (under.at(-1) ?? '').replace(/^#+\s+/, '');

/** Returns the names of the provider and the model; one name if they are equal. */
export const modelLabel = ({ provider, model }: { readonly provider: string | null; readonly model: string | null }) =>
  [...new Set([provider, model])].filter(Boolean).join(' ');

/** Returns a question and all its parts, each question before its parts. */
export const nodesOf = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(nodesOf)];

/** Whether the answer is JSON that conforms to the requested schema. `data` is undefined in old records. */
export const isForm = ({ data, answer }: Pick<Result, 'data' | 'answer'>): boolean =>
  (data ?? null) !== null || answer === 'null';

/** Returns the reason for a missing confidence as a clause, such as `as there is no evidence`. */
export const unknownConfidence = ({
  citations,
  confidenceReason,
}: Pick<Result, 'citations' | 'confidenceReason'>): string =>
  citations.length === 0 ? 'as there is no evidence' : `as ${confidenceReason ?? 'it was not computed'}`;

const outcomeNames = {
  answered: 'answered',
  partial: 'partial answer',
  failed: 'failed',
  cancelled: 'stopped',
} as const;

/** Returns the outcome in words, such as `answered`; `not found` for an answer that says that the text has none. */
export function outcomeName({ status, answer, tells }: Pick<Result, 'status' | 'answer' | 'tells'>): string {
  if (status === 'answered' && tells === 'nothing') return 'not found';
  return status === 'partial' && answer === null ? 'no answer' : outcomeNames[status];
}

/** Returns the word for the answer's kind of confidence. */
export const confidenceName = ({ confidenceKind }: Pick<Result, 'confidenceKind'>): string =>
  confidenceKind === 'match' ? 'match' : 'confidence';

/** Returns the error for a missed threshold; else null. An unknown confidence is below any threshold. */
function thresholdError(result: Result, { minConfidence, failOn }: Pick<Settings, 'minConfidence' | 'failOn'>) {
  const { confidence, tells } = result;
  if (failOn === 'not-found' && tells === 'nothing')
    return new RlmError('not-found', 'the text does not contain the answer, and --fail-on not-found is set', {
      hint: 'Give a text that contains the answer, or ask more precisely.',
    });
  if (minConfidence === null || (confidence ?? -1) >= minConfidence) return null;
  const found = confidence === null ? `unknown, ${unknownConfidence(result)}` : String(confidence);
  return new RlmError('below-bar', `the ${confidenceName(result)} is ${found}; at least ${minConfidence} is required`, {
    hint: 'Give more or better text, ask more precisely, or lower --min-confidence.',
  });
}

/** Adds an error to a result that misses a required threshold. The status of the result stays the same. */
export function applyThresholds(result: Result, bars: Pick<Settings, 'minConfidence' | 'failOn'>): Result {
  const error = result.status === 'answered' ? thresholdError(result, bars) : null;
  return error === null ? result : { ...result, stopReason: error.code, error: error.toInfo() };
}

/** Returns the number of requests that a run sent, as its limit of calls counts them. */
export const requestsOf = ({ calls, retries }: Usage): number => calls + retries;

/** Returns the exit status for a result. */
export const exitCodeOf = ({ error }: Result): ExitCode => (error ? errorCodes[error.code].exit : 0);

/**
 * Adds errors about files that could not be written. The first becomes the result's error if the result has none; the
 * others become warnings.
 */
export function withUnwritten(result: Result, failures: readonly RlmError[]): Result {
  if (failures.length === 0) return result;
  const error = result.error ?? failures[0]!.toInfo();
  const others = result.error === null ? failures.slice(1) : failures;
  const warnings = [...result.warnings, ...others.map(({ message }) => message)];
  const warningCodes = [...result.warningCodes, ...others.map(() => 'not-kept' as const)];
  return { ...result, warnings, warningCodes, stopReason: error.code, error };
}
