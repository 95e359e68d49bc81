import { loadConfiguration } from '../config/layers.ts';
import { type ExitCode, RlmError } from '../errors.ts';
import { type Context, openContext } from '../index.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { watchSignals } from './follow-run.ts';
import { settingFlags, settingOptions } from './setting-flags.ts';
import { readStdin } from './stdin.ts';
import { printable } from './terminal.ts';

/** The options of commands that look at text without a model. */
export const contextOptions: readonly OptionSpec[] = [
  { flags: '--json', about: 'print JSON' },
  { flags: '--index <name>', about: 'look at an index (rlm index add) in place of files' },
  { flags: '--no-stdin', about: 'do not read piped text' },
  ...settingOptions((key) => key.startsWith('inputs.')),
];

/** The paths of those commands. */
export const contextPaths = {
  name: '[paths...]',
  about: "files, folders and globs ('docs/**/*.md'); folders honour .gitignore and .rlmignore; - is piped text",
} as const;

/** Opens the text that `ask` would read, lets a command look at it, and lets it go. Ctrl-C ends both. */
export async function withContext(
  { options, stderr, stdout }: Invocation,
  given: readonly string[],
  work: (context: Context, signal: AbortSignal) => Promise<void> | void,
): Promise<ExitCode> {
  const paths = given.filter((path) => path !== '-');
  const configuration = loadConfiguration({ flags: settingFlags(options) });
  const controller = new AbortController();
  const { signal } = controller;
  stdout.onClosed(() => controller.abort(new RlmError('interrupted', 'the reader of the output went away')));
  const stopWatching = watchSignals(controller);
  const say = (line: string) => stderr.write(`rlm: ${line}\n`);
  const index = options['index'];
  const hasPaths = paths.length > 0 || index !== undefined;
  const documents = async () => readStdin(signal, { hasPaths, written: [], say });
  try {
    const fromStdin = options['stdin'] === false ? {} : { documents };
    const fromIndex = typeof index === 'string' ? { index } : {};
    const context = await openContext({ configuration, paths, signal, ...fromStdin, ...fromIndex });
    for (const warning of context.warnings) say(printable(warning));
    try {
      await work(context, signal);
    } finally {
      await context.close();
    }
    return 0;
  } finally {
    stopWatching();
  }
}
