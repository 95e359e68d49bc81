import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AskOptions, checkOptions, dotted, type RunOptions } from '../assemble/ask-options.ts';
import { planRun } from '../assemble/run-plan.ts';
import { openOwnFile } from '../base/files/own-file.ts';
import { loadConfiguration } from '../config/layers.ts';
import { providerNames } from '../config/provider-traits.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument } from '../inputs/gather-inputs.ts';
import type { JournalContent, RunRecord } from '../journal/journal.ts';
import { textName } from '../journal/recorder.ts';
import { nameWithheld } from '../journal/run-record.ts';
import { findRun, readRun, takeRun } from '../journal/runs.ts';
import { readTrajectory } from '../journal/trajectory.ts';
import { isForm, type Result } from '../result.ts';
import type { Citation, EarlierAnswer } from '../state.ts';
import { ask, carryOut } from './ask.ts';
import { runsFolderOf } from './runs/recorded-runs.ts';

interface ResumeOptions extends RunOptions {
  /** Resumes even if the text, the model, the prompts or the settings have changed. Affected calls are made again. */
  readonly force?: boolean;
  /** Settings as given on the command line, by dotted key. */
  readonly flags?: ReadonlyMap<string, unknown>;
}

/** Returns the sources of a recorded run's text. A document that was passed as text is read from the run's folder. */
function textOf(
  folder: string,
  { index, paths, given, documents }: RunRecord,
): Pick<AskOptions, 'index' | 'paths' | 'documents'> {
  const open = ({ name, isExtracted }: RunRecord['documents'][number], at: number): GivenDocument => ({
    ...{ name, isExtracted, encoding: 'utf-8' },
    text: createReadStream('', { fd: openOwnFile(join(folder, textName(at))) }),
  });
  return index ? { index } : { paths, documents: async () => documents.slice(0, given).map(open) };
}

function checkWhole({ runId, withheld = [] }: RunRecord): void {
  if (withheld.length === 0) return;
  throw new RlmError('run-changed', `run ${runId} cannot continue: ${nameWithheld(withheld)}`, {
    hint: 'Ask the question again.',
  });
}

/**
 * Resumes a recorded run where it stopped, without repeating recorded calls. Uses the current settings, overridden by
 * the flags of the original question, then by `options.flags`, then by `options.settings`. Asks the recorded provider,
 * unless `options` names a provider or the settings contain a preset or fallbacks. Returns the recorded result if the
 * run was answered and no `force`, flags, settings or provider are given. If this session ends without an answer, the
 * result has the answer of an earlier session.
 * @param runId the run's id or the beginning of it; null for the newest.
 * @throws RlmError `run-missing`, `run-busy`, `journal-damaged`; `usage` when several ids begin with `runId`;
 *   `run-changed`, which names what has changed; the errors of `ask`.
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
    const asksNothing = !force && flags.size + Object.keys(settings).length === 0 && !options.provider;
    if (asksNothing && content.isEnded && content.end?.result.error === null) {
      const trajectory = readTrajectory(run.folder);
      const started = trajectory?.events.find((event) => event.type === 'run.started');
      if (started !== undefined) options.onEvent?.(started);
      if (trajectory !== null) options.onTrajectory?.(trajectory);
      return content.end.result;
    }
    checkWhole(content.run);
    const { task, earlier = [], cwd, provider, flags: asked } = content.run;
    const excluded = [...new Set([...content.run.written, ...written.map((path) => resolve(here, path))])];
    const given = new Map([...Object.entries(asked), ...flags]);
    const sources = { flags: given, settings: new Map(dotted(settings)), env, cwd };
    const { preset, fallbacks } = loadConfiguration(sources).settings;
    const isResolvedAgain = preset !== null || fallbacks.length > 0;
    // Keeps the provider that made the recorded calls, because `auto` might now choose another.
    if (!options.provider && !isResolvedAgain && providerNames.includes(provider)) given.set('provider', provider);
    const configuration = loadConfiguration(sources);
    const journal = { taken, recorded: content.run, force, result: force ? null : (content.end?.result ?? null) };
    const whole = { ...rest, ...textOf(run.folder, content.run), earlier, env, cwd, written: excluded };
    return await carryOut(planRun(task, whole, configuration, { journal }));
  } finally {
    taken.lock.release();
  }
}

/**
 * The options of a follow-up. The earlier run determines the text and the working folder. `cwd` serves only to find the
 * earlier run and to resolve `written`. If `context` is given, it must contain the text of the earlier run, which is
 * then not read again.
 */
