import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkOptions, dotted, type RunOptions } from '../assemble/ask-options.ts';
import { planRun } from '../assemble/run-plan.ts';
import { openOwnFile } from '../base/files/own-file.ts';
import { loadConfiguration } from '../config/layers.ts';
import { providerNames } from '../config/provider-traits.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument } from '../inputs/gather-inputs.ts';
import type { RunRecord } from '../journal/journal.ts';
import { textName } from '../journal/recorder.ts';
import { nameWithheld } from '../journal/run-record.ts';
import { findRun, takeRun } from '../journal/runs.ts';
import type { Result } from '../result.ts';
import { carryOut } from './ask.ts';
import { runsFolderOf } from './runs/list-runs.ts';

export interface ResumeOptions extends RunOptions {
  /**
   * Resumes although the text, the model, the prompts or the settings have changed. Calls that this affects are made
   * again.
   */
  readonly force?: boolean;
  /** Settings as given on the command line, by dotted key. */
  readonly flags?: ReadonlyMap<string, unknown>;
}

/** Opens the text that was kept with the run because no file holds it. */
export const readTexts = (folder: string, { given, documents }: RunRecord): GivenDocument[] =>
  documents.slice(0, given).map(({ name }, index) => {
    return { name, text: createReadStream('', { fd: openOwnFile(join(folder, textName(index))) }), encoding: 'utf-8' };
  });

/** Throws RlmError `run-changed` for a run whose question or text was not recorded. */
export function checkWhole({ runId, withheld = [] }: RunRecord): void {
  if (withheld.length === 0) return;
  throw new RlmError('run-changed', `run ${runId} cannot continue: ${nameWithheld(withheld)}`, {
    hint: 'Ask the question again.',
  });
}

/**
 * Resumes a recorded run where it stopped. Recorded calls are not made again. The settings are those in force now,
 * overridden by the flags that the question was asked with, these by `options.flags`, and all by `options.settings`.
 * @param runId the run's id or the beginning of it; null for the newest.
 * @throws RlmError `run-missing`, `usage` when several ids begin with `runId`, `run-busy`, `run-changed` naming what
 *   has changed, `journal-damaged`, and the errors of `ask`.
 */
export async function resume(runId: string | null, options: ResumeOptions = {}): Promise<Result> {
  checkOptions('resume', options);
  const {
    env = process.env,
    cwd: here = process.cwd(),
    force = false,
    flags = new Map(),
    settings = {},
    written = [],
    ...rest
  } = options;
  const run = await findRun(runsFolderOf({ env, cwd: here }), runId);
  const { taken, content } = await takeRun(run, force);
  try {
    checkWhole(content.run);
    const { task, earlier = [], cwd, paths, index, provider, flags: asked } = content.run;
    const unread = [...new Set([...content.run.written, ...written.map((path) => resolve(here, path))])];
    const given = new Map([...Object.entries(asked), ...flags]);
    const sources = { flags: given, settings: new Map(dotted(settings)), env, cwd };
    const { preset, fallbacks } = loadConfiguration(sources).settings;
    const isResolvedAgain = preset !== null || fallbacks.length > 0;
    // The run keeps its provider: `auto` might choose another now, which did not make the recorded calls.
    if (!options.provider && !isResolvedAgain && providerNames.includes(provider)) given.set('provider', provider);
    const configuration = loadConfiguration(sources);
    const documents = async () => readTexts(run.folder, content.run);
    const journal = { kind: 'resumed', taken, recorded: content.run, force } as const;
    const text = index ? { index } : { paths, documents };
    const whole = { ...rest, ...text, earlier, env, cwd, written: unread };
    return await carryOut(planRun(task, whole, configuration, { journal }));
  } finally {
    taken.lock.release();
  }
}
