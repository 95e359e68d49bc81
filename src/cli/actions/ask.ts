import { ask } from '../../api/ask.ts';
import { checkLog, checkOutputs, checkRunLog, checkRunOutputs, checkStateFiles } from '../../api/check-outputs.ts';
import { followUp, resume } from '../../api/resume.ts';
import type { AskOptions } from '../../assemble/ask-options.ts';
import { loadConfiguration } from '../../config/layers.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { type Invocation, textOption, textOptions } from '../command.ts';
import { followRun, type Hooks } from '../follow-run.ts';
import { settingFlags } from '../setting-flags.ts';
import { pipedText } from '../stdin.ts';

export async function runAsk(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  if (options['continue'] === true || options['run'] !== undefined) return runFollowUp(invocation);
  const question = args[0] as string;
  const configuration = loadConfiguration({ flags: settingFlags(options) });
  const { journal, log, retrieval } = configuration.settings;
  const kept = textOptions(options, 'record', 'replay');
  const source = textOptions(options, 'index');
  const hasSource = source.index !== undefined || retrieval.server !== null;
  const piped = pipedText(args[1] as readonly string[], hasSource, options);
  const toOptions = ({ say, ...hooks }: Hooks): AskOptions => {
    const written = [...hooks.written, ...Object.values(kept)];
    const documents = (signal: AbortSignal) => piped.documents(signal, { written, say });
    return { configuration, paths: piped.paths, ...hooks, documents, resumable: journal, ...kept, ...source };
  };
  if (options['dryRun'] === true) {
    const { runDry } = await import('./dry.ts');
    return runDry(invocation, question, toOptions);
  }
  checkLog(log.file, piped.paths);
  return followRun(invocation, question, log.file, async (hooks) => {
    await checkOutputs(hooks.written, piped.paths, configuration, source.index);
    // A recording may replace a recording, and the journal of a run looks like one.
    if (kept.record !== undefined) await checkStateFiles([kept.record], configuration);
    const result = await ask(question, toOptions(hooks));
    await piped.noteUnread(hooks.say);
    return result;
  });
}

/** Throws RlmError `usage` if a follow-up is given paths. */
export function checkFollowUp([path]: readonly string[]): void {
  if (path === undefined) return;
  throw new RlmError('usage', `a follow-up uses the text of the earlier run, so it cannot take the path "${path}"`, {
    hint: 'Omit the paths, or omit --continue and --run.',
  });
}

async function runFollowUp(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const [question, paths] = args as [string, string[]];
  checkFollowUp(paths);
  const flags = settingFlags(options);
  const configuration = loadConfiguration({ flags });
  const { log, journal } = configuration.settings;
  const runId = textOption(options, 'run');
  await checkRunLog(log.file, runId);
  return followRun(invocation, question, log.file, async ({ say: _, ...hooks }) => {
    await checkRunOutputs(hooks.written, runId, configuration);
    return followUp(question, runId, { ...hooks, flags, resumable: journal });
  });
}

export async function runResume(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const runId = (args[0] as string | undefined) ?? null;
  if (runId !== null && options['last'] === true)
    throw new RlmError('usage', `--last and the run "${runId}" cannot be given together`, {
      hint: 'Give only one of them.',
    });
  const flags = settingFlags(options);
  const configuration = loadConfiguration({ flags });
  const { log } = configuration.settings;
  const force = options['force'] === true;
  await checkRunLog(log.file, runId);
  return followRun(invocation, '', log.file, async ({ say: _s, onReading: _r, ...hooks }) => {
    await checkRunOutputs(hooks.written, runId, configuration);
    return resume(runId, { flags, force, ...hooks });
  });
}
