import { type Configuration, loadConfiguration } from '../config/layers.ts';
import type { ExitCode } from '../errors.ts';
import { type AskOptions, ask } from '../index.ts';
import type { Invocation } from './command.ts';
import { followRun, type Hooks } from './follow-run.ts';
import { readOutputOptions } from './output-options.ts';
import { settingFlags } from './setting-flags.ts';
import { readStdin } from './stdin.ts';

function readDocuments(paths: readonly string[], { settings }: Configuration, { written, say }: Hooks) {
  const { maxBytes } = settings.inputs;
  return (signal: AbortSignal) => readStdin(signal, { hasPaths: paths.length > 0, written, say, maxBytes });
}

/** Runs `rlm ask`. */
export async function runAsk(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const question = args[0] as string;
  // `-` stands for stdin, as in other programs; that is read anyway.
  const paths = ((args[1] as string[] | undefined) ?? []).filter((path) => path !== '-');
  const configuration = loadConfiguration({ flags: settingFlags(options) });
  const { journal, log } = configuration.settings;
  return followRun(invocation, readOutputOptions(invocation), { question, logFile: log.file }, (hooks) => {
    const { signal, onEvent, written } = hooks;
    const asked: AskOptions = { configuration, paths, written, signal, onEvent, resumable: journal };
    const readsStdin = options['stdin'] !== false;
    return ask(question, readsStdin ? { ...asked, documents: readDocuments(paths, configuration, hooks) } : asked);
  });
}
