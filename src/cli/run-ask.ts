import { loadConfiguration } from '../config/layers.ts';
import type { ExitCode } from '../errors.ts';
import { type AskOptions, ask } from '../index.ts';
import type { Invocation } from './command.ts';
import { followRun, type Hooks } from './follow-run.ts';
import { readOutputOptions } from './output-options.ts';
import { settingFlags } from './setting-flags.ts';
import { readStdin } from './stdin.ts';

/** @param hasText whether there is text besides: then an empty pipe is no mistake. */
function readDocuments(hasText: boolean, { written, say }: Hooks) {
  return async (signal: AbortSignal) => readStdin(signal, { hasPaths: hasText, written, say });
}

/** The recording to write or to answer from. */
function recordings({ record, replay }: Invocation['options']): Pick<AskOptions, 'record' | 'replay'> {
  return {
    ...(typeof record === 'string' ? { record } : {}),
    ...(typeof replay === 'string' ? { replay } : {}),
  };
}

/** The index to ask. */
const indexOf = ({ index }: Invocation['options']): Pick<AskOptions, 'index'> =>
  typeof index === 'string' ? { index } : {};

/** Runs `rlm ask`. */
export async function runAsk(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const question = args[0] as string;
  // `-` stands for stdin, as in other programs; that is read anyway.
  const paths = ((args[1] as string[] | undefined) ?? []).filter((path) => path !== '-');
  const configuration = loadConfiguration({ flags: settingFlags(options) });
  const { journal, log } = configuration.settings;
  const kept = recordings(options);
  const index = indexOf(options);
  const hasText = paths.length > 0 || index.index !== undefined;
  const toOptions = (hooks: Hooks): AskOptions => {
    const mine = { ...hooks, written: [...hooks.written, ...Object.values(kept)] };
    const asked = { configuration, paths, ...mine, resumable: journal, ...kept, ...index };
    return options['stdin'] === false ? asked : { ...asked, documents: readDocuments(hasText, mine) };
  };
  if (options['dryRun'] === true) {
    const { runDry } = await import('./run-dry.ts');
    return runDry(invocation, question, toOptions);
  }
  const about = { question, logFile: log.file };
  return followRun(invocation, readOutputOptions(invocation), about, (hooks) => ask(question, toOptions(hooks)));
}
