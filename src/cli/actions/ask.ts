import { ask } from '../../api/ask.ts';
import { checkOutputs } from '../../api/check-outputs.ts';
import { followUp, resume } from '../../api/resume.ts';
import type { AskOptions } from '../../assemble/ask-options.ts';
import { loadConfiguration } from '../../config/layers.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { Invocation } from '../command.ts';
import { followRun, type Hooks } from '../follow-run.ts';
import { readOutputOptions } from '../output/output-options.ts';
import { settingFlags } from '../setting-flags.ts';
import { pipedText } from '../stdin.ts';

/** Returns the recording to write or to answer from. */
function recordings({ record, replay }: Invocation['options']): Pick<AskOptions, 'record' | 'replay'> {
  return { ...(typeof record === 'string' ? { record } : {}), ...(typeof replay === 'string' ? { replay } : {}) };
}

/** Returns the index that the question is about. */
const indexOf = ({ index }: Invocation['options']): Pick<AskOptions, 'index'> =>
  typeof index === 'string' ? { index } : {};

/** Runs `rlm ask`. */
export async function runAsk(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  if (options['continue'] === true || options['run'] !== undefined) return runFollowUp(invocation);
  const question = args[0] as string;
  const configuration = loadConfiguration({ flags: settingFlags(options) });
  const { journal, log, retrieval } = configuration.settings;
  const kept = recordings(options);
  const index = indexOf(options);
  const hasSource = index.index !== undefined || retrieval.server !== null;
  const piped = pipedText((args[1] as string[] | undefined) ?? [], hasSource, options);
  const toOptions = ({ say, ...hooks }: Hooks): AskOptions => {
    const written = [...hooks.written, ...Object.values(kept)];
    const documents = (signal: AbortSignal) => piped.documents(signal, { written, say });
    return { configuration, paths: piped.paths, ...hooks, documents, resumable: journal, ...kept, ...index };
  };
  if (options['dryRun'] === true) {
    const { runDry } = await import('./dry.ts');
    return runDry(invocation, question, toOptions);
  }
  const about = { question, logFile: log.file };
  return followRun(invocation, readOutputOptions(invocation), about, async (hooks) => {
    const outputs = hooks.written.filter((path) => path !== log.file); // A log is appended to.
    await checkOutputs(outputs, piped.paths);
    const result = await ask(question, toOptions(hooks));
    await piped.noteUnread(hooks.say);
    return result;
  });
}

/** Runs `rlm ask --continue` and `rlm ask --run`. Throws RlmError `usage` when paths are given. */
async function runFollowUp(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const [question, paths = []] = args as [string, string[]?];
  if (paths.length > 0) {
    throw new RlmError('usage', `a follow-up uses the text of its run and takes no paths, such as "${paths[0]}"`, {
      hint: 'Omit the paths, or omit --continue and --run.',
    });
  }
  const flags = settingFlags(options);
  const { log, journal } = loadConfiguration({ flags }).settings;
  const runId = typeof options['run'] === 'string' ? options['run'] : null;
  const about = { question, logFile: log.file };
  return followRun(invocation, readOutputOptions(invocation), about, ({ say: _, ...hooks }) =>
    followUp(question, runId, { ...hooks, flags, resumable: journal }),
  );
}

/** Runs `rlm resume`. */
export async function runResume(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const runId = (args[0] as string | undefined) ?? null;
  if (runId !== null && options['last'] === true) {
    throw new RlmError('usage', `--last and the run "${runId}" cannot be given together`, {
      hint: 'Give only one of them.',
    });
  }
  const flags = settingFlags(options);
  const { log } = loadConfiguration({ flags }).settings;
  const force = options['force'] === true;
  return followRun(invocation, readOutputOptions(invocation), { question: '', logFile: log.file }, (hooks) => {
    const { signal, onEvent, onTrajectory, usedMs, written } = hooks;
    return resume(runId, { flags, force, signal, onEvent, onTrajectory, usedMs, written });
  });
}
