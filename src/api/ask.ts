import { resolve } from 'node:path';
import { type AskOptions, checkOptions, checkQuestion } from '../assemble/ask-options.ts';
import { type Gathered, gather } from '../assemble/gather.ts';
import { planAsk, type RunPlan, resumedOf, usedByNow } from '../assemble/run-plan.ts';
import { createScope, type Scope } from '../base/scope.ts';
import { auditFolder } from '../config/folders.ts';
import type { ContextStore } from '../context/document.ts';
import { underAt } from '../context/under/passage-under.ts';
import type { Outcome } from '../controller.ts';
import { kindOf, type RlmError, toRlmError, type Warning } from '../errors.ts';
import type { Audit } from '../journal/audit.ts';
import { createTrajectoryCollector, excerptsOf, type TrajectoryCollector } from '../journal/trajectory.ts';
import {
  applyThresholds,
  failedResult,
  type Result,
  toResult,
  withEarlier,
  withSurroundings,
  withUnwritten,
} from '../result.ts';
import type { RunEvent } from '../run/events.ts';
import type { Run } from '../run/run.ts';
import type { Citation, TaskState } from '../state.ts';

export { newRunId } from '../run/run-events.ts';

/** A function that answers a task. Its promise rejects only because of a bug. */
export type Procedure = (state: TaskState, run: Run) => Promise<Outcome>;

/**
 * Creates the collector of the trajectory; null if nothing uses the trajectory. If secrets of a resumed run's first
 * session were not recorded, they cannot be redacted now. The collector then omits prompts and text around citations.
 */
function collectorFor({ journal, onTrajectory, configuration }: RunPlan): TrajectoryCollector | null {
  const isRead = journal !== 'none' || onTrajectory !== undefined;
  const keepsText = resumedOf({ journal })?.recorded.unrecorded === undefined;
  return isRead ? createTrajectoryCollector(configuration.redactor, keepsText) : null;
}

const pageMark = /^\[page (\d+)\]$/gm;
const markBytes = 24;

/** Returns the page number of a byte of a document; null if the document does not begin with a page mark. */
function pageAt(store: ContextStore, document: number, byte: number): number | null {
  const { bytes } = store.documents[document]!;
  const upTo = (end: number) => Buffer.from(store.read(document, 0, Math.min(bytes, end))).toString('latin1');
  if (!/^\[page \d+\]\n/.test(upTo(markBytes))) return null;
  const before = [...upTo(byte + markBytes).matchAll(pageMark)].filter(({ index }) => index <= byte);
  return Number(before.at(-1)![1]);
}

function surroundingsOf({ source, startByte }: Citation, store: ContextStore) {
  const document = store.documents.findIndex(({ name }) => name === source);
  if (document < 0) return {};
  const page = pageAt(store, document, startByte);
  const under = underAt(store, source, startByte);
  return {
    ...(page === null ? {} : { page }),
    ...(store.documents[document]!.isExtracted && { isExtracted: true as const }),
    ...(under.length === 0 ? {} : { under }),
  };
}

async function runGathered(
  plan: RunPlan,
  gathered: Gathered,
  procedure: Procedure | null,
  audit: Audit | null,
  scope: Scope,
): Promise<Result> {
  const { task, earlier } = plan;
  const { redactor, settings } = plan.configuration;
  const [{ createRun }, { runTask }] = await Promise.all([
    import('../assemble/create-run.ts'),
    import('../controller.ts'),
  ]);
  const collector = collectorFor(plan);
  const warnings: Warning[] = [];
  const collect = (event: RunEvent) => {
    if (event.type === 'warning') warnings.push(event);
  };
  const listeners = [collect, plan.onEvent, audit?.onEvent, collector?.onEvent].filter((one) => one !== undefined);
  const observers = { listeners, onExchange: collector?.onExchange ?? null };
  const { run, recorder, writeRecording, unread } = await createRun(plan, gathered, observers, scope);

  const { documents } = run.text.store;
  const outcome = await (procedure ?? runTask)({ task, earlier, documents }, run);
  const usage = run.events.usage.total(usedByNow(plan));
  const stopped = (run.budget.stopped() ?? unread)?.toInfo() ?? null;
  const isRecorded = (await recorder?.isSound()) ?? false;
  const failures: RlmError[] = [];
  const keepFailure = (error: unknown) => void failures.push(toRlmError(error));
  await writeRecording(!('stopped' in outcome)).catch(keepFailure);
  const { provider, info } = gathered.chosen.models[0];
  const about = { runId: run.id, provider: provider.name, model: info.model, index: gathered.text.asked };
  const whole = toResult(outcome, { ...about, usage, warnings, stopped, isRecorded });
  const placed = withSurroundings(whole, (citation) => surroundingsOf(citation, run.text.store));
  const result = redactor.value(withEarlier(applyThresholds(placed, settings), resumedOf(plan)?.result));
  const { store } = gathered.text.inputs;
  const excerpts = () => excerptsOf(result.citations, store, (id) => run.passages.byId([id])[0]);
  const trajectory = collector?.finish(excerpts(), store.documents) ?? null;
  if (trajectory !== null) plan.onTrajectory?.(trajectory);
  await recorder?.end(result, trajectory);
  await audit?.write(result).catch(keepFailure);
  return redactor.value(withUnwritten(result, failures));
}

async function runAudited(plan: RunPlan, procedure: Procedure | null): Promise<Result> {
  const { settings, redactor } = plan.configuration;
  const folder = auditFolder(settings);
  const open = async (path: string) => (await import('../journal/audit.ts')).createAudit(resolve(plan.cwd, path));
  const audit = folder === null ? null : await open(folder);
  const scope = createScope();
  try {
    return await runGathered(plan, await gather(plan, scope), procedure, audit, scope);
  } catch (error) {
    const failed = redactor.value(failedResult(plan.task, toRlmError(error)));
    await audit?.write(failed).catch(() => {}); // The run's own error is thrown instead.
    throw error;
  } finally {
    await scope.close();
  }
}

/**
 * Carries out a plan. Resolves to a cancelled result when the signal aborts, even before the run begins.
 * @param procedure null for the stages of the controller.
 */
export const carryOut = (plan: RunPlan, procedure: Procedure | null = null): Promise<Result> =>
  runAudited(plan, procedure).catch((error: unknown) => {
    const { redactor } = plan.configuration;
    const failure = toRlmError(error);
    const result = redactor.value(withEarlier(failedResult(plan.task, failure), resumedOf(plan)?.result));
    const isKept = kindOf(failure) === 'limit' && result.answer !== null;
    if (kindOf(failure) !== 'interruption' && !isKept) throw redactor.thrown(error);
    return result;
  });

/**
 * Asks a question, usually about a text, and resolves to the answer with its evidence.
 *
 * Also resolves when a run fails, reaches a limit or is cancelled: `status` and `error` say what happened.
 * @throws RlmError when the run cannot begin: wrong settings, no question, unusable input, no provider, or a file
 *   that cannot be written or replayed. `limit-time` when `budget.timeout` elapses while the text is read.
 */
export const ask = (question: string, options: AskOptions = {}): Promise<Result> => askBy(question, options, null);

/**
 * Asks a question and answers it by a procedure.
 * @param procedure null for the stages of the controller.
 * @param id the id of the run, from `newRunId`; default: a new one.
 */
export async function askBy(
  question: string,
  options: AskOptions,
  procedure: Procedure | null,
  id?: string,
): Promise<Result> {
  checkOptions('ask', options);
  checkQuestion(question);
  const plan = await planAsk(question, options);
  return carryOut(id === undefined ? plan : { ...plan, id }, procedure);
}
