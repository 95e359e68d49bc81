/** A run from what it is asked with to its result. */
import { resolve } from 'node:path';
import type { AskOptions, RunOptions } from './ask-options.ts';
import type { Audit } from './audit.ts';
import type { ChosenModels } from './choose-provider.ts';
import { now } from './clock.ts';
import { auditFolder } from './config/folders.ts';
import type { Configuration } from './config/layers.ts';
import { toRlmError } from './errors.ts';
import type { Keeping } from './open-archives.ts';
import { type Prepared, prepare } from './prepare.ts';
import { closeRead } from './read-text.ts';
import { failedResult, holdAgainstBar, type Result, toResult } from './result.ts';
import type { EventListener, RunEvent } from './run/events.ts';

/** What carrying out a run needs besides the options. */
export interface Undertaking {
  readonly configuration: Configuration;
  readonly keeping: Keeping;
  /** The models of a recording, in place of those that the settings name. */
  readonly lineup?: ChosenModels;
}

/** Whom a run tells what happens; its warnings are collected. */
function createAudience(listeners: readonly (EventListener | undefined)[]) {
  const warnings: string[] = [];
  const collect = (event: RunEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
  };
  return { warnings, listeners: [collect, ...listeners.filter((listener) => listener !== undefined)] };
}

async function runPrepared(
  question: string,
  options: AskOptions,
  { configuration, keeping }: Undertaking,
  prepared: Prepared,
  audit: Audit | null,
  startedAt: number,
): Promise<Result> {
  const { cwd = process.cwd(), signal = new AbortController().signal, paths = [], written = [] } = options;
  const { index: indexName = null } = options;
  const [{ createRun }, { runTask }] = await Promise.all([import('./create-run.ts'), import('./controller.ts')]);
  const { warnings, listeners } = createAudience([options.onEvent, audit?.onEvent]);
  const where = { task: question, cwd, paths, written, indexName };
  const request = { ...where, configuration, ...prepared, signal, listeners, keeping };
  const { run, state, provider, model, usedMs, recorder, writeRecording, close } = await createRun(request);
  try {
    const outcome = await runTask(state, run);
    const usage = run.usage.total(usedMs + now() - startedAt);
    const stopped = run.stopped()?.toInfo() ?? null;
    const isRecorded = (await recorder?.isSound()) ?? false;
    await writeRecording().catch((error: Error) => run.warn(error.message));
    const facts = { runId: run.id, provider, model, usage, warnings, stopped, isRecorded };
    const whole = holdAgainstBar(toResult(outcome, facts), configuration.settings.minConfidence);
    const result = configuration.redactor.value(whole);
    await recorder?.end(result);
    await audit?.write(result).catch((error: Error) => run.warn(error.message));
    return result;
  } finally {
    close();
    await recorder?.close();
  }
}

/**
 * Frees the run's models, but no provider of the program's own. It is not waited for: a run that is stopped ends at once,
 * and what is freed may be at work for a moment yet.
 */
function closeModels({ models }: ChosenModels, { provider: own, providers = {} }: RunOptions): void {
  const kept = [own, ...Object.values(providers)];
  for (const { provider } of models) if (!kept.includes(provider)) void provider.close?.();
}

async function prepareAndRun(
  question: string,
  options: AskOptions,
  undertaking: Undertaking,
  audit: Audit | null,
): Promise<Result> {
  const { cwd = process.cwd(), signal = new AbortController().signal } = options;
  const startedAt = now();
  const { configuration, lineup } = undertaking;
  const prepared = await prepare(options, configuration, cwd, signal, lineup);
  try {
    return await runPrepared(question, options, undertaking, prepared, audit, startedAt);
  } finally {
    closeRead(prepared);
    closeModels(prepared.chosen, options);
  }
}

async function prepareAndAudit(question: string, options: AskOptions, undertaking: Undertaking): Promise<Result> {
  const { redactor } = undertaking.configuration;
  const folder = auditFolder(undertaking.configuration.settings);
  if (folder === null) return prepareAndRun(question, options, undertaking, null);
  const { createAudit } = await import('./audit.ts');
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