interface FollowUpOptions extends Omit<ResumeOptions, 'force'>, Pick<AskOptions, 'resumable' | 'context'> {}

/** Limits on the earlier answers in a prompt. */
const mostEarlier = { answers: 5, characters: 2_000, citations: 5, quoteCharacters: 200 };

/** Settings that determine the text, as keys or beginnings of keys. */
const textSettings = ['inputs.', 'context.', 'retrieval.', 'embedding.', 'tools.roots', 'visionModel'];

const shapesText = ([key]: [string, unknown]): boolean => textSettings.some((start) => key.startsWith(start));

function foundLine({ source, startLine, endLine, quote }: Citation): string {
  const words = quote?.replace(/\s+/g, ' ').slice(0, mostEarlier.quoteCharacters);
  return `   Found in ${source}, lines ${startLine}-${endLine}${words ? `: "${words}"` : ''}`;
}

/** Removes citation marks from prose, because their numbers would mean other passages in the next run. */
function earlierAnswer({ run, end }: JournalContent): EarlierAnswer {
  const answer = end?.result.answer ?? null;
  if (answer === null)
    throw new RlmError('usage', `run ${run.runId} has no answer, so it cannot have a follow-up`, {
      hint: `To continue it: rlm resume ${run.runId}`,
    });
  const plain = (isForm(end!.result) ? answer : answer.replace(/ ?\[\d+\]/g, '')).slice(0, mostEarlier.characters);
  const found = end!.result.citations.slice(0, mostEarlier.citations).map(foundLine);
  return { question: run.task, answer: [plain, ...found].join('\n') };
}

/**
 * Asks a follow-up question about the text of a recorded run. The prompt contains that run's answer and citations.
 * Starts a new run with its own budget. The earlier flags that determine the text apply again, unless `flags`
 * overrides them. All other settings are the current ones.
 * @param runId the run's id or the beginning of it; null for the newest.
 * @throws RlmError `run-missing`, `journal-damaged`; `usage` if the run has no answer or several ids begin with
 *   `runId`; `run-changed` if its text was not kept; `input-missing` if its files are gone; the errors of `ask`.
 */
export async function followUp(question: string, runId: string | null, options: FollowUpOptions = {}): Promise<Result> {
  checkOptions('followUp', options);
  const {
    flags = new Map(),
    settings = {},
    env = process.env,
    cwd: here = process.cwd(),
    written = [],
    ...rest
  } = options;
  const kept = await findRun(runsFolderOf({ env, cwd: here }), runId);
  const content = await readRun(kept);
  const { run } = content;
  checkWhole(run);
  const earlier = [...(run.earlier ?? []), earlierAnswer(content)].slice(-mostEarlier.answers);
  const { cwd } = run;
  const given = new Map([...Object.entries(run.flags).filter(shapesText), ...flags]);
  const configuration = loadConfiguration({ flags: given, settings: new Map(dotted(settings)), env, cwd });
  return ask(question, {
    ...rest,
    ...(rest.context ? {} : textOf(kept.folder, run)),
    written: [...written.map((path) => resolve(here, path)), ...run.written],
    earlier,
    configuration,
    cwd,
    env,
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof RlmError) || thrown.code !== 'input-missing') throw thrown;
    throw new RlmError('input-missing', `the text of run ${run.runId} no longer exists: ${thrown.message}`, {
      hint: 'Restore it, or ask about other text without --continue.',
    });
  });
}
