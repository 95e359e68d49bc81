import { type ExitCode, RlmError } from '../../errors.ts';
import { type Context, openContext } from '../../index.ts';
import type { Invocation, OptionSpec } from '../command.ts';
import { configured } from '../configured.ts';
import { watchSignals } from '../follow-run.ts';
import { settingFlags, settingOptions } from '../setting-flags.ts';
import { pipedText } from '../stdin.ts';
import { printable } from '../terminal.ts';
import { type Limited, timeoutOptions, withinTimeout } from '../timeout.ts';

/** The options of commands that read text without a model. */
export const contextOptions: readonly OptionSpec[] = [
  { flags: '--json', about: 'print JSON' },
  { flags: '--index <name>', about: 'use an index (rlm index add) instead of files', values: 'indexes' },
  { flags: '--no-stdin', about: 'do not read piped text' },
  ...settingOptions((key) => key.startsWith('inputs.')),
  ...timeoutOptions,
];

/** The paths argument of these commands. */
export const contextPaths = {
  name: '[paths...]',
  about: "files, folders and globs ('docs/**/*.md'); .gitignore and .rlmignore apply in folders; - is piped text",
} as const;

/** A FIFO without a writer keeps a command waiting: after this time it says so, in ms. */
const waitNoticeMs = 2_000;

/** Opens the text that `ask` would read, passes it to a command, and closes it. Ctrl-C aborts both. */
export async function withContext(
  { options, stderr, stdout }: Invocation,
  given: readonly string[],
  work: (context: Context, signal: AbortSignal) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  const configuration = configured({ stderr }, { flags: settingFlags(options) });
  const controller = new AbortController();
  stdout.onClosed(() => controller.abort(new RlmError('interrupted', 'the reader of the output closed it')));
  const stopWatching = watchSignals(controller, '');
  const say = (line: string) => stderr.write(`rlm: ${line}\n`);
  const index = options['index'];
  const { paths, documents, noteUnread } = pipedText(given, index !== undefined, options);
  const fromIndex = typeof index === 'string' ? { index } : {};
  async function openAndWork({ signal, onReading }: Limited): Promise<ExitCode> {
    const fromStdin = () => documents(signal, { written: [], say });
    const waiting = setTimeout(() => say(`waiting for ${printable(given.join(', ')) || 'the input'} …`), waitNoticeMs);
    const opening = openContext({ configuration, paths, signal, onReading, documents: fromStdin, ...fromIndex });
    const context = await opening.finally(() => clearTimeout(waiting));
    for (const warning of context.warnings) say(printable(warning));
    try {
      const code = await work(context, signal);
      await noteUnread(say);
      return code;
    } finally {
      await context.close();
    }
  }
  try {
    return await withinTimeout(options, configuration.settings, { signal: controller.signal }, openAndWork);
  } finally {
    stopWatching();
  }
}
