/** A run from what it is asked with to its result. */
import { resolve } from 'node:path';
import type { AskOptions, RunOptions } from '../assemble/ask-options.ts';
import type { ChosenModels } from '../assemble/choose-provider.ts';
import type { Keeping } from '../assemble/open-archives.ts';
import { type Prepared, prepare } from '../assemble/prepare.ts';
import { withinTime } from '../assemble/within-time.ts';
import { now } from '../base/clock.ts';
import { auditFolder } from '../config/folders.ts';
import type { Configuration } from '../config/layers.ts';
import type { Outcome } from '../controller.ts';
import { type RlmError, toRlmError } from '../errors.ts';
import type { Audit } from '../journal/audit.ts';
import { createTrajectoryCollector, type Trajectory, type TrajectoryCollector } from '../journal/trajectory.ts';
import { failedResult, holdAgainstBar, type Result, toResult, withUnwritten } from '../result.ts';
import type { EventListener, RunEvent } from '../run/events.ts';
import type { Run } from '../run/run.ts';
import type { TaskState } from '../state.ts';

/** How a task is answered. Rejects only for bugs. */
export type Procedure = (state: TaskState, run: Run) => Promise<Outcome>;

/** What carrying out a run needs besides the options. */
export interface Undertaking {
  readonly configuration: Configuration;
  readonly keeping: Keeping;
  /** The models of a recording, in place of those that the settings name. */
  readonly lineup?: ChosenModels;
  /** Left out: the stages of the controller. */
  readonly procedure?: Procedure;
}

/** Whom a run tells what happens; its warnings are collected. */
function createAudience(listeners: readonly (EventListener | undefined)[]) {
  const warnings: string[] = [];
  const collect = (event: RunEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
  };
  return { warnings, listeners: [collect, ...listeners.filter((listener) => listener !== undefined)] };
}

/**
 * Collects how the run goes, where somebody reads it afterwards. A secret that was given with the question and is not
 * recorded is not known when the run is resumed, and may stand in the text.
 */
function collectorFor(options: AskOptions, { journal }: Keeping, { redactor }: Configuration) {
  const isRead = journal.kind !== 'none' || options.onTrajectory !== undefined;
  const keepsText = journal.kind !== 'resumed' || journal.recorded.unrecorded === undefined;
  return isRead ? createTrajectoryCollector(redactor, keepsText) : null;
}

/** The trajectory with the lines around what the answer cites. */
async function finishTrajectory(
  collector: TrajectoryCollector,
  { citations }: Result,
  { inputs: { store } }: Prepared,
  run: Run,
): Promise<Trajectory> {
  const { excerptsOf } = await import('../journal/excerpts.ts');
  const excerpts = excerptsOf(citations, store, (id) => run.passages.byId([id])[0]);
  return collector.finish(excerpts, store.documents);
}

async function runPrepared(
  question: string,
  options: AskOptions,
  { configuration, keeping, procedure }: Undertaking,
  prepared: Prepared,
  audit: Audit | null,
  startedAt: number,
): Promise<Result> {
  const { cwd = process.cwd(), signal = new AbortController().signal, written = [] } = options;
  const { limiters = null, earlier = [] } = options;
  const [{ createRun }, { runTask }] = await Promise.all([
    import('../assemble/create-run.ts'),
    import('../controller.ts'),
  ]);
  const collector = collectorFor(options, keeping, configuration);
  const { warnings, listeners } = createAudience([options.onEvent, audit?.onEvent, collector?.onEvent]);
  const where = { task: question, earlier, cwd, written };
  const request = { ...where, configuration, startedAt, ...prepared, signal, listeners, keeping, limiters };
  const created = await createRun({ ...request, onExchange: collector?.onExchange ?? null });
  const { run, state, provider, model, usedMs, recorder, writeRecording, close } = created;
  try {
    const outcome = await (procedure ?? runTask)(state, run);
    const usage = run.events.usage.total(usedMs + now() - startedAt);
    const stopped = run.budget.stopped()?.toInfo() ?? null;
    const isRecorded = (await recorder?.isSound()) ?? false;
    const failures: RlmError[] = [];
    const keepFailure = (error: unknown) => void failures.push(toRlmError(error));
    await writeRecording().catch(keepFailure);
    const facts = { runId: run.id, provider, model, usage, warnings, stopped, isRecorded };
    const whole = holdAgainstBar(toResult(outcome, facts), configuration.settings.minConfidence);
    const result = configuration.redactor.value(whole);
    const trajectory = collector && (await finishTrajectory(collector, result, prepared, run));
    if (trajectory !== null) options.onTrajectory?.(trajectory);
    await recorder?.end(result, trajectory);
    await audit?.write(result).catch(keepFailure);
    return configuration.redactor.value(withUnwritten(result, failures));
  } finally {
    close();
    await recorder?.close();
  }
}

/**
 * Frees the run's models, but no provider of the program's own. It is not waited for: a run that is stopped ends at
 * once, and what is freed may be at work for a moment yet.
 */
function closeModels({ models }: ChosenModels, { provider: own, providers = {} }: RunOptions): void {
  const kept = [own, ...Object.values(providers)];
  for (const { provider } of models) if (!kept.includes(provider)) void provider.close?.();
}

/** Time that earlier sessions of a run have used, in ms. */
const usedEarlier = ({ journal }: Keeping): number => (journal.kind === 'resumed' ? journal.taken.usedMs : 0);

async function prepareAndRun(
  question: string,
  options: AskOptions,
  undertaking: Undertaking,
  audit: Audit | null,
): Promise<Result> {
  const { cwd = process.cwd(), signal = new AbortController().signal } = options;
  const startedAt = now() - (options.usedMs ?? 0);
  const { configuration, lineup, keeping } = undertaking;
  const usedMs = usedEarlier(keeping) + now() - startedAt;
  const prepared = await withinTime(configuration.settings, usedMs, { ...options, signal }, (timed) =>
    prepare({ ...options, ...timed }, configuration, cwd, timed.signal, lineup),
  );
  try {
    return await runPrepared(question, options, undertaking, prepared, audit, startedAt);
  } finally {
    prepared.close();
    closeModels(prepared.chosen, options);
  }
}

async function prepareAndAudit(question: string, options: AskOptions, undertaking: Undertaking): Promise<Result> {
  const { redactor } = undertaking.configuration;
  const folder = auditFolder(undertaking.configuration.settings);
  if (folder === null) return prepareAndRun(question, options, undertaking, null);
  const { createAudit } = await import('../journal/audit.ts');
  const audit = await createAudit(resolve(options.cwd ?? process.cwd(), folder));
  return prepareAndRun(question, options, undertaking, audit).catch(async (error: unknown) => {
    const failed = redactor.value(failedResult(question, toRlmError(error)));
    await audit.write(failed).catch(() => {}); // Why the run failed matters more.
    throw error;
  });
}

/** Prepares a run and carries it out, recorded as asked. No secret is in what it resolves to or throws. */
export const carryOut = (question: string, options: AskOptions, undertaking: Undertaking): Promise<Result> =>
  prepareAndAudit(question, options, undertaking).catch((error: unknown) => {
    throw undertaking.configuration.redactor.thrown(error);
  });
